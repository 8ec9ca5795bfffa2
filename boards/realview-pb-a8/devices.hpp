// SPDX-License-Identifier: BSD-3-Clause
// The devices of the PB-A8 and their owners. Lines are GIC interrupt IDs.
// Source: Arm DUI0417D 4.2 and table 4-49 (interrupts).
#pragma once

#include "board.h"
#include "device_table.hpp"
#include "quiet.hpp"

namespace board {

inline constexpr const char *profile = nullptr; // one only: the guest has no bus master

// clang-format off
inline constexpr Device devices[] = {
    // SYSREG: reading is harmless; a write can reset the board, remap memory or
    // change clocks. The LEDs alone are the guest's.
    {"sysreg",   BOARD_SYSREG_BASE,    0x1000, Owner::guest_read_only, {},
     {{BOARD_SYSREG_BASE + 0x08, BOARD_SYSREG_BASE + 0x08}}},
    // SP810: selects the clock of the timers, the RTOS's included.
    {"sp810-0",  BOARD_SYSCTL_BASE,    0x1000, Owner::guest_read_only},
    {"i2c0",     0x10002000,           0x1000, Owner::guest},
    {"aaci",     0x10004000,           0x1000, Owner::guest, {51}, {}, quiet::pl041},
    {"mmc",      0x10005000,           0x1000, Owner::guest, {49, 50}, {}, quiet::pl180},
    {"kmi0",     0x10006000,           0x1000, Owner::guest, {52}, {}, quiet::pl050},
    {"kmi1",     0x10007000,           0x1000, Owner::guest, {53}, {}, quiet::pl050},
    {"uart0",    0x10009000,           0x1000, Owner::guest, {44}, {}, quiet::pl011},
    {"uart1",    BOARD_UART_BASE,      0x1000, Owner::executive, {BOARD_UART_IRQ, BOARD_CONSOLE_IRQ}},
    {"uart2",    0x1000b000,           0x1000, Owner::guest, {46}, {}, quiet::pl011},
    {"uart3",    BOARD_RT_UART_BASE,   0x1000, Owner::rtos, {BOARD_RT_UART_IRQ}},
    {"ssp",      0x1000d000,           0x1000, Owner::guest, {43}, {}, quiet::pl022},
    {"wdog0",    0x1000f000,           0x1000, Owner::nobody, {32}}, // resets the board
    {"wdog1",    0x10010000,           0x1000, Owner::nobody, {72}}, // resets the board
    {"timer01",  0x10011000,           0x1000, Owner::guest, {36}, {}, quiet::sp804},
    {"timer23",  BOARD_RT_TIMER_BASE,  0x1000, Owner::rtos, {BOARD_RT_TIMER_IRQ}},
    {"gpio0",    0x10013000,           0x1000, Owner::guest, {38}, {}, quiet::pl061},
    {"gpio1",    BOARD_RT_GPIO_BASE,   0x1000, Owner::rtos, {BOARD_RT_GPIO_IRQ}},
    {"gpio2",    0x10015000,           0x1000, Owner::guest, {40}, {}, quiet::pl061},
    {"i2c1",     0x10016000,           0x1000, Owner::guest},
    {"rtc",      0x10017000,           0x1000, Owner::guest, {42}, {}, quiet::pl031},
    {"timer45",  0x10018000,           0x1000, Owner::guest, {73}, {}, quiet::sp804},
    {"timer67",  0x10019000,           0x1000, Owner::guest, {74}, {}, quiet::sp804},
    {"sp810-1",  0x1001a000,           0x1000, Owner::guest_read_only}, // as sp810-0
    {"clcd",     0x10020000,           0x1000, Owner::nobody, {55}}, // bus master: reads all memory
    {"dma",      0x10030000,           0x1000, Owner::nobody, {56}}, // bus master: writes all memory
    {"gic-cpu",  BOARD_GIC_CPU_BASE,   0x1000, Owner::executive},
    {"gic-dist", BOARD_GIC_DIST_BASE,  0x1000, Owner::executive},
    {"flash0",   0x40000000,        0x4000000, Owner::nobody}, // what the board boots from
    {"flash1",   0x44000000,        0x4000000, Owner::nobody}, // what the board boots from
    {"ethernet", 0x4e000000,          0x10000, Owner::guest, {60}, {}, quiet::lan9118}, // LAN9118: programmed I/O only
    {"usb",      0x4f000000,          0x20000, Owner::nobody, {61}}, // not modelled, untested
};
// clang-format on

} // namespace board

#include "device_queries.hpp"
