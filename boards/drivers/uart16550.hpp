// SPDX-License-Identifier: BSD-3-Clause
// AM335x UART in its 16550 mode (AM335x TRM, SPRUH73, chapter 19), 115200 8N1.
#pragma once

#include "drivers/mmio.hpp"

namespace drivers {

template <class Bus, uint32_t clock_hz> class Uart16550 {
    enum class Reg32 : uint32_t {
        THR = 0x00, // RHR when read, DLL with LCR.DIV_EN
        IER = 0x04, // DLH with LCR.DIV_EN
        FCR = 0x08, // IIR when read
        LCR = 0x0c,
        MCR = 0x10,
        LSR = 0x14,
        MDR1 = 0x20,
        SSR = 0x44,
    };
    using reg = Registers<Bus, Reg32>;
    static constexpr Reg32 RHR = Reg32::THR, DLL = Reg32::THR, DLH = Reg32::IER, IIR = Reg32::FCR;

    static constexpr uint32_t rhr_it = 1u << 0, thr_it = 1u << 1;      // IER
    static constexpr uint32_t it_type = 0x3f, rx_timeout = 0x0c;       // IIR
    static constexpr uint32_t fifo_en = 1, rx_clear = 2, tx_clear = 4; // FCR
    static constexpr uint32_t char_8 = 3, div_en = 1u << 7;            // LCR
    static constexpr uint32_t dtr = 1, rts = 2;                        // MCR
    static constexpr uint32_t rxfifoe = 1u << 0, txsre = 1u << 6;      // LSR
    static constexpr uint32_t mode_disable = 7, mode_16x = 0;          // MDR1
    static constexpr uint32_t txfifofull = 1u << 0;                    // SSR
    static constexpr uint32_t divisor = (clock_hz / 16 + 115200 / 2) / 115200;

    static void ier(uint32_t bit, bool on) {
        const uint32_t others = reg::read(Reg32::IER) & ~bit;
        reg::write(Reg32::IER, on ? others | bit : others);
    }

  public:
    static void init() {
        while (!(reg::read(Reg32::LSR) & txsre)) // the boot loader's last words
            ;
        reg::write(Reg32::MDR1, mode_disable);
        reg::write(Reg32::LCR, div_en | char_8);
        reg::write(DLL, 0); // FCR.FIFO_EN changes only while the baud clock stands (19.5.1.13)
        reg::write(DLH, 0);
        reg::write(Reg32::FCR, fifo_en | rx_clear | tx_clear);
        reg::write(DLL, divisor % 256);
        reg::write(DLH, divisor / 256);
        reg::write(Reg32::LCR, char_8);
        reg::write(Reg32::IER, 0);
        reg::write(Reg32::MCR, dtr | rts);
        reg::write(Reg32::MDR1, mode_16x);
    }

    static bool tx_ready() { return !(reg::read(Reg32::SSR) & txfifofull); }
    static void put(char c) { reg::write(Reg32::THR, static_cast<unsigned char>(c)); }
    static bool rx_ready() { return reg::read(Reg32::LSR) & rxfifoe; }
    static char get() { return static_cast<char>(reg::read(RHR)); }

    static void tx_irq(bool on) { ier(thr_it, on); }
    static void rx_irq(bool on) { ier(rhr_it, on); }
    // At the end of a receive interrupt. A timeout with nothing behind it stays until RHR is read.
    static void rx_acknowledge() {
        if ((reg::read(IIR) & it_type) == rx_timeout && !rx_ready())
            (void)get();
    }
};

} // namespace drivers
