// SPDX-License-Identifier: GPL-2.0-only
#include <gtest/gtest.h>
#include <sample_ring.hpp>

namespace {

using Ring = rtlat::SampleRing<uint32_t, 8>;

TEST(SampleRing, DropsTheNewOnesAndCountsThem) {
    Ring ring;
    for (uint32_t i = 0; i < 11; i++)
        ring.put(i);
    EXPECT_EQ(ring.dropped(), 3u);
    uint32_t count;
    const uint32_t *const samples = ring.oldest(count);
    ASSERT_EQ(count, 8u);
    for (uint32_t i = 0; i < 8; i++)
        EXPECT_EQ(samples[i], i);
}

TEST(SampleRing, EmptyHasNone) {
    Ring ring;
    uint32_t count = 1;
    (void)ring.oldest(count);
    EXPECT_EQ(count, 0u);
}

// What goes over the end comes in two pieces, in order; for all places and lengths, many times round.
TEST(SampleRing, GoesRound) {
    Ring ring;
    uint32_t put = 0, taken = 0;
    for (uint32_t round = 0; round < 1000; round++) {
        for (uint32_t i = 0; i < round % 9 && put - taken < 8; i++)
            ring.put(put++);
        for (uint32_t want = (round * 7) % 9, count = 1; want > 0 && count > 0;) {
            const uint32_t *const samples = ring.oldest(count);
            count = count < want ? count : want;
            for (uint32_t i = 0; i < count; i++)
                ASSERT_EQ(samples[i], taken + i);
            ring.take(count);
            taken += count;
            want -= count;
        }
    }
    EXPECT_GT(taken, 1000u);
    EXPECT_EQ(ring.dropped(), 0u);
}

TEST(SampleRing, ResetForgetsAll) {
    Ring ring;
    for (uint32_t i = 0; i < 20; i++)
        ring.put(i);
    ring.reset();
    uint32_t count;
    (void)ring.oldest(count);
    EXPECT_EQ(count, 0u);
    EXPECT_EQ(ring.dropped(), 0u);
    ring.put(5);
    EXPECT_EQ(*ring.oldest(count), 5u);
    EXPECT_EQ(count, 1u);
}

} // namespace
