// SPDX-License-Identifier: GPL-2.0-only
#include "machine.hpp"

#include <deque>
#include <gtest/gtest.h>
#include <map>
#include <random>
#include <set>

#include "kernel/timer_heap.hpp"

namespace {

using namespace rtos;

TEST(TimerHeap, AgreesWithASortedSet) {
    std::mt19937 random(1);
    std::deque<Timer> timers;
    for (int i = 0; i < 200; ++i)
        timers.emplace_back(nullptr, nullptr);
    TimerHeap heap;
    std::multiset<uint64_t> model;
    for (int step = 0; step < 20000; ++step) {
        Timer &t = timers[random() % timers.size()];
        if (t.active()) {
            heap.remove(t);
            model.erase(model.find(t.deadline().ticks));
        } else {
            const uint64_t deadline = random() % 1000;
            heap.insert(t, {deadline});
            model.insert(deadline);
        }
        for (unsigned steps = random() % 4; steps != 0 && !heap.settled(); --steps)
            heap.step();
        ASSERT_EQ(heap.empty(), model.empty());
        if (random() % 2) // leaves it unsettled
            continue;
        ASSERT_EQ(heap.first() == nullptr, model.empty());
        if (heap.first()) {
            ASSERT_EQ(heap.first()->deadline().ticks, *model.begin());
        }
    }
    while (Timer *first = heap.first()) { // what is left comes out in order
        ASSERT_EQ(first->deadline().ticks, *model.begin());
        model.erase(model.begin());
        heap.remove(*first);
    }
    EXPECT_TRUE(model.empty());
}

struct Expiry {
    Timer timer{[](void *self) { static_cast<Expiry *>(self)->at = machine::counter(); }, this};
    uint64_t at = 0;
};

// Many timers, started and stopped at random: each expires once, never early, at most one tick of
// the hardware late (the handlers take no time here), and a stopped one not at all.
TEST(TimerQueue, ExpiresInTime) {
    machine::reset(0);
    std::mt19937 random(2);
    std::deque<Expiry> expiries(300);
    std::vector<uint64_t> wanted(expiries.size());
    for (size_t i = 0; i < expiries.size(); ++i) {
        wanted[i] = 100 + random() % 1'000'000;
        expiries[i].timer.start({wanted[i]});
    }
    for (size_t i = 0; i < expiries.size(); i += 3) {
        EXPECT_TRUE(expiries[i].timer.stop());
        EXPECT_FALSE(expiries[i].timer.stop());
    }
    for (size_t i = 1; i < expiries.size(); i += 3) {
        wanted[i] = 100 + random() % 1'000'000;
        expiries[i].timer.start({wanted[i]}); // restart while active
    }
    machine::run_until(1'100'000);
    for (size_t i = 0; i < expiries.size(); ++i) {
        if (i % 3 == 0) {
            EXPECT_EQ(expiries[i].at, 0u);
            continue;
        }
        EXPECT_GE(expiries[i].at, wanted[i]);
        EXPECT_LT(expiries[i].at, wanted[i] + machine::timer_tick);
        EXPECT_FALSE(expiries[i].timer.active());
    }
}

// So that IRQs open between two handlers.
TEST(TimerQueue, OfManyAtOnceEachHasAnInterrupt) {
    machine::reset(0);
    static unsigned in_this_interrupt, most, total;
    static unsigned interrupt;
    in_this_interrupt = most = total = interrupt = 0;
    const auto count = [](void *) {
        if (machine::record().timer_interrupts != interrupt)
            in_this_interrupt = 0;
        interrupt = machine::record().timer_interrupts;
        most = std::max(most, ++in_this_interrupt);
        ++total;
    };
    std::deque<Timer> timers;
    for (int i = 0; i < 50; ++i)
        timers.emplace_back(count, nullptr).start({2400});
    machine::run_until(10000);
    EXPECT_EQ(total, 50u);
    EXPECT_EQ(most, 1u);
}

TEST(TimerQueue, HandlerRestartsWithoutDrift) {
    machine::reset(0);
    static Timer *self;
    static std::vector<uint64_t> at;
    at.clear();
    Timer timer(
        [](void *) {
            at.push_back(machine::counter());
            if (at.size() < 100)
                self->start(self->deadline() + Duration{1234});
        },
        nullptr);
    self = &timer;
    timer.start({1234});
    machine::run_until(1234 * 110);
    ASSERT_EQ(at.size(), 100u);
    for (size_t i = 0; i < at.size(); ++i) {
        EXPECT_GE(at[i], 1234 * (i + 1));
        EXPECT_LT(at[i], 1234 * (i + 1) + machine::timer_tick);
    }
}

// Also one of more than half the counter's range.
TEST(TimerQueue, NegativeDelayIsNone) {
    machine::reset();
    Expiry before, after;
    before.timer.start_after(seconds(-100));
    after.timer.start_after(microseconds(10));
    machine::run_until(24 * 1000);
    EXPECT_NE(before.at, 0u);
    EXPECT_LT(before.at, 1000 + 24 * 3u);
    EXPECT_NE(after.at, 0u);
    EXPECT_LT(after.at, 1000 + 24 * 13u);
}

TEST(Time, LongSpansInNanoseconds) {
    constexpr int64_t year = 366 * 86'400;
    EXPECT_EQ(seconds(250 * year).nanoseconds(), 250 * year * 1'000'000'000);
    EXPECT_EQ(seconds(-250 * year).nanoseconds(), -250 * year * 1'000'000'000);
    EXPECT_EQ(Duration{3}.nanoseconds(), 125);
}

TEST(TimerQueue, PastDeadlineExpiresSoon) {
    machine::reset(5000);
    Expiry e;
    e.timer.start({17});
    EXPECT_TRUE(e.timer.active());
    machine::run_until(6000);
    EXPECT_GE(e.at, 5000u);
    EXPECT_LE(e.at, 5000u + machine::timer_tick);
}

TEST(TimerQueue, NeverNeverExpires) {
    machine::reset(0);
    Expiry e;
    e.timer.start(Time::never());
    machine::run_until(10ull << 32);
    EXPECT_EQ(e.at, 0u);
    EXPECT_TRUE(e.timer.stop());
}

// Nothing but the idle thread for hours: the counter wraps many times and nobody reads the clock.
TEST(Clock, ExtendsTheCounterByItself) {
    machine::reset(0xffff'ff00);
    const Time first = now();
    const uint64_t hours = 2ull * 3600 * 24'000'000;
    static uint64_t deadline;
    deadline = machine::counter() + hours;
    Expiry e;
    e.timer.start(first + Duration{static_cast<int64_t>(hours)});
    machine::run_until(deadline + 1000);
    EXPECT_EQ((now() - first).ticks, static_cast<int64_t>(machine::counter() - 0xffff'ff00));
    EXPECT_GE(e.at, deadline);
    EXPECT_LT(e.at, deadline + machine::timer_tick);
    EXPECT_LT(machine::record().timer_interrupts, 2 * hours / 0x4000'0000 + 4);
}

TEST(Clock, RecordOfTheInterruptIsExact) {
    machine::reset(0);
    static TimerInterrupt seen;
    Timer timer([](void *) { seen = timer_interrupt(); }, nullptr);
    timer.start({1000});
    machine::run_until(2000);
    EXPECT_EQ(seen.expiry, 1008u); // 1000 in whole ticks of the hardware timer, rounded up
    EXPECT_EQ(seen.entry, 1008u);
}

TEST(Clock, UnitsConvert) {
    EXPECT_EQ(microseconds(500).ticks, 12000);
    EXPECT_EQ(seconds(2).microseconds(), 2'000'000);
    EXPECT_EQ(Duration{3}.nanoseconds(), 125);
    EXPECT_EQ(Duration{1}.nanoseconds(), 41);
    EXPECT_EQ((Time{10} - Time{30}).ticks, -20);
}

} // namespace
