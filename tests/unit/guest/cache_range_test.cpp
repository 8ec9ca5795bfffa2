// SPDX-License-Identifier: GPL-2.0-only
#include "guest/cache_range.hpp"

#include <gtest/gtest.h>
#include <random>
#include <utility>
#include <vector>

using namespace rtmux;

namespace {

using Parts = std::vector<std::pair<uint32_t, uint32_t>>;

Parts parts(uint32_t start, uint32_t end) {
    Parts result;
    for_each_page_part(start, end, [&](uint32_t from, uint32_t to) {
        ASSERT_LT(result.size(), 1u << 21) << "it does not end";
        result.emplace_back(from, to);
    });
    return result;
}

TEST(CacheRange, IsSplitAtPagesAndBeginsAtALine) {
    EXPECT_EQ(parts(0x1fd0, 0x3001), (Parts{{0x1fc0, 0x2000}, {0x2000, 0x3000}, {0x3000, 0x3001}}));
    EXPECT_EQ(parts(0x1000, 0x1001), (Parts{{0x1000, 0x1001}}));
}

TEST(CacheRange, EmptyAndInvertedAreNothing) {
    EXPECT_TRUE(parts(0x1000, 0x1000).empty());
    EXPECT_TRUE(parts(0x103f, 0x1001).empty());
    EXPECT_TRUE(parts(0xffffffff, 0).empty());
}

// Once, an end of 0xffffffff wrapped to 0 and never came.
TEST(CacheRange, EndsAtTheTopOfTheAddressSpace) {
    EXPECT_EQ(parts(0xffffe000, 0xffffffff), (Parts{{0xffffe000, 0xfffff000}, {0xfffff000, 0xffffffc0}}));
    EXPECT_TRUE(parts(0xffffffd0, 0xffffffff).empty());
}

TEST(CacheRange, CoversExactlyTheLinesOfRandomRanges) {
    std::mt19937 random{1};
    for (int n = 0; n < 20'000; n++) {
        const uint32_t start = random() | (n % 3 == 0 ? 0xffff0000 : 0);
        const uint32_t end = start + random() % 20'000;
        const uint32_t stop = end > 0xffffffc0 ? 0xffffffc0 : end;
        uint32_t at = start & ~63u;
        for (const auto &[from, to] : parts(start, end)) {
            ASSERT_EQ(from, at);
            ASSERT_LT(from, to);
            ASSERT_EQ(from >> 12, (to - 1) >> 12);
            at = to;
        }
        if (start < stop) {
            ASSERT_EQ(at, stop);
        }
    }
}

} // namespace
