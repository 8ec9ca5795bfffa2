// SPDX-License-Identifier: BSD-3-Clause
// AM335x GPIO module: 32 pins (AM335x TRM, SPRUH73, chapter 25).
#pragma once

#include "drivers/mmio.hpp"

namespace drivers {

template <class Bus> class Am335xGpio {
    enum class Reg32 : uint32_t {
        GPIO_CTRL = 0x130,
        GPIO_OE = 0x134, // 1: input
        GPIO_DATAIN = 0x138,
        GPIO_CLEARDATAOUT = 0x190,
        GPIO_SETDATAOUT = 0x194,
    };
    using reg = Registers<Bus, Reg32>;

  public:
    static constexpr uint32_t pins = 32;

    static void init() { reg::write(Reg32::GPIO_CTRL, 0); } // clocks not gated
    static void output(uint32_t pin) { reg::write(Reg32::GPIO_OE, reg::read(Reg32::GPIO_OE) & ~(1u << pin)); }
    static void input(uint32_t pin) { reg::write(Reg32::GPIO_OE, reg::read(Reg32::GPIO_OE) | 1u << pin); }
    static void set(uint32_t pin, bool high) {
        reg::write(high ? Reg32::GPIO_SETDATAOUT : Reg32::GPIO_CLEARDATAOUT, 1u << pin);
    }
    static bool get(uint32_t pin) { return reg::read(Reg32::GPIO_DATAIN) >> pin & 1; }
};

} // namespace drivers
