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
inline void write_fpexc(uint32_t v) { asm volatile(".fpu neon\n\tvmsr fpexc, %0" ::"r"(v) : "memory"); }

extern FpContext *fp_owner;

// All with IRQs masked.
inline void fp_switch(FpContext &from, const FpContext &to) {
    if (&from == fp_owner) {
        from.fpexc = read_fpexc();
        write_fpexc(0);
    } else if (&to == fp_owner) {
        write_fpexc(to.fpexc);
    }
}

inline void fp_abandon(const FpContext &c) {
    write_fpexc(0);
    if (fp_owner == &c)
        fp_owner = nullptr;
}

// Make c, the running context, the owner and enable the registers.
void fp_take(FpContext &c);

// An ARM or Thumb instruction of coprocessors 10 and 11 or of Advanced SIMD (Arm ARM A5.1, A6.3,
// A7.4 to A7.7). first and second: the halfwords of a Thumb instruction, in order.
constexpr bool is_fp_arm(uint32_t op) {
    return ((op & 0x0c000e00) == 0x0c000a00 && (op & 0x0f000000) != 0x0f000000) || // VFP, transfers
           (op & 0xfe000000) == 0xf2000000 ||                                      // data processing
           (op & 0xff100000) == 0xf4000000;                                        // structure loads, stores
}
constexpr bool is_fp_thumb(uint16_t first, uint16_t second) {
    return ((first & 0xec00) == 0xec00 && (second & 0x0e00) == 0x0a00) || (first & 0xef00) == 0xef00 ||
           (first & 0xff10) == 0xf900;
}

} // namespace rtos::port
