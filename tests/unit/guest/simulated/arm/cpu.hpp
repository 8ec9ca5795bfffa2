// SPDX-License-Identifier: GPL-2.0-only
//
// hypervisor/arm/cpu.hpp on the host: the processor's state as words that a test can look at. Where
// interrupts can come, one may: the test says which.
#ifndef RTMUX_CPU_HPP
#define RTMUX_CPU_HPP

#include <cstdint>

namespace rtmux::cpu {

constexpr uint32_t cpsr_i = 0x80;
constexpr uint32_t fpexc_en = 1u << 30;

struct Simulated {
    bool masked;
    uint32_t dacr, tpidruro, fpexc;
    void (*interrupts_open)(); // IRQs were masked, and are not any more
    void (*wait)();            // WFI
};
extern Simulated simulated;

inline void irq_off() {
    simulated.masked = true;
}
inline void irq_on() {
    const bool opened = simulated.masked;
    simulated.masked = false;
    if (opened)
        simulated.interrupts_open();
}
inline uint32_t irq_save() {
    const uint32_t cpsr = simulated.masked ? cpsr_i : 0;
    irq_off();
    return cpsr;
}
inline void irq_restore(uint32_t cpsr) {
    if (!(cpsr & cpsr_i))
        irq_on();
}

class IrqMask {
  public:
    IrqMask() : saved(irq_save()) {}
    ~IrqMask() { irq_restore(saved); }
    IrqMask(const IrqMask &) = delete;
    IrqMask &operator=(const IrqMask &) = delete;

  private:
    uint32_t saved;
};

inline void isb() {}
inline void dsb() {}
inline void wfi() {
    simulated.wait();
}
inline void set_dacr(uint32_t value) {
    simulated.dacr = value;
}
inline void set_tpidruro(uint32_t value) {
    simulated.tpidruro = value;
}
inline void icache_invalidate_all() {}
inline void branch_predictor_invalidate_all() {}
inline uint32_t fpexc() {
    return simulated.fpexc;
}
inline void set_fpexc(uint32_t value) {
    simulated.fpexc = value;
}

} // namespace rtmux::cpu

#endif
