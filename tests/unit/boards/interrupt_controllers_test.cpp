// SPDX-License-Identifier: GPL-2.0-only
// The GIC and INTC drivers against recorded register accesses. Offsets and
// values are written out here, from the manuals, not taken from the drivers.
#include "drivers/gic.hpp"
#include "drivers/intc.hpp"
#include "fake_bus.hpp"

#include <algorithm>
#include <gtest/gtest.h>

using namespace fake;
using History = std::vector<Access>;

class GicTest : public testing::Test {
  protected:
    using Cpu = Bus<'c'>;
    using Dist = Bus<'d'>;
    using Gic = drivers::Gic<Cpu, Dist, 96>;
    void SetUp() override {
        Cpu::clear();
        Dist::clear();
        taken();
    }
};

TEST_F(GicTest, AcknowledgeIsOneRead) {
    Cpu::registers[0x0c] = 37;
    EXPECT_EQ(Gic::acknowledge(), 37u);
    EXPECT_EQ(taken(), History{rd<'c'>(0x0c, 37)});
}

TEST_F(GicTest, SpuriousIsNoLine) {
    Cpu::registers[0x0c] = 1023;
    EXPECT_GE(Gic::acknowledge(), Gic::lines);
}

TEST_F(GicTest, EndWaitsForTheDeviceBeforeItTellsTheController) {
    Gic::end(37);
    EXPECT_EQ(taken(), (History{barrier<'c'>(), wr<'c'>(0x10, 37)}));
}

TEST_F(GicTest, ASpuriousOneIsNotEnded) {
    Gic::end_spurious();
    EXPECT_EQ(taken(), History{});
}

TEST_F(GicTest, EnableAndDisableAreOneWriteOfOneBit) {
    Gic::enable(37);
    Gic::disable(37);
    Gic::enable(95);
    Gic::disable(64);
    EXPECT_EQ(taken(), (History{wr<'d'>(0x104, 1u << 5), wr<'d'>(0x184, 1u << 5), wr<'d'>(0x108, 1u << 31),
                                wr<'d'>(0x188, 1)}));
}

TEST_F(GicTest, AbandoningEndsWhateverIsActive) {
    Gic::abandon();
    EXPECT_EQ(taken(), History{wr<'c'>(0x10, 95)});
}

TEST_F(GicTest, ForgettingIsOneWriteOfOneBit) {
    Gic::forget(37);
    Gic::forget(95);
    EXPECT_EQ(taken(), (History{wr<'d'>(0x284, 1u << 5), wr<'d'>(0x288, 1u << 31)}));
}

TEST_F(GicTest, SoftwareInterruptsAreSetAndClearThemselves) {
    Gic::pend(45);
    Gic::unpend(45);
    EXPECT_EQ(taken(), History{wr<'d'>(0x204, 1u << 13)});
}

TEST_F(GicTest, InitQuietensBeforeItOpens) {
    Gic::init();
    const History h = taken();
    const auto position = [&h](Access a) { return std::find(h.begin(), h.end(), a) - h.begin(); };
    const auto end = static_cast<std::ptrdiff_t>(h.size());

    EXPECT_EQ(h.front(), wr<'c'>(0x00, 0));
    EXPECT_EQ(h.back(), wr<'c'>(0x00, 1)); // the CPU interface last
    EXPECT_EQ(position(wr<'d'>(0x000, 1)), end - 2);
    for (uint32_t bank = 0; bank < 3; ++bank)
        EXPECT_LT(position(wr<'d'>(0x180 + 4 * bank, ~0u)), position(wr<'d'>(0x000, 1)));
    EXPECT_EQ(
        std::count_if(h.begin(), h.end(), [](Access a) { return a.offset >= 0x100 && a.offset < 0x180; }),
        0);                                        // no line enabled
    EXPECT_EQ(position(wr<'d'>(0x18c, ~0u)), end); // and no bank beyond line 95
    for (uint32_t line = 32; line < 96; line += 4) {
        EXPECT_EQ(Dist::registers[0x400 + line], 0x80808080u) << line;
        EXPECT_EQ(Dist::registers[0x800 + line], 0x01010101u) << line;
    }
    EXPECT_EQ(Cpu::registers[0x04], 0xf0u);
}

// The rule of the hardware: a line is signalled if its priority < the mask.
TEST_F(GicTest, HoldingTheGuestLetsOnlyRtLinesThrough) {
    Gic::init();
    Gic::set_rt(37);
    Gic::set_input(45);
    const auto priority = [](uint32_t line) {
        return Dist::registers[0x400 + line / 4 * 4] >> (line % 4 * 8) & 0xff;
    };
    taken();
    Gic::hold_guest(true);
    EXPECT_EQ(taken().size(), 1u);
    EXPECT_LT(priority(45), Cpu::registers[0x04]);
    EXPECT_LT(priority(37), priority(45));
    for (uint32_t line : {36u, 38u, 39u, 60u})
        EXPECT_GE(priority(line), Cpu::registers[0x04]) << line;
    Gic::hold_guest(false);
    for (uint32_t line = 0; line < 96; ++line)
        EXPECT_LT(priority(line), Cpu::registers[0x04]) << line;
}

class IntcTest : public testing::Test {
  protected:
    using A = Bus<'a'>;
    using Intc = drivers::Intc<A>;
    void SetUp() override {
        A::clear();
        A::registers[0x14] = 1; // SYSSTATUS.RESETDONE
        taken();
    }
};

TEST_F(IntcTest, AcknowledgeIsOneRead) {
    A::registers[0x40] = 92;
    EXPECT_EQ(Intc::acknowledge(), 92u);
    EXPECT_EQ(taken(), History{rd(0x40, 92)});
}

TEST_F(IntcTest, SpuriousIsNoLine) {
    A::registers[0x40] = 0xffffff80 | 92;
    EXPECT_GE(Intc::acknowledge(), Intc::lines);
}

// The device quiet before NEWIRQAGR, or its line is sorted in again; NEWIRQAGR
// arrived before the caller opens IRQs, or the same interrupt is taken twice.
TEST_F(IntcTest, EndHasABarrierOnBothSidesOfNewIrqAgr) {
    Intc::end(92);
    EXPECT_EQ(taken(), (History{barrier(), wr(0x48, 1), barrier()}));
}

// Without it no interrupt would ever come again.
TEST_F(IntcTest, ASpuriousOneIsEndedToo) {
    Intc::end_spurious();
    EXPECT_EQ(taken(), (History{barrier(), wr(0x48, 1), barrier()}));
}

TEST_F(IntcTest, EnableAndDisableAreOneWriteOfOneBit) {
    Intc::enable(92);  // bank 2, MIR_CLEAR2
    Intc::disable(92); // MIR_SET2
    Intc::enable(0);
    Intc::disable(127);
    EXPECT_EQ(taken(), (History{wr(0xc8, 1u << 28), wr(0xcc, 1u << 28), wr(0x88, 1), wr(0xec, 1u << 31)}));
}

TEST_F(IntcTest, SoftwareInterruptsAreSetAndCleared) {
    Intc::pend(68);
    Intc::unpend(68);
    EXPECT_EQ(taken(), (History{wr(0xd0, 1u << 4), wr(0xd4, 1u << 4)}));
}

TEST_F(IntcTest, InitWaitsForTheResetThenMasksAll) {
    int polls = 0;
    A::registers[0x14] = 0;
    A::on_write = [&polls](uint32_t offset, uint32_t value) {
        if (offset == 0x10 && value == 2) {
            ++polls;
            A::registers[0x14] = 1;
        }
    };
    Intc::init();
    const History h = taken();
    EXPECT_EQ(polls, 1);
    EXPECT_EQ(h[0], wr(0x10, 2));
    EXPECT_EQ(h[1], rd(0x14, 1));
    for (uint32_t bank : {0x8cu, 0xacu, 0xccu, 0xecu})
        EXPECT_NE(std::find(h.begin(), h.end(), wr(bank, ~0u)), h.end());
    EXPECT_EQ(
        std::count_if(h.begin(), h.end(),
                      [](Access a) { return a.offset >= 0x88 && a.offset < 0x100 && a.offset % 0x20 == 8; }),
        0); // MIR_CLEAR untouched: no line enabled
    EXPECT_EQ(h.back(), wr(0x48, 1));
}

// The rule of the hardware: held if the priority number >= THRESHOLD, 0xff is off.
TEST_F(IntcTest, HoldingTheGuestLetsOnlyRtLinesThrough) {
    Intc::init();
    Intc::set_rt(92);
    Intc::set_input(72);
    const auto priority = [](uint32_t line) { return A::registers[0x100 + 4 * line] >> 2; };
    const auto fiq = [](uint32_t line) { return A::registers[0x100 + 4 * line] & 1; };
    taken();
    Intc::hold_guest(true);
    EXPECT_EQ(taken().size(), 1u);
    for (uint32_t line = 0; line < 128; ++line) {
        EXPECT_EQ(priority(line) >= A::registers[0x68], line != 92 && line != 72) << line;
        EXPECT_EQ(fiq(line), 0u) << line;
    }
    EXPECT_LT(priority(92), priority(72));
    Intc::hold_guest(false);
    EXPECT_EQ(A::registers[0x68], 0xffu);
}
