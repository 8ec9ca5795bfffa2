// SPDX-License-Identifier: BSD-3-Clause
// Arm PL390 Generic Interrupt Controller, one processor, no security extensions.
// Register names: Arm IHI 0048A (GIC architecture, version 1).
#pragma once

#include "drivers/mmio.hpp"

namespace drivers {

template <class CpuBus, class DistBus, uint32_t line_count> class Gic {
    enum class Cpu : uint32_t {
        ICCICR = 0x00,  // control
        ICCPMR = 0x04,  // priority mask
        ICCBPR = 0x08,  // binary point
        ICCIAR = 0x0c,  // acknowledge
        ICCEOIR = 0x10, // end of interrupt
    };
    enum class Dist : uint32_t {
        ICDDCR = 0x000,  // control
        ICDISER = 0x100, // set-enable, a bit per line
        ICDICER = 0x180, // clear-enable
        ICDISPR = 0x200, // set-pending
        ICDICPR = 0x280, // clear-pending
        ICDIPR = 0x400,  // priority, a byte per line
        ICDIPTR = 0x800, // target processors, a byte per line
        ICDICFR = 0xc00, // configuration, two bits per line
    };
    using cpu = Registers<CpuBus, Cpu>;
    using dist = Registers<DistBus, Dist>;

    // Lower is more urgent; a line is signalled if its priority < ICCPMR.
    static constexpr uint32_t rt_priority = 0x40;
    static constexpr uint32_t input_priority = 0x60;
    static constexpr uint32_t guest_priority = 0x80;
    static constexpr uint32_t open_mask = 0xf0;

    static constexpr uint32_t in_each_byte(uint32_t value) { return value * 0x01010101; }

  public:
    static constexpr uint32_t lines = line_count;

    // Every line disabled, of the guest's priority, level-sensitive, for this processor.
    static void init() {
        cpu::write(Cpu::ICCICR, 0);
        dist::write(Dist::ICDDCR, 0);
        for (uint32_t i = 0; i < lines / 32; ++i) {
            dist::write(Dist::ICDICER, i, ~0u);
            dist::write(Dist::ICDICPR, i, ~0u);
        }
        for (uint32_t i = 0; i < lines / 4; ++i)
            dist::write(Dist::ICDIPR, i, in_each_byte(guest_priority));
        for (uint32_t i = 32 / 4; i < lines / 4; ++i)
            dist::write(Dist::ICDIPTR, i, in_each_byte(1));
        for (uint32_t i = 32 / 16; i < lines / 16; ++i)
            dist::write(Dist::ICDICFR, i, 0);
        cpu::write(Cpu::ICCPMR, open_mask);
        cpu::write(Cpu::ICCBPR, 0);
        dist::write(Dist::ICDDCR, 1);
        cpu::write(Cpu::ICCICR, 1);
    }

    // The most urgent active line; a value >= lines: there is none (1023).
    // Nobody sends software interrupts, so the register's source field is 0.
    static uint32_t acknowledge() { return cpu::read(Cpu::ICCIAR); }

    // Takes what acknowledge() returned. The barrier: a device quietened before
    // must not be seen as a new interrupt after.
    static void end(uint32_t line) {
        CpuBus::barrier();
        cpu::write(Cpu::ICCEOIR, line);
    }

    // Before the board is reset, perhaps by an ISR: QEMU (7.2) keeps over it which priority was active, and no less
    // urgent interrupt would come any more. There is one level, so one end of whatever line is enough.
    static void abandon() { cpu::write(Cpu::ICCEOIR, lines - 1); }

    static void end_spurious() {} // ICCEOIR takes only what was acknowledged

    static void enable(uint32_t line) { dist::write(Dist::ICDISER, line / 32, 1u << line % 32); }
    static void disable(uint32_t line) { dist::write(Dist::ICDICER, line / 32, 1u << line % 32); }
    // Of a disabled line: that it was raised. If it still is, it counts anew when it is enabled.
    static void forget(uint32_t line) { dist::write(Dist::ICDICPR, line / 32, 1u << line % 32); }

    // Raises a line by software; it counts as raised until unpend(), which its handler calls.
    static void pend(uint32_t line) { dist::write(Dist::ICDISPR, line / 32, 1u << line % 32); }
    static void unpend(uint32_t) {} // acknowledge() did

    // Puts a line into the class that hold_guest() does not hold. At start only.
    static void set_rt(uint32_t line) { set_priority(line, rt_priority); }
    // Nor this one, which comes after those: the console's input.
    static void set_input(uint32_t line) { set_priority(line, input_priority); }

    static void hold_guest(bool hold) { cpu::write(Cpu::ICCPMR, hold ? guest_priority : open_mask); }

  private:
    static void set_priority(uint32_t line, uint32_t priority) {
        const uint32_t shift = line % 4 * 8;
        const uint32_t others = dist::read(Dist::ICDIPR, line / 4) & ~(0xffu << shift);
        dist::write(Dist::ICDIPR, line / 4, others | priority << shift);
    }
};

} // namespace drivers
