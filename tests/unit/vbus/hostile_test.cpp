// SPDX-License-Identifier: GPL-2.0-only
// Whatever the peer writes, and whenever: bounded work inside the rings, counted, one channel only.
#include "hostile.hpp"
// (The ring above loads through the hostile peer.)
#include "link.hpp"

#include <atomic>
#include <gtest/gtest.h>
#include <random>
#include <thread>

const ring_api ring_c = RING_API("C++");
const ring_api ring_cpp = RING_API("C++");

namespace {

using test::End;
using test::Link;

TEST(Hostile, BetweenAnyTwoLoads) {
    std::mt19937 random(4);
    vbus_stats all = {};
    for (int round = 0; round < 400; round++) {
        vbus_stats stats = {};
        ASSERT_STREQ(test::drive([&] { return static_cast<uint32_t>(random()); }, 2000, stats), nullptr)
            << "round " << round;
        all.tx_records += stats.tx_records;
        all.rx_records += stats.rx_records;
        all.violations += stats.violations;
        all.resets += stats.resets;
    }
    // The peer was convincing enough to reach everything.
    EXPECT_GT(all.tx_records, 1000u);
    EXPECT_GT(all.rx_records, 1000u);
    EXPECT_GT(all.violations, 1000u);
    EXPECT_GT(all.resets, all.violations);
}

// A real thread that scribbles over the whole region while the RT side works.
TEST(Hostile, ScribblingThread) {
    Link link(1024, 1024);
    ASSERT_TRUE(link.attach());
    std::atomic<bool> stop{false};
    std::thread scribbler([&] {
        std::mt19937 random(5);
        auto *words = reinterpret_cast<uint32_t *>(link.memory.get());
        const vbus_side *rt = link.rt.mine;
        auto *line = reinterpret_cast<vbus_side *>(link.memory.get() + link.channel.control) + 1;
        while (!stop) {
            for (int i = 0; i < 8; i++)
                __atomic_store_n(&words[random() % (link.size / 4)], random(), __ATOMIC_RELAXED);
            __atomic_store_n(&line->epoch, random() % 4, __ATOMIC_RELAXED);
            __atomic_store_n(&line->peer_epoch, __atomic_load_n(&rt->epoch, __ATOMIC_RELAXED),
                             __ATOMIC_RELAXED);
            __atomic_store_n(&line->head, __atomic_load_n(&rt->tail, __ATOMIC_RELAXED) + 8 * (random() % 8),
                             __ATOMIC_RELAXED);
        }
    });
    std::string payload;
    for (int i = 0; i < 300000; i++) {
        vbus_message message;
        (void)link.rt.send(std::string(i % 257, 'x'));
        if (link.rt.api->rx_begin(&link.rt, &message) == VBUS_OK) {
            const auto offset = static_cast<const uint8_t *>(message.payload) -
                                (link.memory.get() + link.channel.to_rt.offset);
            ASSERT_LE(offset + message.length, 1024u);
            payload.assign(static_cast<const char *>(message.payload), message.length);
            (void)link.rt.api->rx_release(&link.rt, &message);
        }
    }
    stop = true;
    scribbler.join();
    EXPECT_GT(link.rt.stats.violations, 0u);
    // And it can be talked to again.
    link.guest = End(ring_c);
    ASSERT_TRUE(link.attach());
    ASSERT_EQ(link.guest.send("sorry"), VBUS_OK);
    ASSERT_EQ(link.rt.recv(payload), VBUS_OK);
    EXPECT_EQ(payload, "sorry");
}

// Each thing that no correct peer does is one violation, and ends with a reset that heals.
TEST(Hostile, EachViolationIsCounted) {
    using Act = void (*)(Link &);
    static uint32_t *(*ring)(Link &) = [](Link &link) {
        return reinterpret_cast<uint32_t *>(link.memory.get() + link.channel.to_rt.offset);
    };
    const struct {
        const char *what;
        Act act;
        bool sender; // seen by a sender that looks for room, not by a receive
    } cases[] = {
        {"head beyond the ring", [](Link &l) { l.guest.mine->head += 256 + 8; }, false},
        {"head before the tail", [](Link &l) { l.guest.mine->head -= 8; }, false},
        {"head between records", [](Link &l) { l.guest.mine->head += 20; }, false},
        {"length beyond the head",
         [](Link &l) {
             ring(l)[0] = 32;
             l.guest.mine->head += 24;
         },
         false},
        {"length beyond a quarter",
         [](Link &l) {
             ring(l)[0] = 65;
             l.guest.mine->head += 256;
         },
         false},
        {"length that wraps",
         [](Link &l) {
             ring(l)[0] = 0xfffffff0;
             l.guest.mine->head += 256;
         },
         false},
        {"no room for a header",
         [](Link &l) {
             ring(l)[0] = 0;
             l.guest.mine->head += 8;
         },
         false},
        {"skip at the start",
         [](Link &l) {
             ring(l)[0] = VBUS_SKIP;
             l.guest.mine->head += 256;
         },
         false},
        {"skip alone",
         [](Link &l) {
             Link::set_position(l.guest, l.rt, 232);
             ring(l)[232 / 4] = VBUS_SKIP;
             l.guest.mine->head += 24;
         },
         false},
        {"skip beyond the head",
         [](Link &l) {
             Link::set_position(l.guest, l.rt, 216);
             ring(l)[216 / 4] = VBUS_SKIP;
             ring(l)[0] = 16;
             l.guest.mine->head += 32;
         },
         false},
        {"skip twice",
         [](Link &l) {
             Link::set_position(l.guest, l.rt, 232);
             ring(l)[232 / 4] = ring(l)[0] = VBUS_SKIP;
             l.guest.mine->head += 256;
         },
         false},
        {"record over the end",
         [](Link &l) {
             Link::set_position(l.guest, l.rt, 232);
             ring(l)[232 / 4] = 16;
             l.guest.mine->head += 64;
         },
         false},
        {"tail beyond the head", [](Link &l) { l.guest.mine->tail += 8; }, true},
        {"tail a ring behind", [](Link &l) { l.guest.mine->tail -= 256 + 8; }, true},
        {"tail between records", [](Link &l) { l.guest.mine->tail -= 4; }, true},
        {"adoption taken back", [](Link &l) { l.guest.mine->peer_epoch--; }, true},
    };
    for (const auto &c : cases) {
        Link link(256, 256);
        ASSERT_TRUE(link.attach());
        std::string payload;
        c.act(link);
        EXPECT_EQ(c.sender ? link.rt.api->tx_wait(&link.rt, 1) : link.rt.recv(payload), VBUS_RESET) << c.what;
        EXPECT_EQ(link.rt.stats.violations, 1u) << c.what;
        EXPECT_EQ(link.rt.generation, 1u) << c.what;
        ASSERT_TRUE(link.meet()) << c.what;
        ASSERT_EQ(link.guest.send("healed"), VBUS_OK);
        ASSERT_EQ(link.rt.recv(payload), VBUS_OK) << c.what;
        EXPECT_EQ(payload, "healed");
        EXPECT_EQ(link.rt.stats.violations, 1u) << c.what;
    }
}

// A correct peer that resets, or adopts a reset, is interrupted after any of its stores by an
// operation of ours, or comes between any two of its loads: never a stale record, never a violation.
// The indices are where a rewound one, 0, looks like a record ahead, and an old one like nonsense.
TEST(Interleaved, ResetAndAdoption) {
    for (const bool adoption : {false, true})
        for (const bool sending : {false, true})
            for (unsigned load = 1; load <= 8; load++)
                for (size_t stores = 0; stores <= 10; stores++) {
                    Link link(256, 256);
                    ASSERT_TRUE(link.attach());
                    Link::set_position(link.rt, link.guest, -64u);
                    Link::set_position(link.guest, link.rt, -64u);
                    if (adoption)
                        link.rt.api->reset(&link.rt);
                    std::vector<test::Store> stored;
                    test::kept_back = &stored;
                    if (adoption)
                        (void)link.guest.poll();
                    else
                        link.guest.api->reset(&link.guest);
                    test::kept_back = nullptr;
                    ASSERT_LE(stored.size(), 10u);
                    size_t made = 0;
                    const auto make = [&](size_t limit) {
                        for (; made < std::min(limit, stored.size()); made++)
                            stored[made].make();
                    };
                    test::hostile.loads = 0;
                    test::hostile.on_load = [&] {
                        if (test::hostile.loads == load)
                            make(stores);
                    };
                    std::string payload;
                    const vbus_result result =
                        sending ? link.rt.api->tx_wait(&link.rt, 1) : link.rt.recv(payload);
                    test::hostile.on_load = nullptr;
                    if (!sending) {
                        ASSERT_NE(result, VBUS_OK) << "stale: load " << load << ", stores " << stores;
                    }
                    make(stored.size());
                    ASSERT_TRUE(link.meet());
                    ASSERT_EQ(link.rt.stats.violations + link.guest.stats.violations, 0u)
                        << "adoption " << adoption << ", load " << load << ", stores " << stores;
                }
}

// A guest opens anew while the RT side meets, and sends to, the life that it had before.
TEST(Interleaved, OpenDuringAdoption) {
    for (size_t stores = 0; stores <= 10; stores++) {
        Link link(256, 256);
        link.open_guest();
        (void)link.guest.poll(); // it has adopted; the RT side has not looked yet
        link.guest = End(ring_c);
        std::vector<test::Store> stored;
        test::kept_back = &stored;
        link.open_guest();
        test::kept_back = nullptr;
        ASSERT_LE(stored.size(), 10u);
        for (size_t i = 0; i < stored.size(); i++) {
            if (i == stores)
                (void)link.rt.send("stale");
            stored[i].make();
        }
        std::string payload;
        EXPECT_NE(link.guest.recv(payload), VBUS_OK) << "of a former life, stores " << stores;
        ASSERT_TRUE(link.meet());
        EXPECT_EQ(link.rt.stats.violations + link.guest.stats.violations, 0u);
    }
}

} // namespace
