// SPDX-License-Identifier: GPL-2.0-only
#include "actor.hpp"
#include "machine.hpp"

#include <string>
#include <vector>

#include "kernel/soft_timer.hpp"

namespace {

using namespace rtos;

// A new machine before the first thread of a fixture.
struct Machine {
    Machine() {
        machine::reset(0);
        timer_thread.~TimerThread();
        new (&timer_thread) TimerThread;
    }
};

struct SoftTimers : Machine, testing::Test {
    struct Recorder {
        static void run(void *self) {
            Recorder &r = *static_cast<Recorder *>(self);
            EXPECT_FALSE(machine::masked());
            r.at.push_back(machine::counter());
            if (r.then)
                r.then();
        }
        std::vector<uint64_t> at;
        std::function<void()> then;
        SoftTimer timer{run, this};
    };

    Recorder a, b;
    Actor service{"timer", soft_timer_priority, [] { SoftTimer::run(nullptr); }};
};

constexpr uint64_t us = 24;

TEST_F(SoftTimers, RunInAThread) {
    a.then = [&] {
        EXPECT_EQ(&Thread::current(), &service.thread);
        EXPECT_FALSE(a.timer.active());
        EXPECT_EQ(Thread::sleep_for(microseconds(20)), Status::ok); // may block
    };
    a.timer.start({100 * us});
    b.timer.start({110 * us});
    EXPECT_TRUE(a.timer.active());
    EXPECT_EQ(a.timer.deadline(), Time{100 * us});
    machine::run_until(1000 * us);
    EXPECT_EQ(a.at, std::vector{100 * us});
    EXPECT_EQ(b.at, std::vector{120 * us}); // delayed by the other one
}

TEST_F(SoftTimers, PeriodsDoNotDrift) {
    a.timer.start({100 * us}, microseconds(50));
    a.then = [&] {
        EXPECT_TRUE(a.timer.active());
        machine::advance(7);
        if (a.at.size() == 5) {
            EXPECT_TRUE(a.timer.stop());
            EXPECT_FALSE(a.timer.stop());
        }
    };
    machine::run_until(1000 * us);
    EXPECT_EQ(a.at, (std::vector{100 * us, 150 * us, 200 * us, 250 * us, 300 * us}));
    EXPECT_EQ(a.timer.missed(), 0u);
}

TEST_F(SoftTimers, CountWhatTheyMiss) {
    a.timer.start({100 * us}, microseconds(50));
    a.then = [&] {
        if (a.at.size() == 1)
            machine::advance(180 * us); // 150 waits, 200 and 250 are missed
        else
            a.timer.stop();
    };
    machine::run_until(1000 * us);
    EXPECT_EQ(a.at, (std::vector{100 * us, 280 * us}));
    EXPECT_EQ(a.timer.missed(), 2u);
}

TEST_F(SoftTimers, StopAndRestartEvenWhenExpired) {
    a.then = [&] {
        machine::advance(50 * us); // b expires meanwhile and waits for the thread
        if (a.at.size() == 1) {
            EXPECT_TRUE(b.timer.active());
            EXPECT_TRUE(b.timer.stop());
            b.timer.start({200 * us});
        }
    };
    a.timer.start({100 * us});
    b.timer.start({120 * us});
    machine::run_until(1000 * us);
    EXPECT_EQ(b.at, std::vector{200 * us});
    EXPECT_FALSE(b.timer.stop());
}

TEST_F(SoftTimers, MayBeDestroyedByTheirHandlers) {
    auto *const r = new Recorder;
    std::string trace;
    r->then = [&] {
        trace = "gone";
        delete r;
    };
    r->timer.start({100 * us});
    machine::run_until(1000 * us);
    EXPECT_EQ(trace, "gone");
}

} // namespace
