// SPDX-License-Identifier: BSD-3-Clause
// AM335x DMTIMER 2 to 7 (AM335x TRM, SPRUH73, chapter 20.1): an up-counter that
// interrupts when it overflows. DMTIMER 1 has another register layout.
#pragma once

#include "drivers/mmio.hpp"
#include "drivers/ticks.hpp"

namespace drivers {

template <class Bus> class Dmtimer {
  protected:
    enum class Reg32 : uint32_t {
        TIOCP_CFG = 0x10,
        IRQSTATUS = 0x28,
        IRQENABLE_SET = 0x2c,
        IRQENABLE_CLR = 0x30,
        TCLR = 0x38,
        TCRR = 0x3c,
        TLDR = 0x40,
        TSICR = 0x54,
    };
    using reg = Registers<Bus, Reg32>;

    static constexpr uint32_t softreset = 1u << 0; // TIOCP_CFG
    static constexpr uint32_t no_idle = 1u << 2;   // TIOCP_CFG: IDLEMODE 1
    static constexpr uint32_t ovf = 1u << 1;       // IRQ*: overflow
    static constexpr uint32_t st = 1u << 0;        // TCLR: start
    static constexpr uint32_t ar = 1u << 1;        // TCLR: reload from TLDR

    // Stopped, not posted: TCRR and TCLR writes stall until they have taken effect
    // (20.1.3.10), which saves a poll of TWPS before each.
    static void reset() {
        reg::write(Reg32::TIOCP_CFG, softreset);
        while (reg::read(Reg32::TIOCP_CFG) & softreset)
            ;
        reg::write(Reg32::TIOCP_CFG, no_idle);
        reg::write(Reg32::TSICR, 0);
        reg::write(Reg32::TCLR, 0);
    }
};

// A one-shot on the counter's own clock.
template <class Bus, uint32_t counter_hz, uint32_t timer_hz> class DmtimerOneShot : Dmtimer<Bus> {
    using typename Dmtimer<Bus>::Reg32;
    using typename Dmtimer<Bus>::reg;
    using Dmtimer<Bus>::ovf, Dmtimer<Bus>::st;

    // A start value of 0xffffffff may overflow unnoticed (20.1.3.2).
    static constexpr uint32_t shortest = 2;

  public:
    static void init() {
        Dmtimer<Bus>::reset();
        reg::write(Reg32::IRQSTATUS, ovf);
        reg::write(Reg32::IRQENABLE_SET, ovf);
    }

    // One interrupt, this many ticks of the RT counter from now (at least 2).
    // Replaces an earlier arm(): stopped first, or it could overflow in between.
    static void arm(uint32_t counter_ticks) {
        uint32_t ticks = to_timer_ticks<counter_hz, timer_hz>(counter_ticks);
        if (ticks < shortest)
            ticks = shortest;
        reg::write(Reg32::TCLR, 0);
        reg::write(Reg32::TCRR, 0u - ticks);
        reg::write(Reg32::TCLR, st);
    }

    static void disarm() {
        reg::write(Reg32::TCLR, 0);
        acknowledge();
    }

    // The read back makes sure that the write has passed the interconnect.
    static void acknowledge() {
        reg::write(Reg32::IRQSTATUS, ovf);
        static_cast<void>(reg::read(Reg32::IRQSTATUS));
    }
};

// An interrupt every second.
template <class Bus, uint32_t timer_hz> class DmtimerPeriodic : Dmtimer<Bus> {
    using typename Dmtimer<Bus>::Reg32;
    using typename Dmtimer<Bus>::reg;
    using Dmtimer<Bus>::ovf;

  public:
    static void start() {
        Dmtimer<Bus>::reset();
        reg::write(Reg32::TLDR, 0u - timer_hz);
        reg::write(Reg32::TCRR, 0u - timer_hz);
        reg::write(Reg32::IRQSTATUS, ovf);
        reg::write(Reg32::IRQENABLE_SET, ovf);
        reg::write(Reg32::TCLR, Dmtimer<Bus>::ar | Dmtimer<Bus>::st);
    }

    static void acknowledge() {
        reg::write(Reg32::IRQSTATUS, ovf);
        static_cast<void>(reg::read(Reg32::IRQSTATUS)); // as above
    }
};

// A free-running 32-bit counter.
template <class Bus> class DmtimerCounter : Dmtimer<Bus> {
    using typename Dmtimer<Bus>::Reg32;
    using typename Dmtimer<Bus>::reg;

  public:
    static void init() {
        Dmtimer<Bus>::reset();
        reg::write(Reg32::TLDR, 0);
        reg::write(Reg32::TCRR, 0);
        reg::write(Reg32::TCLR, Dmtimer<Bus>::ar | Dmtimer<Bus>::st);
    }

    static uint32_t read() { return reg::read(Reg32::TCRR); }
};

} // namespace drivers
