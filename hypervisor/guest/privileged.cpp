// SPDX-License-Identifier: GPL-2.0-only
//
// What the guest's kernel does that needs the executive's privilege, and is not
// a hypercall: CP15 and VFP system registers (guest/emulate.hpp has the list),
// and stores to registers of devices that it may only read.
#include "guest/guest.hpp"

#include "arm/cpu.hpp"
#include "console.hpp"
#include "rtmux/abi/rtos.h"
#include "rtos.hpp"
#include "statistics.hpp"

namespace rtmux::guest {
namespace {

// MCR p15, 0, <Rt>, c8, c7, 1, TLBIMVA
constexpr uint32_t flush_page_opcode = 0xee080f37;

void set_fpexc(uint32_t value) {
    vcpu.write_shared(RTMUX_S_FPEXC, value);
    const MaskedStretch masked;
    if (value & GuestSystem::fpexc_en)
        rtos::take_fp();
    cpu::set_fpexc(value);
}

void set_mmu(bool on) {
    if (!vcpu.hello)
        stop_foreign_kernel();
    shadow.set_mmu(on);
    // Code that the kernel patched with its MMU off went through a cacheable map.
    dcache_clean_invalidate_all();
    cpu::icache_invalidate_all();
}

void perform(Emulation todo) {
    switch (todo.action) {
    case Action::set_ttbr0:
        if (!shadow.set_ttbr0(todo.value))
            stop(RTMUX_GUEST_FAILED, "page directory outside its memory");
        break;
    case Action::mmu_on:
        set_mmu(true);
        break;
    case Action::mmu_off:
        set_mmu(false);
        break;
    case Action::tlb_all:
        shadow.flush_all();
        break;
    case Action::tlb_asid:
        shadow.flush_asid(todo.value & 0xff);
        break;
    case Action::tlb_mva:
        shadow.flush_page(todo.value & 0xfffff000, todo.value & 0xff);
        break;
    case Action::icache_all:
        cpu::icache_invalidate_all();
        break;
    case Action::branch_all:
        cpu::branch_predictor_invalidate_all();
        break;
    case Action::set_fpexc:
        set_fpexc(todo.value);
        break;
    default: // done
        break;
    }
}

} // namespace

// The list has it too; here it costs half. Two of three that a fork executes are this one.
[[gnu::hot]] bool flush_page_instruction() {
    uint32_t opcode;
    if ((vcpu.cpsr & psr::t) || !guest_load(vcpu.pc - 4, &opcode)) [[unlikely]]
        return false;
    const uint32_t rt = opcode >> 12 & 0xf;
    if ((opcode & 0xffff0fff) != flush_page_opcode || rt == 15)
        return false;
    statistics.emulated++;
    const uint32_t operand = vcpu.r[rt];
    shadow.flush_page(operand & 0xfffff000, operand & 0xff);
    return true;
}

void undefined_instruction() {
    uint32_t opcode;
    if ((vcpu.cpsr & psr::t) || !read_word(vcpu.pc - 4, opcode)) {
        reflect_undefined();
        return;
    }
    const Emulation todo = emulate(opcode, vcpu.r, vcpu.cpsr, system_registers, identification);
    if (todo.action == Action::undefined) {
        reflect_undefined();
    } else if (todo.action == Action::forbidden) {
        console::log("guest: instruction %08x at %08x", opcode, vcpu.pc - 4);
        stop_foreign_kernel();
    } else {
        statistics.emulated++;
        perform(todo); // pc is behind the instruction already
    }
}

void mediated_store(uint32_t pa, uint32_t address) {
    constexpr uint32_t external_abort = 0x8;
    uint32_t opcode;
    const bool arm_state = !(vcpu.cpsr & psr::t);
    const Store store = arm_state && read_word(vcpu.pc, opcode) ? decode_store(opcode, vcpu.r) : Store{};
    if (store.size == 0) {
        reflect_data_abort(external_abort | wnr, address);
        return;
    }
    if (store.size == 4 && board::write_allowed(pa)) {
        statistics.mediated_writes++;
        *reinterpret_cast<volatile uint32_t *>(static_cast<uintptr_t>(board::device_va(pa))) = store.value;
    } else {
        statistics.refused_writes++;
    }
    vcpu.pc += 4;
}

} // namespace rtmux::guest
