// SPDX-License-Identifier: GPL-2.0-only
// Facts of the PB-A8 that are the demo's or RT's safety, and its own registers.
#include "board.hpp"
#include "fake_bus.hpp"

#include <gtest/gtest.h>

using namespace board;
using History = std::vector<fake::Access>;
using A = fake::Bus<'a'>;

TEST(RealView, WhatTheGuestNeedsIsItsOwn) {
    for (uint32_t pa : {0x10009000u, 0x10005000u, 0x10011000u, 0x4e000000u, 0x4e00f000u})
        EXPECT_EQ(frame_access(pa), FrameAccess::full) << std::hex << pa;
    for (uint32_t line : {36u, 44u, 49u, 50u, 60u})
        EXPECT_EQ(line_class(line), LineClass::guest) << line;
}

TEST(RealView, WhatCanReachAllMemoryOrResetTheBoardIsNot) {
    for (uint32_t pa : {0x10030000u, 0x10020000u, 0x1000f000u, 0x10010000u, 0x1e000000u, 0x1e001000u,
                        0x10012000u, 0x1000a000u, 0x40000000u, 0x4f000000u})
        EXPECT_EQ(frame_access(pa), FrameAccess::none) << std::hex << pa;
    EXPECT_EQ(line_class(37), LineClass::rt);
    EXPECT_EQ(line_class(45), LineClass::executive);
}

TEST(RealView, OfTheSystemRegistersTheGuestWritesTheLedsOnly) {
    EXPECT_EQ(frame_access(0x10000000), FrameAccess::read_only);
    for (uint32_t offset = 0; offset < 0x1000; offset += 4)
        EXPECT_EQ(write_allowed(0x10000000 + offset), offset == 8) << std::hex << offset;
    EXPECT_FALSE(write_allowed(0x10001000)); // SP810 SCCTRL
}

TEST(RealView, ApplicationsHaveAUartAndGpio) {
    for (uint32_t pa : {0x1000c000u, 0x10014000u})
        EXPECT_EQ(frame_access(pa), FrameAccess::none) << std::hex << pa;
    for (uint32_t line : {47u, 39u})
        EXPECT_EQ(line_class(line), LineClass::rt) << line;
}

TEST(RealView, ResetUnlocksFirst) {
    A::clear();
    fake::taken();
    SystemRegisters<A>::reset();
    EXPECT_EQ(fake::taken(), (History{fake::wr(0x20, 0xa05f), fake::wr(0x40, 0), fake::wr(0x40, 4)}));
}

TEST(RealView, TheCounterIsOneRead) {
    A::clear();
    A::registers[0x5c] = 24000000;
    fake::taken();
    EXPECT_EQ(SystemRegisters<A>::read(), 24000000u);
    EXPECT_EQ(fake::taken(), History{fake::rd(0x5c, 24000000)});
}

TEST(RealView, TimerClocksChangeNothingElse) {
    A::clear();
    A::registers[0] = 0x00000009;
    SystemController<A>::timers_at_1_mhz();
    EXPECT_EQ(A::registers[0], 0x002a8009u);
}
