// SPDX-License-Identifier: GPL-2.0-only
#include <signal_queue.hpp>

#include <gtest/gtest.h>
#include <map>
#include <random>

namespace {

using namespace rtos::posix;

constexpr uint64_t all = ~uint64_t{0};

struct Queue : testing::Test {
    SignalQueue queue;
    SignalEntry entries[8];

    void put(int i, int number, uintptr_t value) {
        entries[i].info = {number, 0, value};
        queue.put(entries[i]);
    }
    // "number:value", or "none".
    std::string take(uint64_t wanted = all) {
        SignalInfo info;
        SignalEntry *e;
        if (!queue.take(wanted, info, e))
            return "none";
        return std::to_string(info.number) + ":" + (e ? std::to_string(info.value) : "bare");
    }
};

TEST_F(Queue, LowestNumberFirstThenArrival) {
    put(0, 40, 1);
    put(1, 33, 2);
    put(2, 40, 3);
    put(3, 33, 4);
    EXPECT_EQ(queue.set(), signal_bit(33) | signal_bit(40));
    EXPECT_EQ(take(), "33:2");
    EXPECT_TRUE(queue.has(33));
    EXPECT_EQ(take(), "33:4");
    EXPECT_FALSE(queue.has(33));
    EXPECT_EQ(take(), "40:1");
    EXPECT_EQ(take(), "40:3");
    EXPECT_EQ(take(), "none");
    EXPECT_EQ(queue.set(), 0u);
}

TEST_F(Queue, OnlyWhatIsWanted) {
    put(0, 33, 1);
    put(1, 34, 2);
    EXPECT_EQ(take(signal_bit(35)), "none");
    EXPECT_EQ(take(signal_bit(34) | signal_bit(35)), "34:2");
    EXPECT_EQ(take(), "33:1");
}

TEST_F(Queue, WithoutAnEntry) {
    queue.put_bare(9);
    put(0, 9, 5);
    EXPECT_EQ(take(), "9:5");
    queue.put_bare(9);
    EXPECT_EQ(take(), "9:bare");
    EXPECT_EQ(take(), "none");
}

TEST_F(Queue, RemovedEntries) {
    put(0, 33, 1);
    put(1, 33, 2);
    queue.remove(entries[0]);
    EXPECT_FALSE(entries[0].queued());
    EXPECT_TRUE(queue.has(33));
    queue.remove(entries[1]);
    EXPECT_FALSE(queue.has(33));
    EXPECT_EQ(take(), "none");
}

// Against the simplest queue there is.
TEST_F(Queue, LikeAModel) {
    std::mt19937 random(1);
    std::vector<SignalEntry> pool(32);
    std::multimap<int, uintptr_t> model; // of equal keys the order of insertion
    SignalPool spare;
    for (SignalEntry &e : pool)
        spare.add(e);
    for (uintptr_t step = 0; step < 20000; ++step) {
        if (random() % 2) {
            SignalEntry *const e = spare.take();
            EXPECT_EQ(e == nullptr, model.size() == pool.size());
            if (!e)
                continue;
            e->info = {static_cast<int>(1 + random() % 63), 0, step};
            queue.put(*e);
            model.emplace(e->info.number, step);
        } else {
            const uint64_t wanted = (uint64_t{random()} << 32 | random()) & ~uint64_t{1};
            SignalInfo info;
            SignalEntry *e = nullptr;
            auto expected = model.begin();
            while (expected != model.end() && !(wanted & signal_bit(expected->first)))
                ++expected;
            ASSERT_EQ(queue.take(wanted, info, e), expected != model.end());
            if (expected == model.end())
                continue;
            ASSERT_EQ(info.number, expected->first);
            ASSERT_EQ(info.value, expected->second);
            spare.add(*e);
            model.erase(expected);
        }
        uint64_t set = 0;
        for (const auto &[number, value] : model)
            set |= signal_bit(number);
        ASSERT_EQ(queue.set(), set);
    }
}

} // namespace
