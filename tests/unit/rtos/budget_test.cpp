// SPDX-License-Identifier: GPL-2.0-only
#include "actor.hpp"
#include "inspector.hpp"
#include "machine.hpp"

#include <list>
#include <rtos/budget.hpp>
#include <rtos/mutex.hpp>
#include <rtos/semaphore.hpp>

namespace {

using namespace rtos;

constexpr int64_t us = 24;
constexpr Duration runtime = microseconds(200), period = microseconds(1000);
constexpr int64_t slack = Budget::runtime_min.ticks + 2 * us; // the timer's tick, twice

struct Budgets : testing::Test {
    void SetUp() override { machine::reset(0); }

    // Something to happen in an interrupt, or at the start in a thread before all others.
    void at(int64_t when, std::function<void()> what) {
        Event &event = events.emplace_back();
        event.when = when;
        event.what = std::move(what);
    }
    void start(std::function<void()> what) { first = std::move(what); }
    void run_until(int64_t end) {
        Actor starter("starter", 0, [this] {
            first();
            for (Event &e : events)
                e.timer.start({static_cast<uint64_t>(e.when)});
        });
        machine::run_until(static_cast<uint64_t>(end));
        EXPECT_EQ(Inspector::check(), "");
    }
    // In steps: what is left of one when others come in between is theirs.
    static void work(int64_t ticks) {
        for (; ticks > 0; ticks -= us)
            machine::advance(us);
    }
    static void spin() {
        for (;;)
            machine::advance(us);
    }
    // The machine ends when nobody but the idle thread is ready.
    void end_at(int64_t when, Actor &a) {
        at(when, [&a] { (void)a.thread.suspend(); });
    }
    static int64_t ran(const Actor &a) { return a.thread.run_time().ticks; }

    struct Event {
        Timer timer{[](void *of) { static_cast<Event *>(of)->what(); }, this};
        int64_t when = 0;
        std::function<void()> what;
    };
    std::list<Event> events;
    std::function<void()> first = [] {};
};

TEST_F(Budgets, OneThatSpinsLeavesTheRest) {
    Actor a("a", 5, [] { spin(); });
    Budget budget;
    start([&] { EXPECT_EQ(budget.start(a.thread, runtime, period), Status::ok); });
    for (int n = 1; n <= 10; ++n)
        at(n * period.ticks - 10 * us, [&, n] {
            EXPECT_EQ(budget.overruns(), static_cast<uint32_t>(n));
            EXPECT_TRUE(budget.throttled());
            EXPECT_GE(ran(a), n * runtime.ticks);
            EXPECT_LE(ran(a), n * (runtime.ticks + slack));
        });
    at(10 * period.ticks - 5 * us, [&] {
        EXPECT_EQ(budget.stop(), Status::ok);
        EXPECT_FALSE(budget.throttled());
        EXPECT_EQ(a.thread.state(), ThreadState::ready);
    });
    end_at(10 * period.ticks, a);
    run_until(11 * period.ticks);
}

TEST_F(Budgets, OneThatKeepsItIsLeftAlone) {
    Actor a("a", 5, [] {
        for (Time next{}; next < Time{} + period * 100; (void)Thread::sleep_until(next = next + period))
            work(runtime.ticks - 5 * us);
    });
    Budget budget;
    start([&] { EXPECT_EQ(budget.start(a.thread, runtime, period), Status::ok); });
    at(99 * period.ticks, [&] {
        EXPECT_EQ(budget.overruns(), 0u);
        EXPECT_EQ(a.thread.missed_deadlines(), 0u);
    });
    run_until(102 * period.ticks);
    EXPECT_FALSE(budget.on()); // its thread has ended
}

TEST_F(Budgets, WhatOthersUseDoesNotCount) {
    Actor a("a", 5, [] {
        work(runtime.ticks / 2);
        (void)Thread::sleep_until({static_cast<uint64_t>(10 * period.ticks)});
    });
    Actor b("b", 4, [] {
        (void)Thread::sleep_until({static_cast<uint64_t>(runtime.ticks / 4)});
        work(3 * runtime.ticks);
    });
    Budget budget;
    start([&] { EXPECT_EQ(budget.start(a.thread, runtime, period), Status::ok); });
    at(period.ticks - 10 * us, [&] {
        EXPECT_EQ(budget.overruns(), 0u);
        EXPECT_EQ(budget.used().ticks, runtime.ticks / 2);
    });
    run_until(2 * period.ticks);
}

TEST_F(Budgets, ReportedOnlyItRunsOn) {
    static uint32_t calls;
    calls = 0;
    Actor a("a", 5, [] { spin(); });
    Budget budget(
        Budget::Overrun::report, [](Budget &, void *count) { ++*static_cast<uint32_t *>(count); }, &calls);
    start([&] { EXPECT_EQ(budget.start(a.thread, runtime, period), Status::ok); });
    at(10 * period.ticks - 10 * us, [&] {
        EXPECT_EQ(budget.overruns(), 10u);
        EXPECT_EQ(calls, 10u);
        EXPECT_FALSE(budget.throttled());
        EXPECT_GT(ran(a), 9 * period.ticks);
    });
    end_at(10 * period.ticks, a);
    run_until(11 * period.ticks);
}

TEST_F(Budgets, SuspensionAndThrottlingAreTwoThings) {
    Actor a("a", 5, [] { spin(); });
    Budget budget;
    int64_t before = 0;
    start([&] { EXPECT_EQ(budget.start(a.thread, runtime, period), Status::ok); });
    at(period.ticks / 2, [&] { // throttled by now
        EXPECT_EQ(a.thread.resume(), Status::invalid);
        EXPECT_EQ(a.thread.suspend(), Status::ok);
        before = ran(a);
    });
    at(3 * period.ticks + 100 * us, [&] {
        EXPECT_EQ(ran(a), before);
        EXPECT_EQ(a.thread.resume(), Status::ok);
    });
    at(3 * period.ticks + 250 * us, [&] { EXPECT_GT(ran(a), before + 100 * us); });
    at(4 * period.ticks - 10 * us, [&] { // suspended while it is throttled, resumed too early to run
        EXPECT_TRUE(budget.throttled());
        EXPECT_EQ(a.thread.suspend(), Status::ok);
        EXPECT_EQ(a.thread.resume(), Status::ok);
        EXPECT_EQ(a.thread.state(), ThreadState::suspended);
    });
    end_at(5 * period.ticks, a);
    run_until(6 * period.ticks);
}

TEST_F(Budgets, AWaitThatEndsWhileThrottledIsNotLost) {
    Semaphore semaphore;
    unsigned taken = 0;
    Actor a("a", 5, [&] {
        for (; taken < 19; ++taken) {
            work(300 * us);
            EXPECT_EQ(semaphore.take(), Status::ok);
        }
    });
    Budget budget;
    start([&] { EXPECT_EQ(budget.start(a.thread, runtime, period), Status::ok); });
    for (int n = 1; n < 20; ++n)
        at(n * period.ticks - 10 * us, [&] { (void)semaphore.release(); });
    run_until(40 * period.ticks);
    EXPECT_EQ(taken, 19u);
}

TEST_F(Budgets, OfAllTheGuestGetsTheRest) {
    Actor a("a", 3, [] { spin(); }), b("b", 5, [] { spin(); });
    Budget budget;
    start([&] { EXPECT_EQ(budget.start_total(runtime, period), Status::ok); });
    for (int n = 1; n <= 10; ++n)
        at(n * period.ticks - 10 * us, [&, n] {
            EXPECT_TRUE(budget.throttled());
            EXPECT_GE(ran(a) + slack, n * runtime.ticks);
            EXPECT_LE(ran(a), n * (runtime.ticks + slack));
            EXPECT_EQ(ran(b), 0); // priorities hold
            EXPECT_EQ(budget.overruns(), static_cast<uint32_t>(n));
        });
    at(10 * period.ticks - 5 * us, [&] { EXPECT_EQ(budget.stop(), Status::ok); });
    at(10 * period.ticks, [&] { EXPECT_EQ(&Thread::current(), &a.thread); });
    end_at(10 * period.ticks + us, a);
    end_at(10 * period.ticks + 2 * us, b);
    run_until(11 * period.ticks);
}

TEST_F(Budgets, OfAllButTheBest) {
    unsigned rounds = 0;
    Actor best("best", 1, [&] {
        for (Time next{}; rounds < 195; ++rounds) {
            machine::advance(10 * us);
            next = next + microseconds(100);
            (void)Thread::sleep_until(next);
        }
    });
    Actor spins("spins", 5, [] { spin(); });
    Budget budget;
    start([&] { EXPECT_EQ(budget.start_total(runtime, period, 2), Status::ok); });
    at(20 * period.ticks - 10 * us, [&] {
        EXPECT_EQ(best.thread.missed_deadlines(), 0u);
        EXPECT_EQ(rounds, 195u);
        EXPECT_LT(ran(spins), 20 * runtime.ticks);
        EXPECT_EQ(budget.stop(), Status::ok);
    });
    end_at(20 * period.ticks, spins);
    run_until(21 * period.ticks);
}

TEST_F(Budgets, AHolderIsThrottledWithItsMutexAndGoesOn) {
    Mutex mutex;
    int64_t got = 0;
    Actor holder("holder", 5, [&] {
        (void)mutex.lock();
        work(300 * us);
        (void)mutex.unlock();
    });
    Actor waiter("waiter", 2, [&] {
        (void)Thread::sleep_until({static_cast<uint64_t>(10 * us)});
        EXPECT_EQ(mutex.lock(), Status::ok);
        got = static_cast<int64_t>(now().ticks);
        (void)mutex.unlock();
    });
    Budget budget;
    start([&] { EXPECT_EQ(budget.start(holder.thread, runtime, period), Status::ok); });
    run_until(3 * period.ticks);
    EXPECT_GT(got, period.ticks);
    EXPECT_LT(got, 2 * period.ticks);
}

TEST_F(Budgets, WhatIsRefused) {
    Actor a("a", 5, [] { (void)Thread::sleep_until({static_cast<uint64_t>(period.ticks)}); });
    Thread created("created", 5, [](void *) {});
    Budget budget, other;
    start([&] {
        EXPECT_EQ(budget.stop(), Status::invalid);
        EXPECT_EQ(budget.start(created, runtime, period), Status::invalid);
        EXPECT_EQ(budget.start(a.thread, period, runtime), Status::invalid);
        EXPECT_EQ(budget.start(a.thread, Budget::runtime_min - Duration{1}, period), Status::invalid);
        EXPECT_EQ(budget.start(a.thread, runtime, Budget::period_max + Duration{1}), Status::invalid);
        EXPECT_EQ(budget.start_total(runtime, period, idle_priority), Status::invalid);
        EXPECT_EQ(budget.start_total(runtime, period), Status::ok);
        EXPECT_EQ(budget.start(a.thread, runtime, period), Status::invalid);
        EXPECT_EQ(other.start_total(runtime, period), Status::invalid);
        EXPECT_EQ(budget.stop(), Status::ok);
        EXPECT_EQ(other.start_total(runtime, period), Status::ok);
        EXPECT_EQ(other.stop(), Status::ok);
    });
    run_until(2 * period.ticks);
}

} // namespace
