// SPDX-License-Identifier: GPL-2.0-only
#include <time_convert.hpp>

#include <ctime>
#include <gtest/gtest.h>

namespace {

using namespace rtos;
using namespace rtos::posix;

struct Spec {
    int64_t tv_sec;
    long tv_nsec;
};

TEST(TimeConvert, Validity) {
    EXPECT_TRUE(valid(Spec{0, 0}));
    EXPECT_TRUE(valid(Spec{-5, 999'999'999}));
    EXPECT_FALSE(valid(Spec{0, 1'000'000'000}));
    EXPECT_FALSE(valid(Spec{0, -1}));
}

TEST(TimeConvert, RoundsUpNeverDown) {
    EXPECT_EQ(ns_to_ticks_up(0), 0);
    EXPECT_EQ(ns_to_ticks_up(1), 1);
    EXPECT_EQ(ns_to_ticks_up(41), 1);
    EXPECT_EQ(ns_to_ticks_up(42), 2);
    EXPECT_EQ(ns_to_ticks_up(ns_per_s), 24'000'000);
    for (int64_t ns : {1ll, 999ll, 1'000'003ll, 123'456'789'012'345ll}) {
        const int64_t ticks = ns_to_ticks_up(ns);
        // ns <= ticks * 125/3 < ns + one tick
        EXPECT_GE(static_cast<__int128>(ticks) * 125, static_cast<__int128>(ns) * 3) << ns;
        EXPECT_LT(static_cast<__int128>(ticks - 1) * 125, static_cast<__int128>(ns) * 3) << ns;
    }
}

TEST(TimeConvert, TicksToNanoseconds) {
    EXPECT_EQ(ticks_to_ns(24'000'000), ns_per_s);
    EXPECT_EQ(ticks_to_ns(3), 125);
    EXPECT_EQ(ticks_to_ns(1), 41);
    // A thousand years do not overflow on the way.
    constexpr int64_t years = 1000ll * 366 * 86400;
    EXPECT_EQ(ticks_to_ns(years / 4 * 24'000'000), years / 4 * ns_per_s);
}

TEST(TimeConvert, SpansThatDoNotFit) {
    constexpr int64_t years = int64_t{145} * 365 * 86400 * ns_per_s;
    EXPECT_GT(to_ns(Spec{INT64_MAX, 0}), years);
    EXPECT_LT(to_ns(Spec{INT64_MIN, 0}), -years);
    // The longest relative time from now on is not in the past.
    EXPECT_GT(deadline_at(to_ns(Spec{INT64_MAX, 999'999'999}) + to_ns(Spec{INT64_MAX, 999'999'999})),
              deadline_at(2 * years));
    EXPECT_EQ(to_ns(Spec{2, 5}), 2 * ns_per_s + 5);
    EXPECT_EQ(deadline_at(-5), Time::past());
    EXPECT_EQ(deadline_at(0), Time::past());
    EXPECT_LT(deadline_at(INT64_MAX), Time::never());
}

TEST(TimeConvert, FromTicks) {
    for (uint64_t ticks :
         {uint64_t{0}, uint64_t{1}, uint64_t{23'999'999}, uint64_t{24'000'000}, uint64_t{1} << 55}) {
        const Spec direct = from_ticks<Spec>(ticks),
                   by_ns = from_ns<Spec>(ticks_to_ns(static_cast<int64_t>(ticks)));
        EXPECT_EQ(direct.tv_sec, by_ns.tv_sec) << ticks;
        EXPECT_EQ(direct.tv_nsec, by_ns.tv_nsec) << ticks;
    }
}

TEST(TimeConvert, FromNanoseconds) {
    const Spec positive = from_ns<Spec>(1'500'000'000), negative = from_ns<Spec>(-1);
    EXPECT_EQ(positive.tv_sec, 1);
    EXPECT_EQ(positive.tv_nsec, 500'000'000);
    EXPECT_EQ(negative.tv_sec, -1);
    EXPECT_EQ(negative.tv_nsec, 999'999'999);
}

} // namespace
