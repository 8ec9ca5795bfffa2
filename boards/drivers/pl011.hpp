// SPDX-License-Identifier: BSD-3-Clause
// Arm PL011 UART (Arm DDI 0183), 115200 8N1.
#pragma once

#include "drivers/mmio.hpp"

namespace drivers {

template <class Bus, uint32_t clock_hz> class Pl011 {
    enum class Reg32 : uint32_t {
        UARTDR = 0x00,
        UARTFR = 0x18,
        UARTIBRD = 0x24,
        UARTFBRD = 0x28,
        UARTLCR_H = 0x2c,
        UARTCR = 0x30,
        UARTIFLS = 0x34,
        UARTIMSC = 0x38,
        UARTICR = 0x44,
    };
    using reg = Registers<Bus, Reg32>;

    static constexpr uint32_t rxfe = 1u << 4, txff = 1u << 5;                 // UARTFR
    static constexpr uint32_t fen = 1u << 4, wlen_8 = 3u << 5;                // UARTLCR_H
    static constexpr uint32_t uarten = 1u, txe = 1u << 8, rxe = 1u << 9;      // UARTCR
    static constexpr uint32_t rxim = 1u << 4, txim = 1u << 5, rtim = 1u << 6; // UARTIMSC, UARTICR
    static constexpr uint32_t divisor = (clock_hz * 4 + 115200 / 2) / 115200; // in 1/64

    static void mask(uint32_t bits, bool on) {
        const uint32_t others = reg::read(Reg32::UARTIMSC) & ~bits;
        reg::write(Reg32::UARTIMSC, on ? others | bits : others);
    }

  public:
    static void init() {
        reg::write(Reg32::UARTCR, 0);
        reg::write(Reg32::UARTIMSC, 0);
        reg::write(Reg32::UARTICR, 0x7ff);
        reg::write(Reg32::UARTIBRD, divisor / 64);
        reg::write(Reg32::UARTFBRD, divisor % 64);
        reg::write(Reg32::UARTLCR_H, fen | wlen_8); // also latches the divisor
        reg::write(Reg32::UARTIFLS, 0);             // interrupt when 2 characters are left to send
        reg::write(Reg32::UARTCR, uarten | txe | rxe);
    }

    static bool tx_ready() { return !(reg::read(Reg32::UARTFR) & txff); }
    static void put(char c) { reg::write(Reg32::UARTDR, static_cast<unsigned char>(c)); }
    static bool rx_ready() { return !(reg::read(Reg32::UARTFR) & rxfe); }
    static char get() { return static_cast<char>(reg::read(Reg32::UARTDR)); }

    // The transmit interrupt comes when the FIFO drains past its level, not
    // because it is empty: fill the FIFO first, then turn it on.
    static void tx_irq(bool on) { mask(txim, on); }
    static void rx_irq(bool on) { mask(rxim | rtim, on); }
    // At the end of a receive interrupt: it is up as long as there is something to read.
    static void rx_acknowledge() {}
};

} // namespace drivers
