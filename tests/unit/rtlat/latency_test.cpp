// SPDX-License-Identifier: GPL-2.0-only
#include <algorithm>
#include <gtest/gtest.h>
#include <random>
#include <rtmux/latency.h>
#include <vector>

namespace {

struct Record : rtmux_latency {
    Record() { rtmux_latency_reset(this); }
    void add(uint32_t ticks, uint32_t times = 1) {
        for (; times > 0; --times)
            rtmux_latency_add(this, ticks);
    }
    uint32_t percentile(uint32_t of_100000) const { return rtmux_latency_percentile(this, of_100000); }
};

TEST(Latency, NothingRecorded) {
    const Record r;
    EXPECT_EQ(r.count, 0u);
    EXPECT_EQ(r.min, UINT32_MAX);
    EXPECT_EQ(r.percentile(0), 0u);
    EXPECT_EQ(r.percentile(100000), 0u);
}

TEST(Latency, OneSampleIsEveryPercentile) {
    Record r;
    r.add(7);
    for (const uint32_t p : {0u, 1u, 50000u, 99999u, 100000u})
        EXPECT_EQ(r.percentile(p), 7u) << p;
}

TEST(Latency, NearestRank) {
    Record r;
    r.add(10, 99998);
    r.add(20);
    r.add(30);
    EXPECT_EQ(r.percentile(50000), 10u);
    EXPECT_EQ(r.percentile(99998), 10u); // 99,998 of 100,000 do not exceed 10
    EXPECT_EQ(r.percentile(99999), 20u);
    EXPECT_EQ(r.percentile(100000), 30u);
}

// Where the rank is not whole it is the next one: at least so many do not exceed it.
TEST(Latency, RanksRoundUp) {
    Record r;
    r.add(1);
    r.add(2);
    r.add(3);
    EXPECT_EQ(r.percentile(33333), 1u);
    EXPECT_EQ(r.percentile(33334), 2u);
    EXPECT_EQ(r.percentile(66667), 3u);
}

TEST(Latency, BinsEnd) {
    Record r;
    r.add(RTMUX_HISTOGRAM_BINS - 1);
    r.add(RTMUX_HISTOGRAM_BINS);
    r.add(UINT32_MAX);
    EXPECT_EQ(r.overflow, 2u);
    EXPECT_EQ(r.histogram[RTMUX_HISTOGRAM_BINS - 1], 1u);
    EXPECT_EQ(r.max, UINT32_MAX);
    EXPECT_EQ(r.sum, 2ull * RTMUX_HISTOGRAM_BINS - 1 + UINT32_MAX);
    EXPECT_EQ(r.percentile(33333), RTMUX_HISTOGRAM_BINS - 1);
    EXPECT_EQ(r.percentile(50000), UINT32_MAX); // beyond the bins only the largest is known
}

TEST(Latency, OnlyOverflow) {
    Record r;
    r.add(1000);
    r.add(2000);
    EXPECT_EQ(r.percentile(0), 1000u);
    EXPECT_EQ(r.percentile(100000), 2000u);
}

// A count that times 100,000 has more than 64 bits.
TEST(Latency, LongRuns) {
    Record r;
    r.add(5);
    r.add(9);
    r.count = 1ull << 60;
    r.histogram[5] = UINT32_MAX; // what a bin can hold is far less: the rest counts as beyond
    EXPECT_EQ(r.percentile(99999), 9u);
}

TEST(Latency, AgainstASortedList) {
    std::mt19937 random(1);
    for (int round = 0; round < 200; round++) {
        Record r;
        std::vector<uint32_t> all;
        for (unsigned i = 0, n = 1 + random() % 3000; i < n; i++) {
            all.push_back(random() % RTMUX_HISTOGRAM_BINS);
            r.add(all.back());
        }
        std::sort(all.begin(), all.end());
        for (const uint32_t p : {1u, 50000u, 90000u, 99000u, 99900u, 99990u, 99999u, 100000u}) {
            const size_t rank = (all.size() * p + 99999) / 100000;
            EXPECT_EQ(r.percentile(p), all[rank - 1]) << p << " of " << all.size();
        }
        EXPECT_EQ(r.min, all.front());
        EXPECT_EQ(r.max, all.back());
    }
}

} // namespace
