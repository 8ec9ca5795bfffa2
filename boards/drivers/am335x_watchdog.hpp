// SPDX-License-Identifier: BSD-3-Clause
// AM335x WDT1 (AM335x TRM, SPRUH73, 20.4): an up-counter that resets the chip when it overflows.
#pragma once

#include "drivers/mmio.hpp"

namespace drivers {

// Its clock is nominally 32768 Hz; the chip's RC oscillator, where it comes from after reset, keeps half to
// twice that.
template <class Bus, uint32_t seconds> class Am335xWatchdog {
    enum class Reg32 : uint32_t {
        WDT_WCLR = 0x24, // prescaler
        WDT_WCRR = 0x28, // counter
        WDT_WLDR = 0x2c, // what a trigger, or an overflow, loads
        WDT_WTGR = 0x30, // trigger: any other value than the last
        WDT_WWPS = 0x34, // writes on their way to the slow clock's side
        WDT_WSPR = 0x48, // start and stop
    };
    using reg = Registers<Bus, Reg32>;

    static constexpr uint32_t hz = 32768;
    static_assert(seconds >= 2 && seconds <= UINT32_MAX / hz);
    static constexpr uint32_t w_pend_wtgr = 1u << 3; // WWPS
    static constexpr uint32_t w_pend = 0x1f;

    static void write(Reg32 r, uint32_t value) {
        reg::write(r, value);
        while (reg::read(Reg32::WDT_WWPS) & w_pend)
            ;
    }

  public:
    // Pairs of writes; alone, either has no effect (20.4.3.8).
    static void stop() {
        write(Reg32::WDT_WSPR, 0xaaaa);
        write(Reg32::WDT_WSPR, 0x5555);
    }

    // From now on feed() comes within that time, or the chip is reset. Whatever the boot loader left.
    static void start() {
        stop();
        write(Reg32::WDT_WCLR, 0); // no prescaler: counts at the clock's rate
        write(Reg32::WDT_WLDR, 0u - seconds * hz);
        write(Reg32::WDT_WCRR, 0u - seconds * hz);
        write(Reg32::WDT_WSPR, 0xbbbb);
        write(Reg32::WDT_WSPR, 0x4444);
    }

    // Never waits: a trigger still on its way is as good as another.
    static void feed() {
        if (!(reg::read(Reg32::WDT_WWPS) & w_pend_wtgr))
            reg::write(Reg32::WDT_WTGR, ~reg::read(Reg32::WDT_WTGR));
    }
};

} // namespace drivers
