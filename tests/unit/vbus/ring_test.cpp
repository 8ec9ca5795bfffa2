// SPDX-License-Identifier: GPL-2.0-only
// The ring against a model, at every place where it can wrap, as C and as C++.
#include "link.hpp"

#include <deque>
#include <gtest/gtest.h>
#include <random>

namespace {

using test::End;
using test::Link;

std::string pattern(uint32_t length, uint32_t seed) {
    std::string text(length, 0);
    for (uint32_t i = 0; i < length; i++)
        text[i] = static_cast<char>(seed * 131 + i * 7);
    return text;
}

struct Languages {
    const ring_api &rt, &guest;
};

class Ring : public testing::TestWithParam<Languages> {};

INSTANTIATE_TEST_SUITE_P(Languages, Ring,
                         testing::Values(Languages{ring_cpp, ring_c}, Languages{ring_c, ring_cpp},
                                         Languages{ring_c, ring_c}, Languages{ring_cpp, ring_cpp}),
                         [](const auto &languages) {
                             const auto name = [](const ring_api &api) {
                                 return std::string(api.language) == "C" ? "C" : "Cpp";
                             };
                             return std::string(name(languages.param.rt)) + "_" + name(languages.param.guest);
                         });

TEST_P(Ring, CarriesTypeFlagsTimestampAndPayload) {
    Link link(4096, 4096, GetParam().rt, GetParam().guest);
    ASSERT_TRUE(link.attach());
    ASSERT_EQ(link.rt.send("hello", 0xabcd, 0x1234, 0x0123'4567'89ab'cdef), VBUS_OK);
    std::string payload;
    vbus_message message;
    ASSERT_EQ(link.guest.recv(payload, message), VBUS_OK);
    EXPECT_EQ(payload, "hello");
    EXPECT_EQ(message.type, 0xabcd);
    EXPECT_EQ(message.flags, 0x1234);
    EXPECT_EQ(message.timestamp, 0x0123'4567'89ab'cdefu);
    EXPECT_EQ(link.guest.recv(payload), VBUS_AGAIN);
    EXPECT_EQ(link.guest.stats.violations, 0u);
}

// Every position of a small ring (also where the 32-bit index wraps) times every length.
TEST_P(Ring, EveryWrap) {
    for (const uint32_t size : {64u, 128u, 256u})
        for (uint32_t start = 0; start < 3 * size; start += 8)
            for (uint32_t length = 0; length <= vbus_max_length(size); length++) {
                Link link(size, size, GetParam().rt, GetParam().guest);
                ASSERT_TRUE(link.attach());
                Link::set_position(link.rt, link.guest, start - 2 * size);
                std::deque<std::string> model;
                std::string payload;
                vbus_result result;
                while ((result = link.rt.send(pattern(length, model.size()))) == VBUS_OK)
                    model.push_back(pattern(length, model.size()));
                ASSERT_EQ(result, VBUS_AGAIN);
                ASSERT_FALSE(model.empty()) << "an empty ring takes any record";
                ASSERT_LE(model.size() * vbus_record_size(length), size);
                for (const std::string &expected : model) {
                    ASSERT_EQ(link.guest.recv(payload), VBUS_OK) << size << ' ' << start << ' ' << length;
                    ASSERT_EQ(payload, expected);
                }
                ASSERT_EQ(link.guest.recv(payload), VBUS_AGAIN);
                ASSERT_EQ(link.rt.stats.violations + link.guest.stats.violations, 0u);
            }
}

// A large ring, with the longest records, and where the 32-bit index wraps.
TEST_P(Ring, Huge) {
    constexpr uint32_t size = 1u << 24;
    Link link(size, size, GetParam().rt, GetParam().guest);
    ASSERT_TRUE(link.attach());
    Link::set_position(link.rt, link.guest, -size - 8);
    std::string payload;
    for (uint32_t round = 0; round < 12; round++) {
        const std::string sent = pattern(vbus_max_length(size) - round, round);
        ASSERT_EQ(link.rt.send(sent), VBUS_OK);
        ASSERT_EQ(link.guest.recv(payload), VBUS_OK);
        ASSERT_EQ(payload, sent);
    }
    EXPECT_EQ(link.rt.stats.violations + link.guest.stats.violations, 0u);
}

TEST_P(Ring, TooLong) {
    Link link(256, 256, GetParam().rt, GetParam().guest);
    ASSERT_TRUE(link.attach());
    EXPECT_EQ(link.rt.send(std::string(65, 'x')), VBUS_TOO_LONG);
    EXPECT_EQ(link.rt.send(std::string(64, 'x')), VBUS_OK);
    vbus_slot slot;
    EXPECT_EQ(link.rt.api->tx_begin(&link.rt, 0xffffffff, &slot), VBUS_TOO_LONG);
    EXPECT_EQ(link.rt.api->tx_wait(&link.rt, 0xfffffff0), VBUS_TOO_LONG);
}

TEST_P(Ring, PeekIsRepeatableAndSlotsShrink) {
    Link link(256, 256, GetParam().rt, GetParam().guest);
    ASSERT_TRUE(link.attach());
    vbus_slot slot;
    ASSERT_EQ(link.rt.api->tx_begin(&link.rt, 60, &slot), VBUS_OK);
    std::memcpy(slot.payload, "abc", 3);
    slot.length = 3;
    ASSERT_EQ(link.rt.api->tx_commit(&link.rt, &slot, 1, 0, 0), VBUS_OK);
    EXPECT_EQ(link.rt.head, vbus_record_size(3));
    vbus_message once, twice;
    ASSERT_EQ(link.guest.api->rx_begin(&link.guest, &once), VBUS_OK);
    ASSERT_EQ(link.guest.api->rx_begin(&link.guest, &twice), VBUS_OK);
    EXPECT_EQ(once.payload, twice.payload);
    EXPECT_EQ(once.length, 3u);
}

// A receiver whose batch somebody else has taken meanwhile finds no more, and takes nothing new for rubbish.
TEST_P(Ring, AnotherReceiverTakesABatch) {
    Link link(256, 256, GetParam().rt, GetParam().guest);
    ASSERT_TRUE(link.attach());
    ASSERT_EQ(link.rt.send("first"), VBUS_OK);
    vbus_message mine;
    ASSERT_EQ(link.guest.api->rx_begin(&link.guest, &mine), VBUS_OK);
    std::string payload;
    for (int records = 0; records < 12;
         records++) { // around: what was to be the next one is in the middle of one
        ASSERT_EQ(link.guest.recv(payload), VBUS_OK);
        ASSERT_EQ(link.rt.send(std::string(60, '\xff')), VBUS_OK);
    }
    EXPECT_EQ(link.guest.api->rx_next(&link.guest, &mine), VBUS_AGAIN);
    EXPECT_EQ(link.guest.api->rx_release(&link.guest, &mine), VBUS_AGAIN);
    EXPECT_EQ(link.guest.stats.violations, 0u);
}

// Random traffic both ways, random lengths: what comes out is what the model says.
TEST_P(Ring, Model) {
    std::mt19937 random(1);
    for (int round = 0; round < 60; round++) {
        const uint32_t sizes[] = {64u << random() % 7, 64u << random() % 7};
        Link link(sizes[0], sizes[1], GetParam().rt, GetParam().guest);
        ASSERT_TRUE(link.attach());
        Link::set_position(link.rt, link.guest, -8u * (random() % 100));
        Link::set_position(link.guest, link.rt, -8u * (random() % 100));
        End *ends[] = {&link.rt, &link.guest};
        std::deque<std::string> model[2];
        for (int step = 0; step < 3000; step++) {
            const unsigned side = random() % 2;
            End &end = *ends[side];
            if (random() % 2) {
                const uint32_t longest = vbus_max_length(sizes[side]);
                std::string payload =
                    pattern(random() % (random() % 4 ? std::min(longest, 40u) + 1 : longest + 1), step);
                const vbus_result result = end.send(payload);
                ASSERT_TRUE(result == VBUS_OK || (result == VBUS_AGAIN && !model[side].empty()));
                if (result == VBUS_OK)
                    model[side].push_back(payload);
            } else {
                std::string payload;
                const vbus_result result = end.recv(payload);
                ASSERT_EQ(result, model[!side].empty() ? VBUS_AGAIN : VBUS_OK);
                if (result == VBUS_OK) {
                    ASSERT_EQ(payload, model[!side].front());
                    model[!side].pop_front();
                }
            }
        }
        EXPECT_EQ(link.rt.stats.violations + link.guest.stats.violations, 0u);
        EXPECT_EQ(link.rt.stats.tx_records - link.guest.stats.rx_records, model[0].size());
    }
}

TEST_P(Ring, OneDoorbellForABurst) {
    Link link(4096, 4096, GetParam().rt, GetParam().guest);
    ASSERT_TRUE(link.attach());
    (void)vbus_take_doorbell(&link.rt);
    vbus_message message;
    ASSERT_EQ(link.guest.api->rx_wait(&link.guest, &message), VBUS_AGAIN);
    unsigned doorbells = 0;
    for (int i = 0; i < 10; i++) {
        ASSERT_EQ(link.rt.send("x"), VBUS_OK);
        doorbells += vbus_take_doorbell(&link.rt);
    }
    EXPECT_EQ(doorbells, 1u);
    EXPECT_EQ(link.rt.stats.doorbells_saved, 9u);
}

// A side that was told VBUS_AGAIN by a wait sleeps until a doorbell: it never sleeps for ever.
TEST_P(Ring, NoLostWakeup) {
    std::mt19937 random(2);
    Link link(256, 128, GetParam().rt, GetParam().guest);
    ASSERT_TRUE(link.attach());
    bool receiver_sleeps = false, sender_sleeps = false;
    uint32_t wanted = 0;
    for (int step = 0; step < 200000; step++) {
        std::string payload;
        vbus_message message;
        if (random() % 2) { // the sender
            if (!sender_sleeps) {
                const uint32_t length = random() % 65;
                vbus_result result = link.rt.send(pattern(length, step));
                if (result == VBUS_AGAIN) {
                    wanted = length;
                    sender_sleeps = link.rt.api->tx_wait(&link.rt, length) == VBUS_AGAIN;
                }
                if (vbus_take_doorbell(&link.rt))
                    receiver_sleeps = false;
            }
        } else if (!receiver_sleeps) {
            if (link.guest.recv(payload) == VBUS_AGAIN)
                receiver_sleeps = link.guest.api->rx_wait(&link.guest, &message) == VBUS_AGAIN;
            if (vbus_take_doorbell(&link.guest))
                sender_sleeps = false;
        }
        if (receiver_sleeps) {
            ASSERT_EQ(link.rt.head, link.guest.tail) << "asleep beside a record, step " << step;
        }
        if (sender_sleeps) {
            const uint32_t used = link.rt.head - link.guest.tail;
            const bool fits = vbus_tx_need(&link.rt, wanted) <= 256 - used;
            ASSERT_FALSE(fits && used <= link.rt.tx_low) << "asleep beside the room, step " << step;
        }
    }
}

} // namespace
