// SPDX-License-Identifier: GPL-2.0-only
//
// Exceptions as the guest's kernel sees them (docs/guest-abi.md, "Exceptions"),
// and its return from them. vectors.S has the same for the two that are most
// frequent.
#include "guest/guest.hpp"

#include "arm/cpu.hpp"
#include "mmu/domain.h"
#include "rtmux/abi/rtos.h"
#include "statistics.hpp"
#include "trace.hpp"

namespace rtmux::guest {
namespace {

// A kernel whose stack is bad faults again in the first instructions of its own
// handler, before it has copied the frame: it would do so for ever.
constexpr uint32_t handler_prologue = 64;

bool in_prologue(uint32_t vector) {
    return !vcpu.user_mode && vcpu.pc - vcpu.vector[vector + 1] < handler_prologue &&
           vcpu.r[0] == frame_address;
}

// CPSR of kernel mode as the kernel would read it
uint32_t kernel_cpsr() {
    const bool masked = vcpu.read_shared(RTMUX_S_IRQ_OFF) != 0;
    return (vcpu.cpsr & (psr::flags | psr::it | psr::t | psr::e)) | psr::svc | (masked ? psr::i : 0);
}

void require_vectors(const char *what) {
    if (!vcpu.hello)
        stop_foreign_kernel();
    if (!vcpu.vectors_set)
        stop(RTMUX_GUEST_FAILED, what);
}

} // namespace

void enter_user_mode() {
    vcpu.user_mode = 1;
    vcpu.write_shared(RTMUX_S_IRQ_OFF, 0);
    cpu::set_dacr(RTMUX_DACR_USER_MODE);
}

void reflect(uint32_t usr_vector, uint32_t pc) {
    if (vcpu.user_mode) {
        reflect_from_user(usr_vector, pc);
        return;
    }
    vcpu.write_shared(RTMUX_S_EXC, vcpu.r[0]);
    vcpu.write_shared(RTMUX_S_EXC + 4, pc);
    vcpu.write_shared(RTMUX_S_EXC + 8, kernel_cpsr());
    if (usr_vector != RTMUX_V_IRQ_USR)
        note_kernel_fault(usr_vector + 1);
    vcpu.r[0] = frame_address;
    vcpu.pc = vcpu.vector[usr_vector + 1];
    enter_kernel_mode();
}

void reflect_data_abort(uint32_t status, uint32_t address) {
    require_vectors("data abort before the kernel had vectors");
    if (in_prologue(RTMUX_V_DABT_USR))
        stop(RTMUX_GUEST_FAILED, "the kernel's stack faults in its own abort handler");
    statistics.reflected_data++;
    vcpu.write_shared(RTMUX_S_DFSR, status);
    vcpu.write_shared(RTMUX_S_DFAR, address);
    reflect(RTMUX_V_DABT_USR, vcpu.pc);
}

void reflect_prefetch_abort(uint32_t status, uint32_t address) {
    require_vectors("prefetch abort before the kernel had vectors");
    if (in_prologue(RTMUX_V_PABT_USR))
        stop(RTMUX_GUEST_FAILED, "the kernel's abort handler cannot be executed");
    statistics.reflected_prefetch++;
    vcpu.write_shared(RTMUX_S_IFSR, status);
    vcpu.write_shared(RTMUX_S_IFAR, address);
    reflect(RTMUX_V_PABT_USR, vcpu.pc);
}

void reflect_undefined() {
    require_vectors("undefined instruction before the kernel had vectors");
    if (in_prologue(RTMUX_V_UND_USR))
        stop(RTMUX_GUEST_FAILED, "undefined instruction in the kernel's own handler for them");
    statistics.reflected_undefined++;
    reflect(RTMUX_V_UND_USR, vcpu.pc);
}

void inject_irq() {
    if (!vcpu.vectors_set)
        return;
    statistics.injected_irqs++;
    vic.delivered();
    trace(RTMUX_TRACE_DELIVER, vcpu.pc);
    reflect(RTMUX_V_IRQ_USR, vcpu.pc);
}

void iret() {
    const uint32_t sp = vcpu.read_shared(RTMUX_S_SP), lr = vcpu.read_shared(RTMUX_S_LR);
    const uint32_t pc = vcpu.read_shared(RTMUX_S_PC), cpsr = vcpu.read_shared(RTMUX_S_CPSR);
    const uint32_t mode = cpsr & psr::mode_mask;
    if (mode != psr::usr && mode != psr::svc) {
        reflect_undefined(); // pc: just behind the IRET's svc
        return;
    }
    if (mode == psr::usr) {
        const bool thumb = cpsr & psr::t;
        vcpu.kernel_sp = vcpu.r[13];
        vcpu.cpsr = (cpsr & (thumb ? psr::user : psr::user & ~psr::it)) | psr::usr;
        vcpu.pc = pc & (thumb ? ~1u : ~3u);
        cpu::set_tpidruro(vcpu.read_shared(RTMUX_S_TLS));
        if (vcpu.read_shared(RTMUX_S_ICACHE) != 0) {
            vcpu.write_shared(RTMUX_S_ICACHE, 0);
            cpu::icache_invalidate_all();
        }
        enter_user_mode();
    } else {
        vcpu.cpsr = (cpsr & (psr::flags | psr::e)) | psr::usr;
        vcpu.pc = pc & ~3u;
        vcpu.write_shared(RTMUX_S_IRQ_OFF, cpsr & psr::i ? RTMUX_SHARED : 0);
    }
    vcpu.r[13] = sp;
    vcpu.r[14] = lr;
}

} // namespace rtmux::guest
