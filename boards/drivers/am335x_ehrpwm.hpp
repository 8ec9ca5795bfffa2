// SPDX-License-Identifier: BSD-3-Clause
// AM335x EHRPWM: two outputs of one period (AM335x TRM, SPRUH73, chapter 15.2). Its registers are halfwords:
// Mmio16 at the subsystem's base + 0x200. Its clock in the PRCM and its bit in the control module's
// pwmss_ctrl are the executive's to turn on.
#pragma once

#include "drivers/mmio.hpp"

namespace drivers {

template <class Bus, uint32_t clock_hz> class Am335xEhrpwm {
    enum class Reg16 : uint32_t {
        TBCTL = 0x00,
        TBCNT = 0x08,
        TBPRD = 0x0a,
        CMPCTL = 0x0e,
        CMPA = 0x12,
        CMPB = 0x14,
        AQCTLA = 0x16,
        AQCTLB = 0x18,
        AQSFRC = 0x1a,
        AQCSFRC = 0x1c,
    };
    using reg = Registers<Bus, Reg16>;

    static constexpr uint32_t freeze = 3;          // TBCTL: CTRMODE; 0 counts up
    static constexpr uint32_t immediate = 1u << 3; // TBCTL: PRDLD; 0 loads TBPRD at counter zero
    static constexpr uint32_t no_sync = 3u << 4;   // TBCTL: SYNCOSEL
    static constexpr uint32_t free_run = 2u << 14; // TBCTL: a debugger does not stop the motors
    static constexpr uint32_t clkdiv_shift = 10;   // TBCTL: 2^CLKDIV, with HSPCLKDIV 0: 1
    static constexpr uint32_t largest_clkdiv = 7;
    static constexpr uint32_t force_now = 3u << 6;   // AQSFRC: RLDCSF; 0 loads AQCSFRC at counter zero
    static constexpr uint32_t both_low = 1 | 1 << 2; // AQCSFRC
    // High from zero to the comparison. Where both are at zero the comparison wins, so 0 is
    // never high; and one past the period never comes, so that is always high.
    static constexpr uint32_t high_until_a = 2 | 1 << 4, high_until_b = 2 | 1 << 8; // AQCTLA, AQCTLB

    static uint32_t ticks(uint32_t ns) {
        return static_cast<uint32_t>(uint64_t{ns} * clock_hz / 1'000'000'000);
    }
    static uint32_t control(uint32_t clkdiv) { return free_run | no_sync | clkdiv << clkdiv_shift; }

  public:
    static constexpr uint32_t channels = 2; // 0: output A, 1: output B
    enum class Status { ok, no_channel, period, pulse, shared_period };

    // Both outputs low. One instance per module, because its channels share a period.
    void init() {
        reg::write(Reg16::TBCTL, control(0) | immediate | freeze);
        reg::write(Reg16::AQSFRC, force_now);
        reg::write(Reg16::AQCSFRC, both_low);
        reg::write(Reg16::AQSFRC, 0);
        reg::write(Reg16::CMPCTL, 0); // CMPA and CMPB: from counter zero on
        reg::write(Reg16::AQCTLA, high_until_a);
        reg::write(Reg16::AQCTLB, high_until_b);
        period_ = 0;
        enabled_ = 0;
    }

    // Nanoseconds, rounded down to the clock that the period needs (20 ms: 320 ns at 100 MHz); from the next
    // period on. `shared_period`: the other output is on with another one. A change of period restarts it.
    // Nothing is changed by an error.
    [[nodiscard]] Status set(uint32_t channel, uint32_t period_ns, uint32_t pulse_ns) {
        if (channel >= channels)
            return Status::no_channel;
        if (pulse_ns > period_ns)
            return Status::pulse;
        uint32_t clkdiv = 0;
        while (clkdiv <= largest_clkdiv && ticks(period_ns) >> clkdiv > 0x10000)
            ++clkdiv;
        uint32_t period = clkdiv <= largest_clkdiv ? ticks(period_ns) >> clkdiv : 0;
        if (period < 2)
            return Status::period;
        // 100 % is a comparison one past TBPRD, which 65,536 ticks leave no room for.
        if (period == 0x10000)
            --period;
        bool restart = period_ns != period_;
        if (restart && enabled_ & ~(1u << channel))
            return Status::shared_period;

        uint32_t pulse = pulse_ns == period_ns ? period : ticks(pulse_ns) >> clkdiv;
        if (restart)
            reg::write(Reg16::TBCTL, control(clkdiv) | immediate | freeze);
        reg::write(channel == 0 ? Reg16::CMPA : Reg16::CMPB, pulse);
        if (restart) {
            reg::write(Reg16::TBPRD, period - 1);
            // To the period's end, so that the next count is zero, which loads the comparison.
            reg::write(Reg16::TBCNT, period - 1);
            reg::write(Reg16::TBCTL, control(clkdiv));
            period_ = period_ns;
        }
        return Status::ok;
    }

    // From the next period on, so no pulse is cut. `period`: set() comes first.
    [[nodiscard]] Status enable(uint32_t channel, bool on) {
        if (channel >= channels)
            return Status::no_channel;
        if (on && period_ == 0)
            return Status::period;
        enabled_ = on ? enabled_ | 1u << channel : enabled_ & ~(1u << channel);
        reg::write(Reg16::AQCSFRC, (enabled_ & 1 ? 0 : both_low & 3) | (enabled_ & 2 ? 0 : both_low & 0xc));
        return Status::ok;
    }

  private:
    uint32_t period_ = 0;  // ns; 0: not set
    uint32_t enabled_ = 0; // channels, as bits
};

} // namespace drivers
