// SPDX-License-Identifier: GPL-2.0-only
#include "board.hpp"
#include "fake_bus.hpp"

#include <algorithm>
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

// The values are the manual's, written out: table 8-28 on (PRCM), 9-10 (control module).
TEST(BeagleBone, TheGuestCannotTouchClocksAndPinsOfOthers) {
    for (uint32_t offset : {0x088u, 0x0ecu, 0x0f0u, 0x510u, 0x518u, 0x51cu, // timers 4 to 6 and their sources
                            0x078u, 0x0acu, 0x4b4u, 0x4d4u,                 // UART4, GPIO1, UART0, WDT1
                            0x420u, 0x488u, 0x42cu, 0x4a8u,                 // the processor's PLL
                            0x490u, 0x494u, 0x48cu, 0x028u,                 // core, DDR and PER PLLs, EMIF
                            0x000u, 0x400u, 0xc08u, 0xe00u, 0xf00u})        // domains, resets
        EXPECT_FALSE(write_allowed(0x44e00000 + offset)) << std::hex << offset;
    for (uint32_t offset :
         {0x854u, 0x858u, 0x85cu, 0x860u, 0x870u, 0x874u, 0x970u, 0x974u, 0x988u, 0x600u, 0xe0cu})
        EXPECT_FALSE(write_allowed(0x44e10000 + offset)) << std::hex << offset;
    for (uint32_t offset : {0x03cu, 0x06cu, 0x080u, 0x508u, 0x408u}) // MMC0, UART1, timer 2, GPIO0
        EXPECT_TRUE(write_allowed(0x44e00000 + offset)) << std::hex << offset;
    for (uint32_t offset : {0x8f0u, 0x904u, 0x980u, 0x984u, 0x990u}) // MMC0, UART1, a pin that nobody has
        EXPECT_TRUE(write_allowed(0x44e10000 + offset)) << std::hex << offset;
}

TEST(BeagleBone, TheRtTimersGetTheCrystalBeforeTheirClock) {
    std::vector<Control> started;
    device_map::for_each_start([&](const Control &c) { started.push_back(c); });
    const auto place = [&](uint32_t pa) {
        return std::find_if(started.begin(), started.end(), [&](const Control &c) { return c.first == pa; });
    };
    for (const auto &[source, clock] : {std::pair{0x44e00510u, 0x44e00088u}, {0x44e00518u, 0x44e000ecu}}) {
        ASSERT_NE(place(source), started.end());
        EXPECT_EQ(place(source)->start, Control::Start::write);
        EXPECT_EQ(place(source)->value, 1u);
        EXPECT_EQ(place(clock)->start, Control::Start::enable_clock);
        EXPECT_LT(place(source), place(clock));
    }
}

// No register of a module is touched before its clock control says "functional".
TEST(BeagleBone, AClockIsWaitedFor) {
    A::clear();
    int polls = 0;
    A::on_write = [](uint32_t offset, uint32_t value) { A::registers[offset] = value | 0x30000; };
    A::on_read = [&](uint32_t offset) {
        if (++polls == 3)
            A::registers[offset] = 2;
    };
    fake::taken();
    Prcm<A>::enable_clock(0x88);
    EXPECT_EQ(fake::taken(), (History{wr(0x88, 2), rd(0x88, 0x30002), rd(0x88, 0x30002), rd(0x88, 2)}));
}

TEST(BeagleBone, ApplicationsHaveTheLedsAndAUart) {
    for (uint32_t pa : {0x4804c000u, 0x481a8000u})
        EXPECT_EQ(frame_access(pa), FrameAccess::none) << std::hex << pa;
    for (uint32_t line : {98u, 45u})
        EXPECT_EQ(line_class(line), LineClass::rt) << line;
}

using Dog = drivers::Am335xWatchdog<A, 10>;

TEST(BeagleBone, TheWatchdogStopsByItsPairOfWrites) {
    A::clear();
    fake::taken();
    Dog::stop();
    EXPECT_EQ(fake::taken(), (History{wr(0x48, 0xaaaa), rd(0x34, 0), wr(0x48, 0x5555), rd(0x34, 0)}));
}

TEST(BeagleBone, TheWatchdogIsStoppedSetAndStarted) {
    A::clear();
    fake::taken();
    Dog::start();
    History writes;
    for (const fake::Access &a : fake::taken())
        if (a.kind == fake::Access::write)
            writes.push_back(a);
    const uint32_t load = 0u - 10 * 32768;
    EXPECT_EQ(writes, (History{wr(0x48, 0xaaaa), wr(0x48, 0x5555), wr(0x24, 0), wr(0x2c, load),
                               wr(0x28, load), wr(0x48, 0xbbbb), wr(0x48, 0x4444)}));
}

TEST(BeagleBone, FeedingWritesAnotherValueAndNeverWaits) {
    A::clear();
    A::registers[0x30] = 0x1234;
    fake::taken();
    Dog::feed();
    EXPECT_EQ(A::registers[0x30], ~0x1234u);
    A::registers[0x34] = 1u << 3; // on its way
    fake::taken();
    Dog::feed();
    EXPECT_EQ(fake::taken(), History{rd(0x34, 1u << 3)});
}

TEST(BeagleBone, ResetIsACold) {
    A::clear();
    fake::taken();
    Prcm<A>::reset();
    EXPECT_EQ(fake::taken(), History{wr(0xf00, 2)});
}

TEST(BeagleBone, TheReasonOfAResetIsToldOnce) {
    A::clear();
    A::registers[0xf08] = 0x11;
    fake::taken();
    EXPECT_EQ(Prcm<A>::take_reset_reason(), 0x11u);
    EXPECT_EQ(fake::taken(), (History{rd(0xf08, 0x11), wr(0xf08, 0x11)})); // cleared by writing ones
    EXPECT_STREQ(describe_reset(0x11), "the watchdog");
    EXPECT_STREQ(describe_reset(0x02), "software, warm");
    EXPECT_STREQ(describe_reset(0x21), "the reset pin");
    EXPECT_STREQ(describe_reset(0x01), "power-on, or software, cold");
    EXPECT_STREQ(describe_reset(0), "unknown");
}
