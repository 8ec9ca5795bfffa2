// SPDX-License-Identifier: GPL-2.0-only
#include "board.hpp"
#include "fake_bus.hpp"

#include <gtest/gtest.h>

using namespace board;
using fake::rd, fake::wr;
using History = std::vector<fake::Access>;
using A = fake::Bus<'a'>;

TEST(BeagleBone, WhatTheGuestNeedsIsItsOwn) {
    for (uint32_t pa : {0x44e31000u, 0x48040000u, 0x48060000u, 0x481ac000u})
        EXPECT_EQ(frame_access(pa), FrameAccess::full) << std::hex << pa;
    for (uint32_t line : {67u, 68u, 64u})
        EXPECT_EQ(line_class(line), LineClass::guest) << line;
}

TEST(BeagleBone, BusMastersResetAndSupplyAreNot) {
    for (uint32_t pa : {0x49000000u, 0x49800000u, 0x4a100000u, 0x4a300000u, 0x47400000u, 0x44e35000u,
                        0x44e0b000u, 0x48044000u, 0x48046000u, 0x48200000u, 0x4c000000u})
        EXPECT_EQ(frame_access(pa), FrameAccess::none) << std::hex << pa;
    EXPECT_EQ(frame_access(0x44e00000), FrameAccess::read_only);
    EXPECT_EQ(frame_access(0x44e10800), FrameAccess::read_only);
    EXPECT_EQ(line_class(92), LineClass::rt);
    EXPECT_EQ(line_class(72), LineClass::executive);
}

// The clock is chosen while the module is off, and no register of a module is
// touched before its clock control says "functional".
TEST(BeagleBone, TheRtTimersGetTheCrystal) {
    A::clear();
    A::registers[0x88] = A::registers[0xec] = A::registers[0x4d4] = 0x30000;
    fake::taken();
    Prcm<A>::start_rt_timers();
    EXPECT_EQ(fake::taken(), (History{wr(0x510, 1), wr(0x518, 1), wr(0x88, 2), rd(0x88, 2), wr(0xec, 2),
                                      rd(0xec, 2), wr(0x4d4, 2), rd(0x4d4, 2)}));
}

TEST(BeagleBone, ApplicationsHaveTheLedsAndAUart) {
    for (uint32_t pa : {0x4804c000u, 0x481a8000u})
        EXPECT_EQ(frame_access(pa), FrameAccess::none) << std::hex << pa;
    for (uint32_t line : {98u, 45u})
        EXPECT_EQ(line_class(line), LineClass::rt) << line;
    A::clear();
    A::registers[0x78] = A::registers[0xac] = 0x30000;
    fake::taken();
    Prcm<A>::start_rt_devices();
    EXPECT_EQ(fake::taken(), (History{wr(0x78, 2), rd(0x78, 2), wr(0xac, 2), rd(0xac, 2)}));
}

TEST(BeagleBone, TheWatchdogStopsByItsPairOfWrites) {
    A::clear();
    fake::taken();
    Watchdog<A>::stop();
    EXPECT_EQ(fake::taken(), (History{wr(0x48, 0xaaaa), rd(0x34, 0), wr(0x48, 0x5555), rd(0x34, 0)}));
}

TEST(BeagleBone, ResetIsACold) {
    A::clear();
    fake::taken();
    Prcm<A>::reset();
    EXPECT_EQ(fake::taken(), History{wr(0xf00, 2)});
}
