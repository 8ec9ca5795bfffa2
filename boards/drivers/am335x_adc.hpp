// SPDX-License-Identifier: BSD-3-Clause
// AM335x TSC_ADC: 12-bit conversions of AIN0 to AIN7 on request (AM335x TRM, SPRUH73, chapter 12). The inputs
// bear 1.8 V.
#pragma once

#include "drivers/mmio.hpp"

#include <optional>

namespace drivers {

// Counter: static uint32_t read(), free-running.
template <class Bus, class Counter> class Am335xAdc {
    enum class Reg32 : uint32_t {
        CTRL = 0x40,
        ADC_CLKDIV = 0x4c,
        STEPENABLE = 0x54,
        STEPCONFIG1 = 0x64,
        STEPDELAY1 = 0x68,
        FIFO0COUNT = 0xe4,
        FIFO0DATA = 0x100,
    };
    using reg = Registers<Bus, Reg32>;

    static constexpr uint32_t enable = 1u << 0;   // CTRL
    static constexpr uint32_t writable = 1u << 2; // CTRL: StepConfig_WriteProtect_n
    static constexpr uint32_t step1 = 1u << 1;    // STEPENABLE: cleared by the end of the conversion
    static constexpr uint32_t references =
        3u << 23 | 8u << 15 | 3u << 12;           // STEPCONFIG: VREFN, ADCREFM, VREFP
    static constexpr uint32_t sel_inp_shift = 19; // STEPCONFIG
    static constexpr uint32_t count_mask = 0x7f, data_mask = 0xfff;

  public:
    static constexpr uint32_t channels = 8;

    static void init() {
        reg::write(Reg32::CTRL, writable);
        reg::write(Reg32::ADC_CLKDIV, 7); // 24 MHz / 8: the converter takes up to 3
        reg::write(Reg32::STEPENABLE, 0);
        reg::write(Reg32::STEPDELAY1, 0);
        reg::write(Reg32::CTRL, writable | enable);
    }

    // 0 to 4095, after about 5 us; nothing: no such channel, or no result within these ticks of the counter.
    [[nodiscard]] static std::optional<uint32_t> read(uint32_t channel, uint32_t timeout_ticks) {
        if (channel >= channels)
            return {};
        // A conversion that came after its timeout is not the answer to this question: it is ended, its
        // result dropped.
        reg::write(Reg32::STEPENABLE, 0);
        for (uint32_t left = reg::read(Reg32::FIFO0COUNT) & count_mask; left != 0; --left)
            static_cast<void>(reg::read(Reg32::FIFO0DATA));
        reg::write(Reg32::STEPCONFIG1, references | channel << sel_inp_shift);
        uint32_t start = Counter::read();
        reg::write(Reg32::STEPENABLE, step1);
        while ((reg::read(Reg32::FIFO0COUNT) & count_mask) == 0)
            if (Counter::read() - start > timeout_ticks)
                return {};
        return reg::read(Reg32::FIFO0DATA) & data_mask;
    }
};

} // namespace drivers
