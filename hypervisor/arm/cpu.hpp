// SPDX-License-Identifier: GPL-2.0-only
//
// The few instructions C++ has no name for. Arm ARM DDI0406C, sections in brackets.
#ifndef RTMUX_CPU_HPP
#define RTMUX_CPU_HPP

#include <cstdint>

namespace rtmux::cpu {

constexpr uint32_t cpsr_i = 0x80; // [B1.3.3]

inline void irq_off() {
    asm volatile("cpsid i" ::: "memory");
}
inline void irq_on() {
    asm volatile("cpsie i" ::: "memory");
}

inline uint32_t irq_save() {
    uint32_t cpsr;
    asm volatile("mrs %0, cpsr\n\tcpsid i" : "=r"(cpsr)::"memory");
    return cpsr;
}
// Not MSR: what CPSIE does can be seen from the instruction alone (tests/bench/plugin).
inline void irq_restore(uint32_t cpsr) {
    if (!(cpsr & cpsr_i))
        irq_on();
}

// IRQs masked for a scope, whatever they were before.
class IrqMask {
  public:
    IrqMask() : saved(irq_save()) {}
    ~IrqMask() { irq_restore(saved); }
    IrqMask(const IrqMask &) = delete;
    IrqMask &operator=(const IrqMask &) = delete;

  private:
    uint32_t saved;
};

inline void isb() {
    asm volatile("isb" ::: "memory");
}
inline void dsb() {
    asm volatile("dsb" ::: "memory");
}
// Waits for an interrupt, masked or not [B1.8.14]; completes memory accesses first.
inline void wfi() {
    asm volatile("dsb\n\twfi" ::: "memory");
}

// Counts at the next ISB or exception return.
inline void set_dacr(uint32_t value) {
    asm volatile("mcr p15, 0, %0, c3, c0, 0" ::"r"(value) : "memory");
}
inline void set_tpidruro(uint32_t value) {
    asm volatile("mcr p15, 0, %0, c13, c0, 3" ::"r"(value));
}

// [B4.2.1] instruction cache and branch predictor, all of them
inline void icache_invalidate_all() {
    asm volatile("mcr p15, 0, %0, c7, c5, 0\n\tmcr p15, 0, %0, c7, c5, 6\n\tdsb\n\tisb" ::"r"(0) : "memory");
}
inline void branch_predictor_invalidate_all() {
    asm volatile("mcr p15, 0, %0, c7, c5, 6\n\tisb" ::"r"(0) : "memory");
}

inline uint32_t fpexc() {
    uint32_t value;
    asm volatile(".fpu neon\n\tvmrs %0, fpexc" : "=r"(value));
    return value;
}
inline void set_fpexc(uint32_t value) {
    asm volatile(".fpu neon\n\tvmsr fpexc, %0" ::"r"(value) : "memory");
}
constexpr uint32_t fpexc_en = 1u << 30;

} // namespace rtmux::cpu

#endif
