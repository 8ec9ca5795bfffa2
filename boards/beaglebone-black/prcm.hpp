// SPDX-License-Identifier: BSD-3-Clause
// What RTMux needs of the AM335x besides its devices: clocks, and the chip's reset (AM335x TRM,
// SPRUH73, 8.1.12).
#pragma once

#include "device_table.hpp"
#include "drivers/mmio.hpp"

namespace board {

template <class Bus> class Prcm {
    enum class Reg32 : uint32_t {
        PRM_RSTCTRL = 0xf00,
        PRM_RSTST = 0xf08,
    };
    using reg = drivers::Registers<Bus, Reg32>;

    static constexpr uint32_t rst_global_cold_sw = 1u << 1;

    // CM_*_CLKCTRL
    static constexpr uint32_t modulemode_enable = 2;
    static constexpr uint32_t idlest = 3u << 16; // 0: functional

  public:
    // A module whose clock control is at this offset is accessible afterwards.
    static void enable_clock(uint32_t clkctrl) {
        Bus::write(clkctrl, modulemode_enable);
        while (Bus::read(clkctrl) & idlest)
            ;
    }

    // Why the chip was reset last: bits of PRM_RSTST. Forgets it, so that the next reset tells its own.
    static uint32_t take_reset_reason() {
        const uint32_t reasons = reg::read(Reg32::PRM_RSTST);
        reg::write(Reg32::PRM_RSTST, reasons);
        return reasons;
    }

    static void reset() { reg::write(Reg32::PRM_RSTCTRL, rst_global_cold_sw); }
};

// Names of PRM_RSTST's bits (table 8-215), most telling first: a reset may set more than one.
constexpr const char *describe_reset(uint32_t rstst) {
    return rstst & 1u << 4   ? "the watchdog"
           : rstst & 1u << 5 ? "the reset pin"
           : rstst & 1u << 9 ? "the debugger"
           : rstst & 1u << 1 ? "software, warm"
           : rstst & 1u << 0 ? "power-on, or software, cold"
                             : "unknown";
}

} // namespace board
