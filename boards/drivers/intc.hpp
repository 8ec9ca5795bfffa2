// SPDX-License-Identifier: BSD-3-Clause
// AM335x interrupt controller (AM335x TRM, SPRUH73, chapter 6).
#pragma once

#include "drivers/mmio.hpp"

namespace drivers {

template <class Bus> class Intc {
    enum class Reg32 : uint32_t {
        SYSCONFIG = 0x10,
        SYSSTATUS = 0x14,
        SIR_IRQ = 0x40,   // active line 6:0, spurious flag 31:7
        CONTROL = 0x48,   // NEWIRQAGR 0
        THRESHOLD = 0x68, // lines of priority number >= this are held; 0xff: none
        MIR_CLEAR = 0x88, // a bank of 32 lines each 0x20
        MIR_SET = 0x8c,
        ISR_SET = 0x90, // software interrupt
        ISR_CLEAR = 0x94,
        ILR = 0x100, // priority 7:2, FIQ 0
    };
    using reg = Registers<Bus, Reg32>;

    static constexpr uint32_t softreset = 1u << 1;
    static constexpr uint32_t resetdone = 1u << 0;
    static constexpr uint32_t newirqagr = 1u << 0;
    static constexpr uint32_t bank = 0x20 / 4; // in words

    // Lower is more urgent; THRESHOLD compares the 6-bit number.
    static constexpr uint32_t rt_priority = 0x10;
    static constexpr uint32_t input_priority = 0x18;
    static constexpr uint32_t guest_priority = 0x20;
    static constexpr uint32_t no_threshold = 0xff;

  public:
    static constexpr uint32_t lines = 128;

    // Every line masked and of the guest's priority, whatever the boot loader left.
    static void init() {
        reg::write(Reg32::SYSCONFIG, softreset);
        while (!(reg::read(Reg32::SYSSTATUS) & resetdone))
            ;
        for (uint32_t i = 0; i < lines / 32; ++i)
            reg::write(Reg32::MIR_SET, i * bank, ~0u);
        for (uint32_t line = 0; line < lines; ++line)
            reg::write(Reg32::ILR, line, guest_priority << 2);
        reg::write(Reg32::THRESHOLD, no_threshold);
        Bus::barrier();
        reg::write(Reg32::CONTROL, newirqagr);
    }

    // The most urgent active line; a value >= lines: it went away (6.2.5).
    static uint32_t acknowledge() { return reg::read(Reg32::SIR_IRQ); }

    // The controller sorts anew. Barriers, 6.2.2:
    // the device must be quiet before, or its line is taken again; and the
    // request to the processor gone after, before the caller opens IRQs.
    static void end(uint32_t) {
        Bus::barrier();
        reg::write(Reg32::CONTROL, newirqagr);
        Bus::barrier();
    }

    // Without it the controller would not sort again, and no interrupt would come any more (6.2.5).
    static void end_spurious() { end(0); }

    static void enable(uint32_t line) { reg::write(Reg32::MIR_CLEAR, line / 32 * bank, 1u << line % 32); }
    static void disable(uint32_t line) { reg::write(Reg32::MIR_SET, line / 32 * bank, 1u << line % 32); }
    static void forget(uint32_t) {} // it keeps nothing: lines are levels

    // Raises a line by software; it counts as raised until unpend(), which its handler calls.
    static void pend(uint32_t line) { reg::write(Reg32::ISR_SET, line / 32 * bank, 1u << line % 32); }
    static void unpend(uint32_t line) { reg::write(Reg32::ISR_CLEAR, line / 32 * bank, 1u << line % 32); }

    // Puts a line into the class that hold_guest() does not hold. At start only.
    static void set_rt(uint32_t line) { reg::write(Reg32::ILR, line, rt_priority << 2); }
    // Nor this one, which comes after those: the console's input.
    static void set_input(uint32_t line) { reg::write(Reg32::ILR, line, input_priority << 2); }

    static void hold_guest(bool hold) { reg::write(Reg32::THRESHOLD, hold ? guest_priority : no_threshold); }
};

} // namespace drivers
