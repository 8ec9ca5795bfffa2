// SPDX-License-Identifier: GPL-2.0-only
#include "drivers/dmtimer.hpp"
#include "drivers/sp804.hpp"
#include "fake_bus.hpp"

#include <gtest/gtest.h>
#include <random>

using namespace fake;
using History = std::vector<Access>;
using A = Bus<'a'>;

static_assert(drivers::to_timer_ticks<24000000, 1000000>(0) == 1);
static_assert(drivers::to_timer_ticks<24000000, 1000000>(1) == 1);
static_assert(drivers::to_timer_ticks<24000000, 1000000>(24) == 1);
static_assert(drivers::to_timer_ticks<24000000, 1000000>(25) == 2);
static_assert(drivers::to_timer_ticks<24000000, 1000000>(12000) == 500);
static_assert(drivers::to_timer_ticks<24000000, 1000000>(UINT32_MAX) == UINT32_MAX / 24 + 1);
static_assert(drivers::to_timer_ticks<24000000, 24000000>(UINT32_MAX) == UINT32_MAX);

TEST(TimerTicks, NeverEarlyAndLessThanOneTickLate) {
    std::mt19937 random(1);
    for (int i = 0; i < 100000; ++i) {
        const uint32_t counter = random() >> random() % 32;
        const uint64_t ticks = drivers::to_timer_ticks<24000000, 1000000>(counter);
        ASSERT_GE(ticks * 24, counter);
        ASSERT_LT(ticks * 24, uint64_t{counter} + (counter == 0 ? 25 : 24));
    }
}

class Sp804Test : public testing::Test {
  protected:
    using Timer = drivers::Sp804<A, 24000000, 1000000>;
    void SetUp() override {
        A::clear();
        taken();
    }
};

TEST_F(Sp804Test, ArmIsLoadThenControl) {
    Timer::arm(12000);
    EXPECT_EQ(taken(), (History{wr(0x00, 500), wr(0x08, 0xa3)}));
}

TEST_F(Sp804Test, AcknowledgeIsOneWrite) {
    Timer::acknowledge();
    EXPECT_EQ(taken(), History{wr(0x0c, 0)});
}

TEST_F(Sp804Test, DisarmStopsBeforeItClears) {
    Timer::disarm();
    EXPECT_EQ(taken(), (History{wr(0x08, 0), wr(0x0c, 0)}));
}

class DmtimerTest : public testing::Test {
  protected:
    using Timer = drivers::DmtimerOneShot<A, 24000000, 24000000>;
    using Counter = drivers::DmtimerCounter<A>;
    void SetUp() override {
        A::clear();
        A::on_write = [](uint32_t offset, uint32_t value) {
            if (offset == 0x10)
                A::registers[0x10] = value & ~1u; // the reset is over
        };
        taken();
    }
};

TEST_F(DmtimerTest, ArmStopsLoadsAndStarts) {
    Timer::arm(12000);
    EXPECT_EQ(taken(), (History{wr(0x38, 0), wr(0x3c, 0u - 12000), wr(0x38, 1)})); // no auto-reload
}

TEST_F(DmtimerTest, TheShortestAndTheLongestTime) {
    for (uint32_t ticks : {0u, 1u, 2u}) {
        Timer::arm(ticks);
        EXPECT_EQ(A::registers[0x3c], 0xfffffffeu) << ticks;
    }
    Timer::arm(UINT32_MAX);
    EXPECT_EQ(A::registers[0x3c], 1u);
}

// The write is posted on the interconnect: the read back waits for it.
TEST_F(DmtimerTest, AcknowledgeReadsBack) {
    Timer::acknowledge();
    EXPECT_EQ(taken(), (History{wr(0x28, 2), rd(0x28, 2)}));
}

TEST_F(DmtimerTest, DisarmStopsBeforeItClears) {
    Timer::disarm();
    EXPECT_EQ(taken(), (History{wr(0x38, 0), wr(0x28, 2), rd(0x28, 2)}));
}

TEST_F(DmtimerTest, InitResetsAndEnablesOnlyTheOverflowInterrupt) {
    Timer::init();
    EXPECT_EQ(taken(), (History{wr(0x10, 1), rd(0x10, 0), wr(0x10, 4), wr(0x54, 0), wr(0x38, 0), wr(0x28, 2),
                                wr(0x2c, 2)}));
}

TEST_F(DmtimerTest, TheCounterReloadsZeroAndIsReadWithOneAccess) {
    Counter::init();
    EXPECT_EQ(A::registers[0x40], 0u);
    EXPECT_EQ(A::registers[0x38], 3u);
    EXPECT_EQ(taken().back(), wr(0x38, 3));
    A::registers[0x3c] = 0x12345678;
    EXPECT_EQ(Counter::read(), 0x12345678u);
    EXPECT_EQ(taken().size(), 1u);
}

TEST_F(DmtimerTest, ThePeriodicOneReloadsASecond) {
    using Periodic = drivers::DmtimerPeriodic<A, 24000000>;
    Periodic::start();
    EXPECT_EQ(A::registers[0x40], 0u - 24000000);
    EXPECT_EQ(A::registers[0x3c], 0u - 24000000);
    EXPECT_EQ(A::registers[0x2c], 2u);
    EXPECT_EQ(taken().back(), wr(0x38, 3)); // auto-reload, start
    Periodic::acknowledge();
    EXPECT_EQ(taken(), (History{wr(0x28, 2), rd(0x28, 2)}));
}
