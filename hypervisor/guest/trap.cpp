// SPDX-License-Identifier: GPL-2.0-only
//
// The guest was left (arm/vectors.S, slow path): see to the reason, with IRQs
// open, and to what is pending before it goes on.
#include "guest/guest.hpp"

#include "arm/cpu.hpp"
#include "chaos.hpp"
#include "console.hpp"
#include "rtmux/abi/rtos.h"
#include "rtos.hpp"
#include "statistics.hpp"
#include "trace.hpp"

namespace rtmux {

namespace guest {

Vic vic;
GuestSystem system_registers;
Identification identification;

namespace {

// DFSR and IFSR (Arm ARM B4.1.52): FS[3:0], FS[4] in bit 10, WnR in bit 11
constexpr uint32_t wnr = 1u << 11;

// Faults that come from the shadow, not from what the access is: translation,
// access flag, domain and permission faults of either level (table B3-23).
bool from_translation(uint32_t status) {
    constexpr uint32_t kinds =
        1u << 0x3 | 1u << 0x5 | 1u << 0x6 | 1u << 0x7 | 1u << 0x9 | 1u << 0xb | 1u << 0xd | 1u << 0xf;
    return !(status & 1u << 10) && (kinds >> (status & 0xf) & 1) != 0;
}

void data_abort() {
    const uint32_t status = vcpu.status, address = vcpu.address;
    trace(RTMUX_TRACE_FAULT, address, status);
    if (!from_translation(status)) {
        // Of an imprecise abort DFAR says nothing, or something of the executive's
        reflect_data_abort(status & ~0x1000u, imprecise(status) ? 0 : address);
        return;
    }
    const bool write = (status & wnr) != 0;
    const mmu::FillResult result =
        shadow.fill(address, write ? mmu::Access::write : mmu::Access::read, vcpu.user_mode != 0);
    if (result.kind == mmu::FillResult::Kind::fault)
        reflect_data_abort(result.fsr | (status & wnr), address);
    else if (result.kind == mmu::FillResult::Kind::mediated)
        mediated_store(result.pa, address);
}

void prefetch_abort() {
    const uint32_t status = vcpu.status, address = vcpu.pc;
    trace(RTMUX_TRACE_FAULT, address, status);
    if (!from_translation(status)) {
        reflect_prefetch_abort(status, vcpu.address);
        return;
    }
    // A Thumb instruction may end in the page after the one it begins in
    const uint32_t fault_address = vcpu.address - address <= 2 ? vcpu.address : address;
    const mmu::FillResult result = shadow.fill(fault_address, mmu::Access::execute, vcpu.user_mode != 0);
    if (result.kind != mmu::FillResult::Kind::filled)
        reflect_prefetch_abort(result.fsr, fault_address);
}

// The FP registers are another's until the guest uses them (docs/rtos.md).
bool take_fp() {
    if (!(system_registers.fpexc & cpu::fpexc_en))
        return false;
    const MaskedStretch masked; // a thread may take them between any two steps
    if (cpu::fpexc() & cpu::fpexc_en)
        return false;
    rtos::take_fp();
    cpu::set_fpexc(system_registers.fpexc);
    statistics.fp_switches++;
    return true;
}

void undefined() {
    if (take_fp())
        vcpu.pc -= vcpu.cpsr & psr::t ? 2 : 4;
    else if (vcpu.user_mode)
        reflect_undefined();
    else
        undefined_instruction();
}

// From kernel mode: vectors.S reflects all system calls itself.
void svc() {
    if (vcpu.pc == vcpu.iret_pc)
        iret();
    else
        hypercall();
}

void fill_after_fault() {
    vcpu.clear_slow(Vcpu::slow_fill);
    // Whatever comes of it: the access will tell.
    static_cast<void>(
        shadow.fill(vcpu.fill_address, vcpu.fill_execute ? mmu::Access::execute : mmu::Access::read, true));
}

// IRQs masked.
void deliver_irqs() {
    const uint32_t since = board::Counter::read();
    if (vcpu.is_slow(Vcpu::slow_stop)) {
        cpu::irq_on();
        stop_as_requested();
    }
    vcpu.clear_slow(Vcpu::slow_irq);
    if (vic.sync()) {
        if (vcpu.irqs_open() && !chaos::delay_irq())
            inject_irq();
        else
            vcpu.set_slow(Vcpu::slow_irq); // the next return looks again
    }
    statistics.note_masked(board::Counter::read() - since);
}

} // namespace
} // namespace guest
} // namespace rtmux

// With IRQs open; returns with IRQs masked, the guest's state in vcpu.
extern "C" void guest_trap(rtmux::Vcpu &, uint32_t reason) {
    using namespace rtmux;
    using namespace rtmux::guest;
    statistics.exits[reason]++;
    trace(RTMUX_TRACE_EXIT, reason, vcpu.pc);
    switch (reason) {
    case EXIT_SVC:
        svc();
        break;
    case EXIT_UNDEFINED:
        undefined();
        break;
    case EXIT_PREFETCH_ABORT:
        prefetch_abort();
        break;
    case EXIT_DATA_ABORT:
        data_abort();
        break;
    default: // EXIT_IRQ: only to see what is pending
        break;
    }
    if (vcpu.is_slow(Vcpu::slow_fill) && vcpu.user_mode)
        fill_after_fault();
    if (vcpu.is_slow(Vcpu::slow_console))
        serve_console();
    chaos::drop_shadow();
    cpu::irq_off();
    if (vcpu.is_slow(Vcpu::slow_irq))
        deliver_irqs();
    trace(RTMUX_TRACE_ENTER, vcpu.pc);
}
