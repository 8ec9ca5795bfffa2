// SPDX-License-Identifier: BSD-3-Clause
// The BeagleBone Black's drivers under the names that executive and RTOS use.
#pragma once

#include "board.h"
#include "devices.hpp"
#include "drivers/am335x_gpio.hpp"
#include "drivers/am335x_watchdog.hpp"
#include "drivers/dmtimer.hpp"
#include "drivers/intc.hpp"
#include "drivers/uart16550.hpp"
#include "prcm.hpp"

namespace board {

template <uint32_t pa> using Mapped = drivers::Mmio<device_va(pa)>;

using InterruptController = drivers::Intc<Mapped<BOARD_INTC_BASE>>;
using Uart = drivers::Uart16550<Mapped<BOARD_UART_BASE>, BOARD_UART_HZ>;
using RtTimer = drivers::DmtimerOneShot<Mapped<BOARD_RT_TIMER_BASE>, BOARD_COUNTER_HZ, BOARD_RT_TIMER_HZ>;
using Counter = drivers::DmtimerCounter<Mapped<BOARD_COUNTER_BASE>>;
using RtUart = drivers::Uart16550<Mapped<BOARD_RT_UART_BASE>, BOARD_RT_UART_HZ>;
using RtGpio = drivers::Am335xGpio<Mapped<BOARD_RT_GPIO_BASE>>;
using Clocks = Prcm<Mapped<BOARD_PRCM_BASE>>;

// Where the guest can read the RT clock: nowhere, the timer is the RTOS's
inline constexpr uint32_t guest_clock_pa = 0;

// Fed by an interrupt of its own timer every second, which comes as long as the executive takes interrupts.
struct Watchdog {
    static constexpr uint32_t line = BOARD_WATCHDOG_IRQ;
    using Timer = drivers::DmtimerPeriodic<Mapped<BOARD_WATCHDOG_TIMER_BASE>, BOARD_COUNTER_HZ>;
    using Device = drivers::Am335xWatchdog<Mapped<BOARD_WATCHDOG_BASE>, BOARD_WATCHDOG_SECONDS>;

    static void start() {
        Device::start();
        Timer::start();
    }
    static void stop() { Device::stop(); }
    static void interrupt() {
        Device::feed();
        Timer::acknowledge();
    }
};

// Clocks and pins, before any driver's init().
inline void init() {
    device_map::for_each_start([](const Control &control) {
        if (control.start == Control::Start::enable_clock)
            Clocks::enable_clock(control.first - BOARD_PRCM_BASE);
        else
            *reinterpret_cast<volatile uint32_t *>(uintptr_t{device_va(control.first)}) = control.value;
    });
}

// Why the board started, for the log; once.
inline const char *reset_reason() {
    return describe_reset(Clocks::take_reset_reason());
}

[[noreturn]] inline void reset_board() {
    Clocks::reset();
    for (;;)
        ;
}

} // namespace board
