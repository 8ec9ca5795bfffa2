// SPDX-License-Identifier: GPL-2.0-only
//
// The guest's processor. The banked stack pointers of SVC (while the guest
// runs), ABT and UND mode all point at it, so that an exception from the guest
// saves every register with one instruction; the executive's stack for the
// guest grows down from it.
#pragma once

#include "guest/vcpu_offsets.h"
#include "mmu/protection.hpp"
#include "rtmux/abi/guest.h"

#include <cstddef>
#include <cstdint>

namespace rtmux {

// CPSR fields, Arm ARM DDI0406C B1.3.3
namespace psr {
constexpr uint32_t mode_mask = 0x1f, usr = 0x10, svc = 0x13;
constexpr uint32_t t = 1u << 5, f = 1u << 6, i = 1u << 7, a = 1u << 8, e = 1u << 9, j = 1u << 24;
constexpr uint32_t it = 0x0600fc00;
constexpr uint32_t flags = 0xf80f0000; // N Z C V Q GE
// What a guest may choose of its real CPSR in user mode.
constexpr uint32_t user = flags | it | t | e;
} // namespace psr

struct Vcpu {
    uint32_t kernel_sp; // sp at the last return to user mode
    uint32_t r[15];     // USR mode's r0-r12, sp, lr
    uint32_t pc;        // as the exception's link register minus its offset; see Exit
    uint32_t cpsr;      // the real one
    uint32_t user_mode;
    uint32_t *shared;
    uint32_t iret_pc; // no_iret before the kernel has vectors: there is no user mode then
    uint32_t slow;    // bits below
    uint32_t vector_svc;
    uint32_t host_sp; // the RTOS's idle thread, while the guest runs
    uint32_t scratch[4];
    uint32_t status, address;     // DFSR and DFAR, or IFSR and IFAR
    uint32_t fast_svc;            // system calls that took the fast path
    uint32_t exits[EXIT_REASONS]; // by reason, without those the fast paths took

    // Not known to assembly from here on.
    uint32_t vector[RTMUX_NR_VECTORS];
    bool running; // its context comes by often: between the end of boot() and stop()
    bool vectors_set;
    bool hello;            // the kernel said that it is made for RTMux
    uint32_t fill_address; // of the last reflected fault, with slow_fill
    mmu::Access fill_access;

    static constexpr uint32_t no_iret = 1;      // no svc returns there
    static constexpr uint32_t slow_irq = 1;     // a virtual interrupt may be pending
    static constexpr uint32_t slow_fill = 2;    // fill fill_address at the return to user mode
    static constexpr uint32_t slow_console = 4; // drain the console
    static constexpr uint32_t slow_stop = 8;    // the RTOS wants it stopped; with slow_irq

    // Interrupts set bits while the guest's context clears others.
    void set_slow(uint32_t bits) { __atomic_fetch_or(&slow, bits, __ATOMIC_RELAXED); }
    void clear_slow(uint32_t bits) { __atomic_fetch_and(&slow, ~bits, __ATOMIC_RELAXED); }
    bool is_slow(uint32_t bits) const { return (__atomic_load_n(&slow, __ATOMIC_RELAXED) & bits) != 0; }

    uint32_t read_shared(uint32_t offset) const {
        return *reinterpret_cast<const volatile uint32_t *>(reinterpret_cast<uintptr_t>(shared) + offset);
    }
    void write_shared(uint32_t offset, uint32_t value) {
        *reinterpret_cast<volatile uint32_t *>(reinterpret_cast<uintptr_t>(shared) + offset) = value;
    }
    bool irqs_open() const { return user_mode || read_shared(RTMUX_S_IRQ_OFF) == 0; }
};

// The offsets are those of the target's 32-bit pointers.
#if __SIZEOF_POINTER__ == 4
static_assert(offsetof(Vcpu, r) == V_R0 && offsetof(Vcpu, pc) == V_PC && offsetof(Vcpu, cpsr) == V_CPSR);
static_assert(offsetof(Vcpu, user_mode) == V_USER_MODE && offsetof(Vcpu, slow) == V_SLOW);
static_assert(offsetof(Vcpu, shared) == V_SHARED && offsetof(Vcpu, kernel_sp) == V_KERNEL_SP);
static_assert(offsetof(Vcpu, vector_svc) == V_VECTOR_SVC && offsetof(Vcpu, iret_pc) == V_IRET_PC);
static_assert(offsetof(Vcpu, host_sp) == V_HOST_SP && offsetof(Vcpu, scratch) == V_SCRATCH);
static_assert(offsetof(Vcpu, status) == V_STATUS && offsetof(Vcpu, address) == V_ADDRESS);
static_assert(offsetof(Vcpu, fast_svc) == V_FAST_SVC && offsetof(Vcpu, exits) == V_EXITS);
static_assert(Vcpu::slow_fill == V_SLOW_FILL);
#endif

extern "C" Vcpu vcpu;

} // namespace rtmux
