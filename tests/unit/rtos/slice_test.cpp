// SPDX-License-Identifier: GPL-2.0-only
#include "actor.hpp"
#include "inspector.hpp"
#include "machine.hpp"

#include <rtos/semaphore.hpp>

namespace {

using namespace rtos;

constexpr int64_t slice = 24 * 100;

struct Slices : testing::Test {
    void SetUp() override { machine::reset(0); }
    static void run_until(uint64_t counter) {
        machine::run_until(counter);
        EXPECT_EQ(Inspector::check(), "");
    }

    // Works for so long in small steps, and notes when others ran in between.
    void work(char name, int64_t ticks) {
        for (int64_t t = 0; t < ticks; t += 24) {
            if (trace.empty() || trace.back() != name)
                trace += name;
            machine::advance(24);
        }
    }
    std::string trace;
};

TEST_F(Slices, EqualsTakeTurns) {
    Actor a("a", 5, [&] { work('a', 3 * slice); }), b("b", 5, [&] { work('b', 3 * slice); }),
        c("c", 6, [&] { work('c', slice); });
    for (Actor *t : {&a, &b, &c})
        t->thread.set_slice({slice});
    run_until(100 * slice);
    EXPECT_EQ(trace, "abababc");
    EXPECT_EQ(a.thread.run_time().ticks, 3 * slice);
}

TEST_F(Slices, NoSliceNoTurns) {
    Actor a("a", 5, [&] { work('a', 5 * slice); }), b("b", 5, [&] { work('b', 5 * slice); });
    b.thread.set_slice({slice});
    run_until(100 * slice);
    EXPECT_EQ(trace, "ab");
}

TEST_F(Slices, AloneNoTimer) {
    Actor a("a", 5, [&] { work('a', 50 * slice); });
    a.thread.set_slice({slice});
    run_until(100 * slice);
    EXPECT_EQ(machine::record().timer_interrupts, 0u);
}

TEST_F(Slices, PreemptedInTheMiddleKeepsTheRest) {
    Actor a("a", 5, [&] { work('a', 2 * slice); }), b("b", 5, [&] { work('b', 2 * slice); });
    Actor high("high", 1, [&] {
        (void)Thread::sleep_until({static_cast<uint64_t>(slice / 2)});
        work('H', 3 * slice); // longer than what is left of a's slice
    });
    for (Actor *t : {&a, &b})
        t->thread.set_slice({slice});
    run_until(100 * slice);
    EXPECT_EQ(trace, "aHabab");
}

TEST_F(Slices, AnEqualThatArrivesLaterGetsItsTurn) {
    Semaphore s;
    Actor late("late", 5, [&] {
        EXPECT_EQ(s.take(), Status::ok);
        work('l', slice);
    });
    Actor busy("busy", 5, [&] {
        // Alone for more than a slice, even for more than 32 bits can count
        machine::advance(10ull << 32);
        EXPECT_EQ(s.release(), Status::ok);
        work('b', 2 * slice);
    });
    busy.thread.set_slice({slice});
    run_until(11ull << 32);
    EXPECT_EQ(trace, "blb");
}

TEST_F(Slices, YieldStartsANewSlice) {
    Actor a("a", 5, [&] {
        work('a', slice - 240);
        EXPECT_EQ(Thread::yield(), Status::ok);
        work('A', slice - 240);
        trace += '.';
    });
    Actor b("b", 5, [&] { work('b', slice / 2); });
    for (Actor *t : {&a, &b})
        t->thread.set_slice({slice});
    run_until(100 * slice);
    EXPECT_EQ(trace, "abA.");
}

TEST_F(Slices, ShortAndLongSlices) {
    Actor a("a", 5, [&] { work('a', 4 * slice); }), b("b", 5, [&] { work('b', 2 * slice); });
    a.thread.set_slice({2 * slice});
    b.thread.set_slice({slice});
    run_until(100 * slice);
    EXPECT_EQ(trace, "abab");
}

TEST_F(Slices, LockedSchedulerPutsItOff) {
    Actor a("a", 5, [&] {
        {
            const SchedulerLock lock;
            work('a', 3 * slice);
        }
        work('A', slice);
    });
    Actor b("b", 5, [&] { work('b', slice / 2); });
    for (Actor *t : {&a, &b})
        t->thread.set_slice({slice});
    run_until(100 * slice);
    EXPECT_EQ(trace, "abA");
}

} // namespace
