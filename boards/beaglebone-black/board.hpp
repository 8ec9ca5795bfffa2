// SPDX-License-Identifier: BSD-3-Clause
// The BeagleBone Black's drivers under the names that executive and RTOS use.
#pragma once

#include "board.h"
#include "devices.hpp"
#include "drivers/am335x_gpio.hpp"
#include "drivers/dmtimer.hpp"
#include "drivers/intc.hpp"
#include "drivers/uart16550.hpp"
#include "prcm.hpp"

namespace board {

template <uint32_t pa> using Mapped = drivers::Mmio<device_va(pa)>;

using InterruptController = drivers::Intc<Mapped<BOARD_INTC_BASE>>;
using Uart = drivers::Uart16550<Mapped<BOARD_UART_BASE>, BOARD_UART_HZ>;
using EarlyUart = drivers::Uart16550<drivers::Mmio<BOARD_UART_BASE>, BOARD_UART_HZ>; // MMU off
using RtTimer = drivers::DmtimerOneShot<Mapped<BOARD_RT_TIMER_BASE>, BOARD_COUNTER_HZ, BOARD_RT_TIMER_HZ>;
using Counter = drivers::DmtimerCounter<Mapped<BOARD_COUNTER_BASE>>;
using RtUart = drivers::Uart16550<Mapped<BOARD_RT_UART_BASE>, BOARD_RT_UART_HZ>;
using RtGpio = drivers::Am335xGpio<Mapped<BOARD_RT_GPIO_BASE>>;
using Clocks = Prcm<Mapped<BOARD_PRCM_BASE>>;

// Where the guest can read the RT clock: nowhere, the timer is the RTOS's
inline constexpr uint32_t guest_clock_pa = 0;

// Clocks and watchdogs, before any driver's init().
inline void init() {
    Clocks::start_rt_timers();
    Clocks::start_rt_devices();
    Watchdog<Mapped<BOARD_WATCHDOG_BASE>>::stop();
}

[[noreturn]] inline void reset_board() {
    Clocks::reset();
    for (;;)
        ;
}

} // namespace board
