// SPDX-License-Identifier: BSD-3-Clause
// Arm PL061 GPIO: eight pins (Arm DDI 0190).
#pragma once

#include "drivers/mmio.hpp"

namespace drivers {

template <class Bus> class Pl061 {
    // Bits 9:2 of a data register's address are the mask of the pins that an access is about.
    static constexpr uint32_t gpiodata(uint32_t pin) { return 4u << pin; }
    static constexpr uint32_t gpiodir = 0x400;

  public:
    static constexpr uint32_t pins = 8;

    static void init() {}
    static void output(uint32_t pin) { Bus::write(gpiodir, Bus::read(gpiodir) | 1u << pin); }
    static void input(uint32_t pin) { Bus::write(gpiodir, Bus::read(gpiodir) & ~(1u << pin)); }
    static void set(uint32_t pin, bool high) { Bus::write(gpiodata(pin), high ? ~0u : 0); }
    static bool get(uint32_t pin) { return Bus::read(gpiodata(pin)) != 0; }
};

} // namespace drivers
