// SPDX-License-Identifier: BSD-3-Clause
// AM335x I2C as a polled master (AM335x TRM, SPRUH73, chapter 21): messages with repeated starts between
// them.
#pragma once

#include "drivers/mmio.hpp"

#include <cstddef>
#include <span>

namespace drivers {

struct I2cMessage {
    uint8_t address; // 7 bits
    bool read;
    uint8_t *data;
    size_t size; // 1 to 65,535
};

enum class I2cStatus { ok, invalid, nack, arbitration_lost, timeout };

// Counter: static uint32_t read(), free-running. The module's functional clock is 48 MHz.
template <class Bus, class Counter> class Am335xI2c {
    enum class Reg32 : uint32_t {
        I2C_SYSC = 0x10,
        I2C_IRQSTATUS_RAW = 0x24,
        I2C_IRQSTATUS = 0x28,
        I2C_SYSS = 0x90,
        I2C_BUF = 0x94,
        I2C_CNT = 0x98,
        I2C_DATA = 0x9c,
        I2C_CON = 0xa4,
        I2C_SA = 0xac,
        I2C_PSC = 0xb0,
        I2C_SCLL = 0xb4,
        I2C_SCLH = 0xb8,
    };
    using reg = Registers<Bus, Reg32>;

    static constexpr uint32_t srst = 1u << 1;                                    // I2C_SYSC
    static constexpr uint32_t rdone = 1u << 0;                                   // I2C_SYSS
    static constexpr uint32_t al = 1, nack = 2, ardy = 4, rrdy = 8, xrdy = 0x10; // I2C_IRQSTATUS
    static constexpr uint32_t bb = 1u << 12;                                     // I2C_IRQSTATUS: bus busy
    static constexpr uint32_t all = 0x7fff;                                      // I2C_IRQSTATUS
    static constexpr uint32_t en = 1u << 15, mst = 1u << 10, trx = 1u << 9, stp = 2, stt = 1; // I2C_CON
    static constexpr uint32_t clear_fifos = 1u << 14 | 1u << 6; // I2C_BUF; its thresholds 0: one byte

    struct Deadline {
        uint32_t ticks, start = Counter::read();
        bool passed() const { return Counter::read() - start > ticks; }
    };

    static I2cStatus message(const I2cMessage &m, bool last, const Deadline &deadline) {
        reg::write(Reg32::I2C_BUF, clear_fifos);
        reg::write(Reg32::I2C_IRQSTATUS, all);
        reg::write(Reg32::I2C_SA, m.address);
        reg::write(Reg32::I2C_CNT, static_cast<uint32_t>(m.size));
        reg::write(Reg32::I2C_CON, en | mst | (m.read ? 0 : trx) | (last ? stp : 0) | stt);
        for (size_t done = 0;;) {
            uint32_t status = reg::read(Reg32::I2C_IRQSTATUS_RAW);
            if (status & al)
                return I2cStatus::arbitration_lost;
            if (status & nack)
                return I2cStatus::nack;
            if (m.read && status & rrdy && done < m.size) {
                m.data[done++] = static_cast<uint8_t>(reg::read(Reg32::I2C_DATA));
                reg::write(Reg32::I2C_IRQSTATUS, rrdy);
            } else if (!m.read && status & xrdy && done < m.size) {
                reg::write(Reg32::I2C_DATA, m.data[done++]);
                reg::write(Reg32::I2C_IRQSTATUS, xrdy);
            } else if (status & ardy && done == m.size) {
                reg::write(Reg32::I2C_IRQSTATUS, ardy);
                return I2cStatus::ok;
            } else if (deadline.passed()) {
                return I2cStatus::timeout;
            }
        }
    }

  public:
    // 400 kHz or, not fast, 100: of 12 MHz; low (SCLL + 7) and high (SCLH + 5) clocks, the low one of 400 kHz
    // longer, for it has to be 1.3 us. False: no reset within these ticks, as of a module without a clock.
    [[nodiscard]] static bool init(bool fast, uint32_t timeout_ticks) {
        reg::write(Reg32::I2C_CON, 0);
        reg::write(Reg32::I2C_SYSC, srst);
        reg::write(Reg32::I2C_CON, en); // or the reset is never told to be done
        Deadline deadline{timeout_ticks};
        while (!(reg::read(Reg32::I2C_SYSS) & rdone))
            if (deadline.passed())
                return false;
        reg::write(Reg32::I2C_CON, 0); // the clock's registers want the module off
        reg::write(Reg32::I2C_PSC, 3);
        reg::write(Reg32::I2C_SCLL, fast ? 10 : 53);
        reg::write(Reg32::I2C_SCLH, fast ? 8 : 55);
        reg::write(Reg32::I2C_CON, en);
        return true;
    }

    // All messages, or the error of the first that fails; the timeout is of the whole. After `nack` the bus
    // has been stopped; after `timeout` and `arbitration_lost` the module wants an init().
    [[nodiscard]] static I2cStatus transfer(std::span<const I2cMessage> messages, uint32_t timeout_ticks) {
        for (const I2cMessage &m : messages)
            if (m.address > 0x7f || m.data == nullptr || m.size == 0 || m.size > 0xffff)
                return I2cStatus::invalid;
        Deadline deadline{timeout_ticks};
        while (reg::read(Reg32::I2C_IRQSTATUS_RAW) & bb)
            if (deadline.passed())
                return I2cStatus::timeout;
        for (const I2cMessage &m : messages) {
            I2cStatus status = message(m, &m == &messages.back(), deadline);
            if (status == I2cStatus::nack) {
                reg::write(Reg32::I2C_CON, en | mst | stp);
                reg::write(Reg32::I2C_IRQSTATUS, nack);
            }
            if (status != I2cStatus::ok)
                return status;
        }
        return I2cStatus::ok;
    }
};

} // namespace drivers
