// SPDX-License-Identifier: BSD-3-Clause
// The devices of the BeagleBone Black and their owners. Lines are INTC inputs.
// Source: AM335x TRM (TI SPRUH73) 2.1 (memory map) and 6.3 (interrupts).
#pragma once

#include "board.h"
#include "device_table.hpp"
#include "quiet.hpp"

namespace board {

// clang-format off
inline constexpr Device devices[] = {
    {"wkup-m3-umem", 0x44d00000,            0x4000, Owner::nobody}, // program of a second processor
    {"wkup-m3-dmem", 0x44d80000,            0x2000, Owner::nobody}, // its data
    // PRCM: clocks and resets of all modules, the RTOS's included. What the guest
    // must write to run its devices is for the allow-list, when the board first runs.
    {"prcm",         BOARD_PRCM_BASE,       0x2000, Owner::guest_read_only},
    {"timer0",       0x44e05000,            0x1000, Owner::nobody, {66}}, // reserved by the ROM
    {"gpio0",        0x44e07000,            0x1000, Owner::guest, {96}, {}, quiet::am335x_gpio},
    {"uart0",        BOARD_UART_BASE,       0x1000, Owner::executive, {BOARD_UART_IRQ, BOARD_CONSOLE_IRQ}},
    {"i2c0",         0x44e0b000,            0x1000, Owner::nobody, {70}}, // PMIC: can cut the supply
    {"adc-tsc",      0x44e0d000,            0x2000, Owner::guest, {16}, {}, quiet::am335x_adc},
    // Control module: pin multiplexing, DDR and USB PHYs. As for the PRCM.
    {"control",      0x44e10000,           0x20000, Owner::guest_read_only},
    {"timer1",       0x44e31000,            0x1000, Owner::guest, {67}, {}, quiet::am335x_timer_1ms},
    {"wdt1",         BOARD_WATCHDOG_BASE,   0x1000, Owner::executive, {91}}, // resets the board
    {"rtc",          0x44e3e000,            0x1000, Owner::nobody, {75, 76}}, // can cut the supply
    {"usb",          0x47400000,            0x8000, Owner::nobody, {17, 18, 19}}, // bus master
    {"uart1",        0x48022000,            0x1000, Owner::guest, {73}, {}, quiet::am335x_uart},
    {"uart2",        0x48024000,            0x1000, Owner::guest, {74}, {}, quiet::am335x_uart},
    {"i2c1",         0x4802a000,            0x1000, Owner::guest, {71}, {}, quiet::am335x_i2c},
    {"spi0",         0x48030000,            0x1000, Owner::guest, {65}, {}, quiet::am335x_spi},
    {"timer2",       0x48040000,            0x1000, Owner::guest, {68}, {}, quiet::am335x_timer},
    {"timer3",       0x48042000,            0x1000, Owner::guest, {69}, {}, quiet::am335x_timer},
    {"timer4",       BOARD_RT_TIMER_BASE,   0x1000, Owner::rtos, {BOARD_RT_TIMER_IRQ}},
    {"timer5",       BOARD_COUNTER_BASE,    0x1000, Owner::rtos, {93}},
    {"timer6",       0x48048000,            0x1000, Owner::guest, {94}, {}, quiet::am335x_timer},
    {"timer7",       0x4804a000,            0x1000, Owner::guest, {95}, {}, quiet::am335x_timer},
    {"gpio1",        BOARD_RT_GPIO_BASE,    0x1000, Owner::rtos, {BOARD_RT_GPIO_IRQ}},
    {"mmc0",         0x48060000,            0x1000, Owner::guest, {64}, {}, quiet::am335x_mmc}, // no DMA without the EDMA
    {"mailbox",      0x480c8000,            0x1000, Owner::nobody, {77}}, // to the second processor
    {"i2c2",         0x4819c000,            0x1000, Owner::guest, {30}, {}, quiet::am335x_i2c},
    {"spi1",         0x481a0000,            0x1000, Owner::guest, {125}, {}, quiet::am335x_spi},
    {"uart3",        0x481a6000,            0x1000, Owner::guest, {44}, {}, quiet::am335x_uart},
    {"uart4",        BOARD_RT_UART_BASE,    0x1000, Owner::rtos, {BOARD_RT_UART_IRQ}},
    {"uart5",        0x481aa000,            0x1000, Owner::guest, {46}, {}, quiet::am335x_uart},
    {"gpio2",        0x481ac000,            0x1000, Owner::guest, {32}, {}, quiet::am335x_gpio},
    {"gpio3",        0x481ae000,            0x1000, Owner::guest, {62}, {}, quiet::am335x_gpio},
    {"can0",         0x481cc000,            0x2000, Owner::guest, {52}, {}, quiet::am335x_can},
    {"can1",         0x481d0000,            0x2000, Owner::guest, {55}, {}, quiet::am335x_can},
    {"mmc1",         0x481d8000,            0x1000, Owner::guest, {28}, {}, quiet::am335x_mmc},
    {"intc",         BOARD_INTC_BASE,       0x1000, Owner::executive},
    {"lcdc",         0x4830e000,            0x1000, Owner::nobody, {36}}, // bus master
    {"edma",         0x49000000,           0x10000, Owner::nobody, {12, 13, 14}}, // bus master
    {"edma-tptc0",   0x49800000,          0x100000, Owner::nobody, {112}}, // bus master
    {"edma-tptc1",   0x49900000,          0x100000, Owner::nobody, {113}}, // bus master
    {"edma-tptc2",   0x49a00000,          0x100000, Owner::nobody, {114}}, // bus master
    {"cpsw",         0x4a100000,            0x8000, Owner::nobody, {40, 41, 42, 43}}, // bus master
    {"pruss",        0x4a300000,           0x80000, Owner::nobody, // processors, bus masters
     {20, 21, 22, 23, 24, 25, 26, 27}},
    {"emif",         0x4c000000,         0x1000000, Owner::nobody, {101}}, // the memory itself
    {"gpmc",         0x50000000,            0x2000, Owner::nobody, {100}}, // maps buses anywhere
    {"gpu",          0x56000000,           0x10000, Owner::nobody, {37}}, // bus master
};
// clang-format on

} // namespace board

#include "device_queries.hpp"
