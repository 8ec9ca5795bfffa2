// SPDX-License-Identifier: GPL-2.0-only
#include "machine.hpp"

#include <gtest/gtest.h>
#include <string>

#include <rtos/irq_lock.hpp>
#include <rtos/semaphore.hpp>

namespace {

using namespace rtos;

constexpr size_t stack = 4096;
std::string trace;

struct Semaphores : testing::Test {
    void SetUp() override {
        machine::reset();
        trace.clear();
    }
};

TEST_F(Semaphores, CountsWithoutWaiters) {
    Semaphore s(2);
    EXPECT_TRUE(s.try_take());
    EXPECT_EQ(s.release(), Status::ok);
    EXPECT_TRUE(s.try_take());
    EXPECT_TRUE(s.try_take());
    EXPECT_FALSE(s.try_take());
    Semaphore full(UINT32_MAX);
    EXPECT_EQ(full.release(), Status::full);
    EXPECT_EQ(full.count(), UINT32_MAX);
}

TEST_F(Semaphores, WakesByPriorityThenArrival) {
    static Semaphore s;
    static constexpr auto wait = [](void *name) {
        EXPECT_EQ(s.take(), Status::ok);
        trace += static_cast<const char *>(name);
    };
    char a[] = "a", b[] = "b", c[] = "c", d[] = "d";
    Thread low("low", 20, wait, a), first("first", 10, wait, b), second("second", 10, wait, c),
        high("high", 5, wait, d);
    // They arrive low first, each blocks before the next one starts.
    Thread *all[] = {&low, &first, &second, &high, nullptr};
    Thread driver(
        "driver", 25,
        [](void *threads) {
            for (Thread **t = static_cast<Thread **>(threads); *t; ++t)
                EXPECT_EQ((*t)->start(stack), Status::ok);
            {
                const IrqLock lock; // all are released before the first of them runs
                for (int i = 0; i < 4; ++i)
                    EXPECT_EQ(s.release(), Status::ok);
            }
        },
        all);
    ASSERT_EQ(driver.start(stack), Status::ok);
    machine::run_until(2000);
    EXPECT_EQ(trace, "dbca");
    EXPECT_EQ(s.count(), 0u);
}

TEST_F(Semaphores, UnitGoesToTheWaiterNotToAThief) {
    static Semaphore s;
    Thread waiter("waiter", 20, [](void *) {
        EXPECT_EQ(s.take(), Status::ok);
        trace += "waiter";
    });
    Thread thief("thief", 5, [](void *) {
        (void)Thread::sleep_for(microseconds(10));
        EXPECT_EQ(s.release(), Status::ok);
        EXPECT_FALSE(s.try_take());
    });
    ASSERT_EQ(waiter.start(stack), Status::ok);
    ASSERT_EQ(thief.start(stack), Status::ok);
    machine::run_until(24 * 100);
    EXPECT_EQ(trace, "waiter");
}

TEST_F(Semaphores, TimesOutAtTheDeadlineAndLeavesTheQueue) {
    static Semaphore s;
    Thread t("t", 5, [](void *) {
        const Time deadline = now() + microseconds(100);
        EXPECT_EQ(s.take(deadline), Status::timeout);
        EXPECT_GE(now(), deadline);
        EXPECT_LT(now(), deadline + Duration{machine::timer_tick});
        EXPECT_EQ(s.release(), Status::ok); // nobody waits any more
        EXPECT_EQ(s.count(), 1u);
        EXPECT_EQ(s.take({0}), Status::ok); // a deadline in the past still takes what is there
        EXPECT_EQ(s.take({0}), Status::timeout);
        trace += "done";
    });
    ASSERT_EQ(t.start(stack), Status::ok);
    machine::run_until(24 * 1000);
    EXPECT_EQ(trace, "done");
}

TEST_F(Semaphores, ReleaseStopsTheTimeout) {
    static Semaphore s;
    Thread waiter("waiter", 5, [](void *) {
        EXPECT_EQ(s.take_for(microseconds(100)), Status::ok);
        EXPECT_EQ(s.take_for(microseconds(300)), Status::timeout); // not ended by the first timeout
        EXPECT_GE(now(), Time{1000} + microseconds(350));
        trace += "done";
    });
    Thread releaser("releaser", 6, [](void *) {
        (void)Thread::sleep_for(microseconds(50));
        EXPECT_EQ(s.release(), Status::ok);
    });
    ASSERT_EQ(waiter.start(stack), Status::ok);
    ASSERT_EQ(releaser.start(stack), Status::ok);
    machine::run_until(24 * 1000);
    EXPECT_EQ(trace, "done");
}

// A release at every instant around the deadline: exactly one of the two wins, the unit is not lost.
TEST_F(Semaphores, ReleaseRacesWithTheTimeout) {
    for (uint64_t at = 2350; at <= 2450; ++at) {
        machine::reset(0);
        static Semaphore s;
        static Status result;
        Thread waiter("waiter", 5, [](void *) { result = s.take({2400}); });
        Thread releaser(
            "releaser", 6,
            [](void *when) {
                machine::advance(*static_cast<uint64_t *>(when));
                EXPECT_EQ(s.release(), Status::ok);
            },
            &at);
        ASSERT_EQ(waiter.start(stack), Status::ok);
        ASSERT_EQ(releaser.start(stack), Status::ok);
        machine::run_until(5000);
        EXPECT_EQ(result == Status::ok ? 0u : 1u, s.count()) << "release at " << at;
        EXPECT_EQ(result, at < 2400 ? Status::ok : Status::timeout) << "release at " << at;
        (void)s.try_take();
    }
}

TEST_F(Semaphores, BlockingInAnIsrIsRefused) {
    static Semaphore s;
    Thread t("t", 5, [](void *) {
        machine::interrupt([] {
            EXPECT_EQ(s.take(), Status::would_block);
            EXPECT_EQ(s.release(), Status::ok);
            EXPECT_EQ(s.take(), Status::ok); // there is one: nothing to wait for
        });
        trace += "done";
    });
    ASSERT_EQ(t.start(stack), Status::ok);
    machine::run_until(2000);
    EXPECT_EQ(trace, "done");
}

} // namespace
