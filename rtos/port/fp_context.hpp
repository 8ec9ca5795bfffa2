// SPDX-License-Identifier: BSD-3-Clause
// Lazy switching of the VFP and NEON registers between the RTOS's threads and the guest.
//
// The registers belong to one context, their owner. FPEXC.EN is set only while the owner runs, so
// the first FP instruction of another context traps, and fp_take gives it the registers. The idle
// thread's context is the guest's: while it is the owner FPEXC has the value that the executive
// gave it, with EN or without, and the guest's first trap arrives as rtmux_rtos_ops::fp_guest.
#pragma once

#include <stdint.h>

namespace rtos::port {

// Offsets in fp.S.
struct FpRegisters {
    uint64_t d[32] = {};
    uint32_t fpscr = 0;
};

struct FpContext {
    uint32_t fpexc = 0; // valid while this is the owner and not running
    FpRegisters registers;
};

inline constexpr uint32_t fpexc_en = 1u << 30;

// The compiler may not touch FP registers in the kernel (-mgeneral-regs-only), the assembler may.
inline uint32_t read_fpexc() {
    uint32_t v;
    asm volatile(".fpu neon\n\tvmrs %0, fpexc" : "=r"(v)::"memory");
    return v;
}
inline void write_fpexc(uint32_t v) {
    asm volatile(".fpu neon\n\tvmsr fpexc, %0" ::"r"(v) : "memory");
}

// A thread that is not running: its stack pointer, and its FP state.
struct Context {
    uint32_t *sp = nullptr;
    // What a switch from or to it has to do besides; mostly nothing. This bit, and the kernel's.
    uint32_t work = 0;
    FpContext fp;

    static constexpr uint32_t owns_fp = 1;
};

// All with IRQs masked.
inline void leave_fp(Context &owner) {
    owner.fp.fpexc = read_fpexc();
    write_fpexc(0);
}
inline void switch_fp(Context &from, const Context &to) {
    if (from.work & Context::owns_fp) {
        leave_fp(from);
    } else if (to.work & Context::owns_fp) {
        write_fpexc(to.fp.fpexc);
    }
}

// At the start: the registers are the guest's.
void fp_begin(Context &guest);
// c's registers are not needed any more.
void fp_abandon(Context &c);

// Copy the registers of c, the running context, and put the copy back: around a function that the context's
// own code did not call.
void fp_copy_out(const FpContext &c, FpRegisters &to);
void fp_copy_in(const FpRegisters &from, FpContext &c);

// Make c, the running context, the owner and enable the registers.
void fp_take(Context &c);

} // namespace rtos::port
