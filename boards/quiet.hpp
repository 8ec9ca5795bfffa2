// SPDX-License-Identifier: BSD-3-Clause
// What keeps a device from raising its line, by kind of device: the writes of device_table.hpp's Quiet, in
// the order of each line's comment. No register is read: a device whose clock is off answers a write by
// nothing that matters.
#pragma once

#include "device_table.hpp"

namespace board::quiet {

inline constexpr uint32_t all = ~0u;

// Arm PrimeCells, each by its Technical Reference Manual
inline constexpr Quiet pl011{{{0x38, 0}, {0x48, 0}, {0x44, 0x7ff}}}; // UARTIMSC, UARTDMACR, UARTICR
inline constexpr Quiet pl022{{{0x14, 0}, {0x24, 0}, {0x04, 0}}};     // SSPIMSC, SSPDMACR, SSPCR1
inline constexpr Quiet pl031{{{0x10, 0}, {0x1c, 1}}};                // RTCIMSC, RTCICR
inline constexpr Quiet pl041{{{0x78, 0}}};                           // AACIMAINCR: interface off
inline constexpr Quiet pl050{{{0x00, 0}}};                           // KMICR
inline constexpr Quiet pl061{{{0x410, 0}, {0x41c, 0xff}}};           // GPIOIE, GPIOIC
inline constexpr Quiet pl180{
    {{0x3c, 0}, {0x40, 0}, {0x2c, 0}, {0x0c, 0}, {0x38, 0x7ff}}}; // MCIMask0, MCIMask1,
                                                                  // MCIDataCtrl, MCICommand, MCIClear
inline constexpr Quiet sp804{
    {{0x08, 0}, {0x28, 0}, {0x0c, 0}, {0x2c, 0}}}; // TimerXControl, TimerXIntClr of both

// SMSC LAN9118 data sheet, 5.3: INT_EN; HW_CFG.SRST stops both directions and empties the FIFOs
inline constexpr Quiet lan9118{{{0x5c, 0}, {0x74, 1}}};

// AM335x TRM (TI SPRUH73)
inline constexpr Quiet am335x_uart{{{0x0c, 3}, {0x04, 0}}};      // LCR: operational mode; IER (19.5.1)
inline constexpr Quiet am335x_timer{{{0x30, 7}, {0x38, 0}}};     // IRQENABLE_CLR, TCLR (20.1.5)
inline constexpr Quiet am335x_timer_1ms{{{0x1c, 0}, {0x24, 0}}}; // TIER, TCLR (20.2.5)
inline constexpr Quiet am335x_gpio{{{0x3c, all}, {0x40, all}}};  // IRQSTATUS_CLR_0, _1 (25.4.1)
inline constexpr Quiet am335x_mmc{{{0x238, 0}, {0x234, 0}}};     // SD_ISE, SD_IE (18.5.1)
inline constexpr Quiet am335x_i2c{{{0x30, 0x7fff}, {0xa4, 0}}};  // I2C_IRQENABLE_CLR, I2C_CON (21.4.1)
inline constexpr Quiet am335x_spi{{{0x11c, 0}}};                 // MCSPI_IRQENABLE (24.4.1)
inline constexpr Quiet am335x_adc{{{0x30, 0x7ff}, {0x40, 0}}};   // IRQENABLE_CLR, CTRL (12.5.1)
inline constexpr Quiet am335x_can{{{0x00, 1}}};                  // DCAN_CTL: Init, no interrupts (23.4.1)
inline constexpr Quiet am335x_edma{
    {{0x1028, all}, {0x102c, all}, {0x1058, all}, {0x105c, all}}}; // EECR, EECRH, IECR, IECRH (11.4.1)
inline constexpr Quiet am335x_tptc{{{0x128, 0}}};                  // ERREN (11.4.2)
inline constexpr Quiet am335x_cpsw{
    {{0x804, 0}, {0x814, 0}, {0x88c, all}, {0x8ac, all}, {0x8bc, 3}}}; // CPDMA: TX_, RX_CONTROL,
                                                                       // *_INTMASK_CLEAR (14.5.2)

} // namespace board::quiet
