// SPDX-License-Identifier: GPL-2.0-only
#include "machine.hpp"

#include <gtest/gtest.h>
#include <string>

#include "kernel/scheduler.hpp"
#include <rtos/semaphore.hpp>

namespace {

using namespace rtos;

std::string trace;
void note(const char *what) {
    trace += what;
}

struct Schedule : testing::Test {
    void SetUp() override {
        machine::reset();
        trace.clear();
    }
};

constexpr size_t stack = 4096;

TEST_F(Schedule, HighestPriorityFirstThenOrderOfArrival) {
    static constexpr auto say = [](void *text) { note(static_cast<const char *>(text)); };
    char a[] = "a", b[] = "b", c[] = "c", d[] = "d";
    Thread low("low", 30, say, a), first("first", 5, say, b), second("second", 5, say, c),
        top("top", 0, say, d);
    for (Thread *t : {&low, &first, &second, &top})
        ASSERT_EQ(t->start(stack), Status::ok);
    machine::run_until(2000);
    EXPECT_EQ(trace, "dbca");
    EXPECT_EQ(low.state(), Thread::State::ended);
}

TEST_F(Schedule, YieldGoesBehindEqualsOnly) {
    static constexpr auto twice = [](void *text) {
        note(static_cast<const char *>(text));
        EXPECT_EQ(Thread::yield(), Status::ok);
        note(static_cast<const char *>(text));
    };
    char a[] = "a", b[] = "b", c[] = "c";
    Thread one("one", 5, twice, a), two("two", 5, twice, b), lower("lower", 6, twice, c);
    for (Thread *t : {&one, &two, &lower})
        ASSERT_EQ(t->start(stack), Status::ok);
    machine::run_until(2000);
    EXPECT_EQ(trace, "ababcc");
}

TEST_F(Schedule, StartRefusesWhatItCannotDo) {
    static constexpr auto nothing = [](void *) {};
    Thread idle_level("a", idle_priority, nothing), beyond("b", priorities, nothing), good("c", 3, nothing);
    EXPECT_EQ(idle_level.start(stack), Status::invalid);
    EXPECT_EQ(beyond.start(stack), Status::invalid);
    EXPECT_EQ(good.start(minimum_stack - 1), Status::invalid);
    machine::record().memory = 4095;
    EXPECT_EQ(good.start(stack), Status::no_memory);
    machine::record().memory = 4096;
    EXPECT_EQ(good.start(stack), Status::ok);
    EXPECT_EQ(good.start(stack), Status::invalid);
    machine::run_until(2000);
}

TEST_F(Schedule, SleepIsAbsoluteAndDoesNotDrift) {
    static std::vector<uint64_t> woken;
    woken.clear();
    Thread periodic("periodic", 1, [](void *) {
        Time deadline = now();
        for (int i = 0; i < 50; ++i) {
            deadline = deadline + microseconds(500);
            EXPECT_EQ(Thread::sleep_until(deadline), Status::ok);
            EXPECT_GE(now(), deadline);
            woken.push_back(now().ticks - deadline.ticks);
            machine::advance(static_cast<uint64_t>(i) * 37);
        }
    });
    ASSERT_EQ(periodic.start(stack), Status::ok);
    machine::run_until(24 * 500 * 60);
    ASSERT_EQ(woken.size(), 50u);
    for (const uint64_t late : woken)
        EXPECT_LT(late, machine::timer_tick);
}

TEST_F(Schedule, SleepIntoThePastReturnsAtOnce) {
    Thread t("t", 1, [](void *) {
        const uint64_t before = machine::counter();
        EXPECT_EQ(Thread::sleep_until({5}), Status::ok);
        EXPECT_EQ(machine::counter(), before);
        note("done");
    });
    ASSERT_EQ(t.start(stack), Status::ok);
    machine::run_until(2000);
    EXPECT_EQ(trace, "done");
    EXPECT_EQ(machine::record().timer_interrupts, 0u);
}

TEST_F(Schedule, NothingBlocksWithIrqsMasked) {
    Thread t("t", 1, [](void *) {
        {
            const IrqLock lock;
            EXPECT_EQ(Thread::sleep_for(microseconds(5)), Status::would_block);
            EXPECT_EQ(Thread::yield(), Status::would_block);
        }
        machine::interrupt([] { EXPECT_EQ(Thread::sleep_for(microseconds(5)), Status::would_block); });
        note("done");
    });
    ASSERT_EQ(t.start(stack), Status::ok);
    machine::run_until(2000);
    EXPECT_EQ(trace, "done");
}

TEST_F(Schedule, InterruptPreemptsAndTheThreadGoesOnAfterwards) {
    static Semaphore event;
    Thread high("high", 1, [](void *) {
        EXPECT_EQ(event.take(), Status::ok);
        note("high ");
    });
    Thread low("low", 9, [](void *) {
        note("before ");
        machine::interrupt([] {
            EXPECT_EQ(event.release(), Status::ok);
            note("isr ");
        });
        note("after");
    });
    ASSERT_EQ(high.start(stack), Status::ok);
    ASSERT_EQ(low.start(stack), Status::ok);
    machine::run_until(2000);
    EXPECT_EQ(trace, "before isr high after");
}

TEST_F(Schedule, OutermostLockSwitches) {
    static Semaphore event;
    Thread high("high", 1, [](void *) {
        EXPECT_EQ(event.take(), Status::ok);
        note("high ");
    });
    Thread low("low", 9, [](void *) {
        {
            const IrqLock outer;
            {
                const IrqLock inner;
                EXPECT_EQ(event.release(), Status::ok);
            }
            EXPECT_TRUE(machine::masked());
            note("locked ");
        }
        EXPECT_FALSE(machine::masked());
        note("after");
    });
    ASSERT_EQ(high.start(stack), Status::ok);
    ASSERT_EQ(low.start(stack), Status::ok);
    machine::run_until(2000);
    EXPECT_EQ(trace, "locked high after");
}

TEST_F(Schedule, GuestIsHeldOnlyAtTheIdleThreadsEdges) {
    static constexpr auto naps = [](void *) {
        for (int i = 0; i < 3; ++i)
            (void)Thread::sleep_for(microseconds(10));
    };
    Thread a("a", 1, naps), b("b", 2, naps);
    ASSERT_EQ(a.start(stack), Status::ok);
    ASSERT_EQ(b.start(stack), Status::ok);
    machine::run_until(24 * 100);
    // First a and b run; then each of the three naps ends for both at once.
    EXPECT_EQ(machine::record().idle_left, 4u);
    EXPECT_EQ(machine::record().idle_entered, 4u);
    EXPECT_GT(machine::record().switches, 8u);
}

TEST_F(Schedule, RunTimeIsThatOfTheRunningThread) {
    Thread high("high", 1, [](void *) {
        (void)Thread::sleep_until({3000});
        machine::advance(500);
    });
    Thread low("low", 9, [](void *) { machine::advance(5000); });
    ASSERT_EQ(high.start(stack), Status::ok);
    ASSERT_EQ(low.start(stack), Status::ok);
    machine::run_until(20000);
    EXPECT_EQ(high.run_time().ticks, 500);
    EXPECT_EQ(low.run_time().ticks, 5000 - 500);
}

TEST_F(Schedule, RunTimeSurvivesTheCountersWrap) {
    static constexpr uint64_t long_time = 5ull << 32;
    Thread busy("busy", 9, [](void *) { machine::advance(long_time); });
    ASSERT_EQ(busy.start(stack), Status::ok);
    machine::run_until(long_time + 5000);
    EXPECT_EQ(busy.run_time().ticks, static_cast<int64_t>(long_time));
}

TEST_F(Schedule, FaultEndsOneThreadAlone) {
    static Semaphore event;
    Thread faulty("faulty", 1, [](void *) {
        machine::interrupt([] {}); // as the executive's abort entry: IRQs masked
        port::irq_save();
        Thread::end_current(Thread::State::faulted);
    });
    Thread other("other", 2, [](void *) {
        EXPECT_FALSE(machine::masked());
        note("other");
    });
    ASSERT_EQ(faulty.start(stack), Status::ok);
    ASSERT_EQ(other.start(stack), Status::ok);
    machine::run_until(2000);
    EXPECT_EQ(faulty.state(), Thread::State::faulted);
    EXPECT_EQ(trace, "other");
}

TEST_F(Schedule, StackHighWaterCountsWhatWasWritten) {
    Thread t("t", 1, [](void *) {});
    ASSERT_EQ(t.start(stack), Status::ok);
    EXPECT_EQ(t.stack_size(), stack);
    EXPECT_EQ(t.stack_high_water(), 0u); // this port runs threads on stacks of the host
    static_cast<uint8_t *>(const_cast<void *>(t.stack_base()))[stack - 100] = 0;
    EXPECT_EQ(t.stack_high_water(), 100u);
    machine::run_until(2000);
}

} // namespace
