// SPDX-License-Identifier: BSD-3-Clause
// The devices of the BeagleBone Black: pages, owner, interrupts (inputs of the INTC), clocks and pins.
// Source: AM335x TRM (TI SPRUH73) 2.1 (memory map), 6.3 (interrupts), 8.1.12 (clocks), 9.3.1 (pins).
#pragma once

#include "board.h"
#include "device_table.hpp"
#include "quiet.hpp"

namespace board {

// A CM_*_CLKCTRL register, and what chooses a module's clock, CLKSEL_*: 1 is the 24 MHz crystal.
constexpr Control clock(uint32_t offset) {
    return {BOARD_PRCM_BASE + offset, BOARD_PRCM_BASE + offset, Control::Start::enable_clock};
}
constexpr Control source(uint32_t offset, uint32_t value = 1) {
    return {BOARD_PRCM_BASE + offset, BOARD_PRCM_BASE + offset, Control::Start::write, value};
}

// conf_* registers, and what a pin of the executive's or the RTOS's is set to: the multiplexer's mode with
constexpr uint32_t pull_off = 1u << 3, pull_up = 1u << 4, input = 1u << 5;
constexpr Control pins(uint32_t first, uint32_t last) {
    return {BOARD_CONTROL_BASE + first, BOARD_CONTROL_BASE + last};
}
constexpr Control pin(uint32_t offset, uint32_t value) {
    return {BOARD_CONTROL_BASE + offset, BOARD_CONTROL_BASE + offset, Control::Start::write, value};
}
constexpr Control configuration(uint32_t first, uint32_t last) { // any other of the control module
    return pins(first, last);
}

// A bus master reads and writes all memory, RTMux's included. Profile "strict" gives the guest none.
// Those without a driver in our kernel it never has.
#ifdef RTMUX_OPEN
inline constexpr const char *profile = "open: the guest's DMA can reach all memory";
inline constexpr Owner bus_master = Owner::guest;
#else
inline constexpr const char *profile = "strict: the guest has no DMA";
inline constexpr Owner bus_master = Owner::nobody;
#endif

constexpr Quiet if_master(const Quiet &quiet) {
    return bus_master == Owner::guest ? quiet : Quiet{};
}

// clang-format off
inline constexpr Device devices[] = {
    {"ocmc",         0x40300000,           0x10000, Owner::nobody, {}, {clock(0x02c)}}, // RAM on the chip
    {"wkup-m3-umem", 0x44d00000,            0x4000, Owner::nobody, {}, {clock(0x4b0)}}, // second processor
    {"wkup-m3-dmem", 0x44d80000,            0x2000, Owner::nobody, {78}}, // and data
    // Of the PRCM the guest writes its own devices' clocks. PLLs, domains and resets are nobody's.
    {"prcm",         BOARD_PRCM_BASE,       0x2000, Owner::guest_read_only},
    {"timer0",       0x44e05000,            0x1000, Owner::nobody, {66}, {clock(0x410)}}, // the ROM's
    {"gpio0",        0x44e07000,            0x1000, Owner::guest, {96}, {clock(0x408), source(0x53c)},
     quiet::am335x_gpio},
    {"uart0",        BOARD_UART_BASE,       0x1000, Owner::executive, {BOARD_UART_IRQ, BOARD_CONSOLE_IRQ},
     {clock(0x4b4), pin(0x970, 0 | pull_up | input), pin(0x974, 0)}},
    {"i2c0",         0x44e0b000,            0x1000, Owner::nobody, {70}, // PMIC: can cut the supply
     {clock(0x4b8), pins(0x988, 0x98c)}},
    {"adc-tsc",      0x44e0d000,            0x2000, Owner::guest, {16}, {clock(0x4bc)}, quiet::am335x_adc},
    // Of the control module the guest writes the pins that no device here has.
    {"control",      BOARD_CONTROL_BASE,   0x20000, Owner::guest_read_only, {}, {pins(0x800, 0xa34)}},
    {"timer1",       0x44e31000,            0x1000, Owner::guest, {67}, {clock(0x4c4), source(0x528)},
     quiet::am335x_timer_1ms},
    {"wdt1",         BOARD_WATCHDOG_BASE,   0x1000, Owner::executive, {91}, {clock(0x4d4)}}, // a reset
    {"rtc",          0x44e3e000,            0x1000, Owner::nobody, {75, 76}, {clock(0x800)}}, // can cut power
    {"usb",          0x47400000,            0x8000, Owner::nobody, {17, 18, 19}, {clock(0x01c)}}, // master
    {"uart1",        0x48022000,            0x1000, Owner::guest, {73}, {clock(0x06c), pins(0x980, 0x984)},
     quiet::am335x_uart},
    {"uart2",        0x48024000,            0x1000, Owner::guest, {74}, {clock(0x070)}, quiet::am335x_uart},
    {"i2c1",         0x4802a000,            0x1000, Owner::guest, {71}, {clock(0x048)}, quiet::am335x_i2c},
    {"spi0",         0x48030000,            0x1000, Owner::guest, {65}, {clock(0x04c)}, quiet::am335x_spi},
    {"timer2",       0x48040000,            0x1000, Owner::guest, {68}, {clock(0x080), source(0x508)},
     quiet::am335x_timer},
    {"timer3",       0x48042000,            0x1000, Owner::guest, {69}, {clock(0x084), source(0x50c)},
     quiet::am335x_timer},
    {"timer4",       BOARD_RT_TIMER_BASE,   0x1000, Owner::rtos, {BOARD_RT_TIMER_IRQ},
     {source(0x510), clock(0x088)}},
    {"timer5",       BOARD_COUNTER_BASE,    0x1000, Owner::rtos, {93}, {source(0x518), clock(0x0ec)}},
    {"timer6",       BOARD_WATCHDOG_TIMER_BASE, 0x1000, Owner::executive, {BOARD_WATCHDOG_IRQ},
     {source(0x51c), clock(0x0f0)}},
    {"timer7",       0x4804a000,            0x1000, Owner::guest, {95}, {clock(0x07c), source(0x504)},
     quiet::am335x_timer},
    {"gpio1",        BOARD_RT_GPIO_BASE,    0x1000, Owner::rtos, {BOARD_RT_GPIO_IRQ},
     { // USR0 to USR3, and all banks' debounce clock
      clock(0x0ac), clock(0x14c), pin(0x854, 7 | pull_off), pin(0x858, 7 | pull_off), pin(0x85c, 7 | pull_off),
      pin(0x860, 7 | pull_off)}},
    {"mmc0",         0x48060000,            0x1000, Owner::guest, {64}, // SD card; no DMA without EDMA
     {clock(0x03c), pins(0x8f0, 0x904), pins(0x960, 0x960)}, quiet::am335x_mmc},
    {"mailbox",      0x480c8000,            0x1000, Owner::nobody, {77}, {clock(0x110)}}, // to the second
    {"i2c2",         0x4819c000,            0x1000, Owner::guest, {30}, {clock(0x044), pins(0x978, 0x97c)},
     quiet::am335x_i2c},
    {"spi1",         0x481a0000,            0x1000, Owner::guest, {125}, {clock(0x050)}, quiet::am335x_spi},
    {"uart3",        0x481a6000,            0x1000, Owner::guest, {44}, {clock(0x074)}, quiet::am335x_uart},
    {"uart4",        BOARD_RT_UART_BASE,    0x1000, Owner::rtos, {BOARD_RT_UART_IRQ}, // P9.11 in, P9.13 out
     {clock(0x078), pin(0x870, 6 | pull_up | input), pin(0x874, 6)}},
    {"uart5",        0x481aa000,            0x1000, Owner::guest, {46}, {clock(0x038)}, quiet::am335x_uart},
    {"gpio2",        0x481ac000,            0x1000, Owner::guest, {32}, {clock(0x0b0)}, quiet::am335x_gpio},
    {"gpio3",        0x481ae000,            0x1000, Owner::guest, {62}, {clock(0x0b4)}, quiet::am335x_gpio},
    {"can0",         0x481cc000,            0x2000, Owner::guest, {52}, {clock(0x0c0)}, quiet::am335x_can},
    {"can1",         0x481d0000,            0x2000, Owner::guest, {55}, {clock(0x0c4)}, quiet::am335x_can},
    {"mmc1",         0x481d8000,            0x1000, Owner::guest, {28}, // the eMMC
     {clock(0x0f4), pins(0x800, 0x81c), pins(0x880, 0x884)}, quiet::am335x_mmc},
    {"intc",         BOARD_INTC_BASE,       0x1000, Owner::executive},
    {"lcdc",         0x4830e000,            0x1000, Owner::nobody, {36}, {clock(0x018)}}, // bus master
    {"edma",         0x49000000,           0x10000, bus_master, {12, 13, 14},
     {clock(0x0bc), configuration(0xf90, 0xfcc)}, if_master(quiet::am335x_edma)},
    {"edma-tptc0",   0x49800000,          0x100000, bus_master, {112}, {clock(0x024)},
     if_master(quiet::am335x_tptc)},
    {"edma-tptc1",   0x49900000,          0x100000, bus_master, {113}, {clock(0x0fc)},
     if_master(quiet::am335x_tptc)},
    {"edma-tptc2",   0x49a00000,          0x100000, bus_master, {114}, {clock(0x100)},
     if_master(quiet::am335x_tptc)},
    {"cpsw",         0x4a100000,            0x8000, bus_master, {40, 41, 42, 43}, // Ethernet
     {clock(0x014), source(0x144), source(0x520), pins(0x908, 0x94c), pins(0x968, 0x968),
      configuration(0x650, 0x650)}, if_master(quiet::am335x_cpsw)},
    {"pruss",        0x4a300000,           0x80000, Owner::nobody, // processors, bus masters
     {20, 21, 22, 23, 24, 25, 26, 27}, {clock(0x0e8)}},
    {"emif",         0x4c000000,         0x1000000, Owner::nobody, {101}, {clock(0x028)}}, // the memory
    {"gpmc",         0x50000000,            0x2000, Owner::nobody, {100}, {clock(0x030)}}, // maps buses
    {"gpu",          0x56000000,           0x10000, Owner::nobody, {37}}, // bus master
};
// clang-format on

} // namespace board

#include "device_queries.hpp"
