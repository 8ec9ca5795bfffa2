// SPDX-License-Identifier: GPL-2.0-only
#include "fixture.hpp"

#include <algorithm>
#include <deque>
#include <gtest/gtest.h>
#include <random>
#include <rtdevice.h>
#include <vector>

namespace {

TEST(RingBuffer, AgreesWithAQueue) {
    std::mt19937 random(7);
    for (const rt_int32_t size : {8, 16, 24, 128}) {
        std::vector<rt_uint8_t> pool(static_cast<size_t>(size));
        rt_ringbuffer ring;
        rt_ringbuffer_init(&ring, pool.data(), size + 7); // rounded down
        ASSERT_EQ(rt_ringbuffer_get_size(&ring), static_cast<rt_uint32_t>(size));
        std::deque<rt_uint8_t> model;
        const size_t room = static_cast<size_t>(size);
        for (int round = 0; round < 20'000; ++round) {
            std::vector<rt_uint8_t> data(random() % (room + 10));
            std::generate(data.begin(), data.end(), [&] { return static_cast<rt_uint8_t>(random()); });
            const rt_uint32_t length = static_cast<rt_uint32_t>(data.size());
            switch (random() % 7) {
            case 0: {
                const size_t fits = std::min(data.size(), room - model.size());
                ASSERT_EQ(rt_ringbuffer_put(&ring, data.data(), length), fits);
                model.insert(model.end(), data.begin(), data.begin() + static_cast<ptrdiff_t>(fits));
                break;
            }
            case 1:
                ASSERT_EQ(rt_ringbuffer_put_force(&ring, data.data(), length), std::min(data.size(), room));
                model.insert(model.end(), data.begin(), data.end());
                while (model.size() > room)
                    model.pop_front();
                break;
            case 2: {
                const rt_uint8_t byte = static_cast<rt_uint8_t>(random());
                ASSERT_EQ(rt_ringbuffer_putchar(&ring, byte), model.size() < room ? 1u : 0u);
                if (model.size() < room)
                    model.push_back(byte);
                break;
            }
            case 3: {
                rt_uint8_t byte = 0;
                ASSERT_EQ(rt_ringbuffer_getchar(&ring, &byte), model.empty() ? 0u : 1u);
                if (!model.empty()) {
                    ASSERT_EQ(byte, model.front());
                    model.pop_front();
                }
                break;
            }
            case 4: {
                rt_uint8_t *at = nullptr;
                const rt_size_t run = rt_ringbuffer_peek(&ring, &at);
                ASSERT_LE(run, model.size());
                ASSERT_EQ(run == 0, model.empty());
                for (rt_size_t i = 0; i < run; ++i) {
                    ASSERT_EQ(at[i], model.front());
                    model.pop_front();
                }
                break;
            }
            default: {
                const size_t there = std::min(data.size(), model.size());
                ASSERT_EQ(rt_ringbuffer_get(&ring, data.data(), length), there);
                for (size_t i = 0; i < there; ++i) {
                    ASSERT_EQ(data[i], model.front());
                    model.pop_front();
                }
            }
            }
            ASSERT_EQ(rt_ringbuffer_data_len(&ring), model.size());
            ASSERT_EQ(rt_ringbuffer_space_len(&ring), room - model.size());
            ASSERT_EQ(rt_ringbuffer_status(&ring), model.empty()          ? RT_RINGBUFFER_EMPTY
                                                   : model.size() == room ? RT_RINGBUFFER_FULL
                                                                          : RT_RINGBUFFER_HALFFULL);
        }
    }
}

// The fields of the two sides are words that applications may read by their parts.
TEST(RingBuffer, MirrorTurnsOverAtTheEnd) {
    rt_uint8_t pool[8], byte;
    rt_ringbuffer ring;
    rt_ringbuffer_init(&ring, pool, 8);
    for (unsigned i = 0; i < 20; ++i) {
        EXPECT_EQ(ring.write_index, i % 8);
        EXPECT_EQ(ring.write_mirror, i / 8 % 2);
        EXPECT_EQ(rt_ringbuffer_putchar(&ring, 0), 1u);
        EXPECT_EQ(rt_ringbuffer_getchar(&ring, &byte), 1u);
        EXPECT_EQ(ring.read_word, ring.write_word);
    }
}

struct CreatedRingBuffer : Api {};

TEST_F(CreatedRingBuffer, OfNoSizeIsNone) {
    run([] {
        for (const rt_uint32_t size : {0u, 1u, unsigned{RT_ALIGN_SIZE} - 1, RT_UINT32_MAX})
            EXPECT_EQ(rt_ringbuffer_create(size), nullptr) << size;
        rt_ringbuffer *const ring = rt_ringbuffer_create(RT_ALIGN_SIZE + 1);
        ASSERT_TRUE(ring);
        EXPECT_EQ(rt_ringbuffer_get_size(ring), unsigned{RT_ALIGN_SIZE});
        rt_ringbuffer_destroy(ring);
    });
}

} // namespace
