// SPDX-License-Identifier: BSD-3-Clause
// Arm SP804 dual timer, its first timer as a one-shot (Arm DDI 0271).
#pragma once

#include "drivers/mmio.hpp"
#include "drivers/ticks.hpp"

namespace drivers {

template <class Bus, uint32_t counter_hz, uint32_t timer_hz> class Sp804 {
    enum class Reg32 : uint32_t {
        TimerLoad = 0x00,
        TimerControl = 0x08,
        TimerIntClr = 0x0c,
    };
    using reg = Registers<Bus, Reg32>;

    static constexpr uint32_t one_shot = 1u << 0;
    static constexpr uint32_t size_32 = 1u << 1;
    static constexpr uint32_t int_enable = 1u << 5;
    static constexpr uint32_t timer_enable = 1u << 7;

  public:
    static void init() { disarm(); }

    // One interrupt, this many ticks of the RT counter from now or up to one
    // timer tick later. Replaces an earlier arm(). Load starts a running timer
    // anew, Control a stopped one, so both are written, in this order.
    static void arm(uint32_t counter_ticks) {
        reg::write(Reg32::TimerLoad, (to_timer_ticks<counter_hz, timer_hz>(counter_ticks)));
        reg::write(Reg32::TimerControl, timer_enable | int_enable | size_32 | one_shot);
    }

    static void disarm() {
        reg::write(Reg32::TimerControl, 0);
        reg::write(Reg32::TimerIntClr, 0);
    }

    static void acknowledge() { reg::write(Reg32::TimerIntClr, 0); }
};

} // namespace drivers
