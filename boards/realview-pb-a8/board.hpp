// SPDX-License-Identifier: BSD-3-Clause
// The PB-A8's drivers under the names that executive and RTOS use.
#pragma once

#include "board.h"
#include "devices.hpp"
#include "drivers/gic.hpp"
#include "drivers/pl011.hpp"
#include "drivers/pl061.hpp"
#include "drivers/sp804.hpp"

namespace board {

template <uint32_t pa> using Mapped = drivers::Mmio<device_va(pa)>;

using InterruptController =
    drivers::Gic<Mapped<BOARD_GIC_CPU_BASE>, Mapped<BOARD_GIC_DIST_BASE>, BOARD_IRQ_LINES>;
using Uart = drivers::Pl011<Mapped<BOARD_UART_BASE>, BOARD_UART_HZ>;
using RtTimer = drivers::Sp804<Mapped<BOARD_RT_TIMER_BASE>, BOARD_COUNTER_HZ, BOARD_RT_TIMER_HZ>;
using RtUart = drivers::Pl011<Mapped<BOARD_RT_UART_BASE>, BOARD_RT_UART_HZ>;
using RtGpio = drivers::Pl061<Mapped<BOARD_RT_GPIO_BASE>>;

// The system registers (DUI0417D 4.3): the RT counter and the board's reset.
template <class Bus> class SystemRegisters {
    enum class Reg32 : uint32_t {
        SYS_LOCK = 0x20,
        SYS_RESETCTL = 0x40,
        SYS_24MHZ = BOARD_COUNTER_OFFSET,
    };
    using reg = drivers::Registers<Bus, Reg32>;
    static constexpr uint32_t unlock = 0xa05f;
    static constexpr uint32_t reset_level = 0x4;

  public:
    static void init() {} // the counter runs from power-on
    static uint32_t read() { return reg::read(Reg32::SYS_24MHZ); }
    static void reset() {
        reg::write(Reg32::SYS_LOCK, unlock);
        reg::write(Reg32::SYS_RESETCTL, 0);
        reg::write(Reg32::SYS_RESETCTL, reset_level);
    }
};
using Counter = SystemRegisters<Mapped<BOARD_SYSREG_BASE>>;

// Where the guest can read the RT clock
inline constexpr uint32_t guest_clock_pa = BOARD_SYSREG_BASE + BOARD_COUNTER_OFFSET;
static_assert(frame_access(BOARD_SYSREG_BASE) != FrameAccess::none);

// The SP810 system controller (Arm DDI 0254) that clocks timers 0 to 3.
template <class Bus> struct SystemController {
    enum class Reg32 : uint32_t { SCCTRL = 0x00 };
    using reg = drivers::Registers<Bus, Reg32>;

    // TimerEnnSel of all four timers: TIMCLK, 1 MHz, not REFCLK, 32 kHz. For the
    // guest's too, whose writes here are ignored.
    static void timers_at_1_mhz() {
        constexpr uint32_t timer_en_sel = 1u << 15 | 1u << 17 | 1u << 19 | 1u << 21;
        reg::write(Reg32::SCCTRL, reg::read(Reg32::SCCTRL) | timer_en_sel);
    }
};

// QEMU has no watchdog on this board.
struct Watchdog {
    static constexpr uint32_t line = UINT32_MAX;
    static void start() {}
    static void stop() {}
    static void interrupt() {}
};

// Clocks and pins, before any driver's init().
inline void init() {
    SystemController<Mapped<BOARD_SYSCTL_BASE>>::timers_at_1_mhz();
}

// Why the board started, for the log: nullptr, it cannot tell.
inline const char *reset_reason() {
    return nullptr;
}

[[noreturn]] inline void reset_board() {
    InterruptController::abandon();
    Counter::reset();
    for (;;)
        ;
}

} // namespace board
