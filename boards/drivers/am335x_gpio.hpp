// SPDX-License-Identifier: BSD-3-Clause
// AM335x GPIO module: 32 pins (AM335x TRM, SPRUH73, chapter 25).
#pragma once

#include "drivers/mmio.hpp"

namespace drivers {

template <class Bus> class Am335xGpio {
    enum class Reg32 : uint32_t {
        GPIO_IRQSTATUS_0 = 0x2c,
        GPIO_IRQSTATUS_SET_0 = 0x34,
        GPIO_IRQSTATUS_CLR_0 = 0x3c,
        GPIO_CTRL = 0x130,
        GPIO_OE = 0x134, // 1: input
        GPIO_DATAIN = 0x138,
        GPIO_LEVELDETECT0 = 0x140, // low
        GPIO_LEVELDETECT1 = 0x144, // high
        GPIO_RISINGDETECT = 0x148,
        GPIO_FALLINGDETECT = 0x14c,
        GPIO_CLEARDATAOUT = 0x190,
        GPIO_SETDATAOUT = 0x194,
    };
    using reg = Registers<Bus, Reg32>;

    static void change(Reg32 r, uint32_t pin, bool on) {
        uint32_t others = reg::read(r) & ~(1u << pin);
        reg::write(r, others | uint32_t{on} << pin);
    }

  public:
    static constexpr uint32_t pins = 32;
    enum class Trigger { rising, falling, both, low, high };

    static void init() { reg::write(Reg32::GPIO_CTRL, 0); } // clocks not gated
    static void output(uint32_t pin) { reg::write(Reg32::GPIO_OE, reg::read(Reg32::GPIO_OE) & ~(1u << pin)); }
    static void input(uint32_t pin) { reg::write(Reg32::GPIO_OE, reg::read(Reg32::GPIO_OE) | 1u << pin); }
    static void set(uint32_t pin, bool high) {
        reg::write(high ? Reg32::GPIO_SETDATAOUT : Reg32::GPIO_CLEARDATAOUT, 1u << pin);
    }
    static bool get(uint32_t pin) { return reg::read(Reg32::GPIO_DATAIN) >> pin & 1; }

    // Interrupts of a pin on the module's first line. What was pending of it is forgotten, for it may be
    // another trigger's; a level that holds comes again. Like output() and input(), not against itself: the
    // module's registers are of all its pins, so the caller keeps others out.
    static void enable_interrupt(uint32_t pin, Trigger trigger) {
        disable_interrupt(pin);
        bool both = trigger == Trigger::both;
        change(Reg32::GPIO_LEVELDETECT0, pin, trigger == Trigger::low);
        change(Reg32::GPIO_LEVELDETECT1, pin, trigger == Trigger::high);
        change(Reg32::GPIO_RISINGDETECT, pin, both || trigger == Trigger::rising);
        change(Reg32::GPIO_FALLINGDETECT, pin, both || trigger == Trigger::falling);
        acknowledge(1u << pin);
        reg::write(Reg32::GPIO_IRQSTATUS_SET_0, 1u << pin);
    }
    static void disable_interrupt(uint32_t pin) { reg::write(Reg32::GPIO_IRQSTATUS_CLR_0, 1u << pin); }

    // Pins, as bits, that are enabled and pending.
    static uint32_t pending() { return reg::read(Reg32::GPIO_IRQSTATUS_0); }
    // The read back makes sure that the write has passed the interconnect.
    static void acknowledge(uint32_t bits) {
        reg::write(Reg32::GPIO_IRQSTATUS_0, bits);
        static_cast<void>(reg::read(Reg32::GPIO_IRQSTATUS_0));
    }
};

} // namespace drivers
