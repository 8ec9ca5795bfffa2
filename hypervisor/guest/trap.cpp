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

// The guest was left for one of these reasons (arm/vectors.S; aborts: abort.cpp), its state is in vcpu, IRQs
// are open. When they return, what is slow is looked at, and the guest goes on with what is in vcpu.
extern "C" {

using namespace rtmux;
using namespace rtmux::guest;

[[gnu::hot]] void guest_undefined() {
    trace(RTMUX_TRACE_EXIT, EXIT_UNDEFINED, vcpu.pc);
    if (!vcpu.user_mode && flush_page_instruction())
        return;
    if (take_fp())
        vcpu.pc -= vcpu.cpsr & psr::t ? 2 : 4;
    else if (vcpu.user_mode)
        reflect_undefined();
    else
        undefined_instruction();
}

[[gnu::hot]] void guest_hypercall() {
    trace(RTMUX_TRACE_EXIT, EXIT_SVC, vcpu.pc);
    hypercall();
}

[[gnu::hot]] void guest_iret() {
    trace(RTMUX_TRACE_EXIT, EXIT_SVC, vcpu.pc);
    iret();
    // Whatever comes of it: the access will tell.
    if (vcpu.is_slow(Vcpu::slow_fill) && vcpu.user_mode) {
        vcpu.clear_slow(Vcpu::slow_fill);
        static_cast<void>(shadow.fill_mapped(vcpu.fill_address, vcpu.fill_access));
    }
}

// It has an interrupt that may be due: guest_slow() sees to it.
void guest_interrupted() {
    trace(RTMUX_TRACE_EXIT, EXIT_IRQ, vcpu.pc);
}

// With IRQs open; returns with IRQs masked.
[[gnu::cold]] void guest_slow() {
    if (vcpu.is_slow(Vcpu::slow_console))
        serve_console();
    chaos::drop_shadow();
    cpu::irq_off();
    if (vcpu.is_slow(Vcpu::slow_irq))
        deliver_irqs();
    trace(RTMUX_TRACE_ENTER, vcpu.pc);
}
}
