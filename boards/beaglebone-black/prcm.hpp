// SPDX-License-Identifier: BSD-3-Clause
// What RTMux needs of the AM335x besides its devices: clocks, the chip's reset,
// the watchdog (AM335x TRM, SPRUH73, chapters 8.1.12 and 20.4).
#pragma once

#include "drivers/mmio.hpp"

namespace board {

template <class Bus> class Prcm {
    enum class Reg32 : uint32_t {
        CM_PER_UART4_CLKCTRL = 0x078,
        CM_PER_TIMER4_CLKCTRL = 0x088,
        CM_PER_GPIO1_CLKCTRL = 0x0ac,
        CM_PER_TIMER5_CLKCTRL = 0x0ec,
        CM_WKUP_WDT1_CLKCTRL = 0x4d4,
        CLKSEL_TIMER4_CLK = 0x510,
        CLKSEL_TIMER5_CLK = 0x518,
        PRM_RSTCTRL = 0xf00,
    };
    using reg = drivers::Registers<Bus, Reg32>;

    static constexpr uint32_t clk_m_osc = 1;     // CLKSEL: the 24 MHz crystal
    static constexpr uint32_t enable = 2;        // MODULEMODE
    static constexpr uint32_t idlest = 3u << 16; // 0: functional
    static constexpr uint32_t rst_global_cold_sw = 1u << 1;

    static void start(Reg32 clkctrl) {
        reg::write(clkctrl, enable);
        while (reg::read(clkctrl) & idlest)
            ;
    }

  public:
    static void start_rt_timers() {
        reg::write(Reg32::CLKSEL_TIMER4_CLK, clk_m_osc); // before the module runs
        reg::write(Reg32::CLKSEL_TIMER5_CLK, clk_m_osc);
        start(Reg32::CM_PER_TIMER4_CLKCTRL);
        start(Reg32::CM_PER_TIMER5_CLKCTRL);
        start(Reg32::CM_WKUP_WDT1_CLKCTRL); // to be able to stop it
    }

    static void start_rt_devices() {
        start(Reg32::CM_PER_UART4_CLKCTRL);
        start(Reg32::CM_PER_GPIO1_CLKCTRL);
    }

    static void reset() { reg::write(Reg32::PRM_RSTCTRL, rst_global_cold_sw); }
};

template <class Bus> class Watchdog {
    enum class Reg32 : uint32_t {
        WDT_WWPS = 0x34,
        WDT_WSPR = 0x48,
    };
    using reg = drivers::Registers<Bus, Reg32>;

    static void write_start_stop(uint32_t value) {
        reg::write(Reg32::WDT_WSPR, value);
        while (reg::read(Reg32::WDT_WWPS) & 1u << 4) // W_PEND_WSPR
            ;
    }

  public:
    // The documented pair of writes; alone, either has no effect (20.4.3.8).
    static void stop() {
        write_start_stop(0xaaaa);
        write_start_stop(0x5555);
    }
};

} // namespace board
