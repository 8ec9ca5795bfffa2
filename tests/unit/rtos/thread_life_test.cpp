// SPDX-License-Identifier: GPL-2.0-only
// Beginnings and ends of threads, suspension, and async calls.
#include "actor.hpp"
#include "inspector.hpp"
#include "machine.hpp"

#include "kernel/system_thread.hpp"
#include <rtos/heap.hpp>
#include <rtos/mutex.hpp>
#include <rtos/semaphore.hpp>

namespace {

using namespace rtos;

struct ThreadLife : testing::Test {
    void SetUp() override { machine::reset(); }
    static void run_until(uint64_t counter) {
        machine::run_until(counter);
        EXPECT_EQ(Inspector::check(), "");
    }

    static unsigned alive() {
        unsigned n = 0;
        Thread::for_each([&n](Thread &) { ++n; });
        return n;
    }
    std::string trace;
};

TEST_F(ThreadLife, JoinReapsAndGivesTheStackBack) {
    static std::string ends;
    ends.clear();
    Actor a("a", 10, [&] { (void)Thread::sleep_for(microseconds(50)); });
    a.thread.set_end_hook([](Thread &t) { ends += t.name(); });
    Actor b("b", 5, [&] {
        EXPECT_EQ(b.thread.join(), Status::deadlock);
        EXPECT_EQ(a.thread.join(now() + microseconds(5)), Status::timeout);
        EXPECT_EQ(a.thread.join(), Status::ok);
        EXPECT_EQ(ends, "a");
        EXPECT_EQ(a.thread.stack_base(), nullptr);
        EXPECT_FALSE(a.thread.reap());
        EXPECT_EQ(a.thread.join(), Status::ok);
    });
    const int before = machine::record().stacks;
    run_until(24 * 1000);
    EXPECT_EQ(machine::record().stacks, before - 1);
    EXPECT_EQ(ends, "a");
}

TEST_F(ThreadLife, SystemThreadReaps) {
    static std::string ends;
    ends.clear();
    ASSERT_EQ(system_thread.start(), Status::ok);
    const int before = machine::record().stacks;
    Actor a("a", 10, [&] { (void)Thread::sleep_for(microseconds(50)); });
    a.thread.set_end_hook([](Thread &t) { ends += t.name(); });
    Actor b("b", 10, [&] {
        port::irq_save();
        Thread::end_current(Thread::State::faulted);
    });
    AsyncCall call([](void *) { ends += '!'; }, nullptr);
    EXPECT_TRUE(defer(call));
    EXPECT_FALSE(defer(call));
    run_until(24 * 1000);
    EXPECT_EQ(ends, "!a");
    EXPECT_EQ(machine::record().faults, std::vector<std::string>{"b"});
    EXPECT_EQ(machine::record().stacks, before);
    EXPECT_FALSE(call.pending());
}

TEST_F(ThreadLife, TerminateInEveryState) {
    Semaphore s;
    Mutex m;
    const auto never = [](const char *what) { ADD_FAILURE() << what << " ran after its end"; };
    Actor waits("waits", 10, [&] {
        (void)s.take(now() + seconds(1));
        never("waits");
    });
    Actor sleeps("sleeps", 10, [&] {
        (void)Thread::sleep_for(microseconds(400));
        never("sleeps");
    });
    Actor holds("holds", 10, [&] {
        EXPECT_EQ(m.lock(), Status::ok);
        (void)Thread::sleep_for(seconds(1));
        never("holds");
    });
    Actor suspended("suspended", 10, [&] {
        EXPECT_EQ(suspended.thread.suspend(), Status::ok);
        never("suspended");
    });
    Actor heir("heir", 12, [&] {
        EXPECT_EQ(m.lock(), Status::ok);
        trace += "heir";
        EXPECT_EQ(m.unlock(), Status::ok);
    });
    Thread created("created", 10, [](void *) {});
    ASSERT_EQ(created.give_stack(4096), Status::ok);
    Actor driver("driver", 5, [&] {
        (void)Thread::sleep_for(microseconds(10));
        EXPECT_EQ(s.waiters().count(), 1u);
        const int stacks = machine::record().stacks;
        Actor ready("ready", 20, [&] { never("ready"); });
        for (Thread *t :
             {&waits.thread, &sleeps.thread, &holds.thread, &ready.thread, &suspended.thread, &created}) {
            EXPECT_EQ(t->terminate(), Status::ok) << t->name();
            EXPECT_EQ(t->state(), Thread::State::ended);
            EXPECT_EQ(t->terminate(), Status::ended);
            EXPECT_EQ(t->resume(), Status::invalid);
            EXPECT_EQ(Inspector::check(), "");
        }
        EXPECT_EQ(machine::record().stacks, stacks - 5); // ready's came and went
        EXPECT_EQ(s.waiters().count(), 0u);
        EXPECT_EQ(s.release(), Status::ok);
        EXPECT_EQ(s.count(), 1u);
        machine::interrupt([&] { EXPECT_EQ(heir.thread.terminate(), Status::would_block); });
        EXPECT_EQ(driver.thread.terminate(), Status::ok); // does not return
        never("driver");
    });
    run_until(24 * 1000);
    EXPECT_EQ(trace, "heir");
    EXPECT_EQ(driver.thread.state(), Thread::State::ended);
}

TEST_F(ThreadLife, CreatedOnTheHeap) {
    ASSERT_EQ(system_thread.start(), Status::ok);
    const size_t used = system_heap().statistics().used;
    static std::string seen;
    seen.clear();
    Thread *const t = Thread::create(
        "dynamic", 10, [](void *text) { seen += static_cast<const char *>(text); }, const_cast<char *>("ran"),
        4096);
    ASSERT_NE(t, nullptr);
    EXPECT_GT(system_heap().statistics().used, used);
    EXPECT_EQ(t->start(), Status::ok);
    EXPECT_EQ(Thread::create(
                  "bad", priorities, [](void *) {}, nullptr, 4096),
              nullptr);
    EXPECT_EQ(Thread::create(
                  "small", 5, [](void *) {}, nullptr, minimum_stack - 1),
              nullptr);
    const unsigned before = alive();
    run_until(5000);
    EXPECT_EQ(seen, "ran");
    EXPECT_EQ(alive(), before - 1);
    EXPECT_EQ(system_heap().statistics().used, used);
}

TEST_F(ThreadLife, StackOfTheCallers) {
    alignas(8) static uint8_t stack[4096];
    Thread t("t", 5, [](void *) {});
    EXPECT_EQ(t.use_stack(nullptr, sizeof(stack)), Status::invalid);
    EXPECT_EQ(t.use_stack(stack + 1, 2048), Status::invalid);
    EXPECT_EQ(t.use_stack(stack, minimum_stack - 1), Status::invalid);
    EXPECT_EQ(t.start(), Status::invalid);
    EXPECT_EQ(t.use_stack(stack, sizeof(stack)), Status::ok);
    EXPECT_EQ(t.give_stack(4096), Status::invalid);
    const int before = machine::record().stacks;
    EXPECT_EQ(t.start(), Status::ok);
    run_until(2000);
    EXPECT_EQ(t.state(), Thread::State::ended);
    EXPECT_TRUE(t.reap());
    EXPECT_EQ(machine::record().stacks, before);
}

TEST_F(ThreadLife, SuspendAndResume) {
    Semaphore s;
    Actor waits("waits", 10, [&] {
        EXPECT_EQ(s.take(), Status::ok);
        trace += "w";
    });
    Actor times_out("times out", 10, [&] {
        EXPECT_EQ(s.take_for(microseconds(50)), Status::timeout);
        trace += "t";
    });
    Actor ready("ready", 20, [&] { trace += "r"; });
    Actor driver("driver", 5, [&] {
        EXPECT_EQ(ready.thread.resume(), Status::invalid);
        for (Actor *a : {&waits, &times_out})
            EXPECT_EQ(a->thread.state(), Thread::State::ready);
        EXPECT_EQ(ready.thread.suspend(), Status::ok);
        EXPECT_EQ(ready.thread.suspend(), Status::ok); // does not count
        EXPECT_EQ(ready.thread.state(), Thread::State::suspended);
        (void)Thread::sleep_for(microseconds(10));
        EXPECT_EQ(waits.thread.suspend(), Status::ok);
        EXPECT_EQ(times_out.thread.suspend(), Status::ok);
        EXPECT_EQ(waits.thread.state(), Thread::State::waiting);
        EXPECT_EQ(s.release(), Status::ok); // to waits
        EXPECT_EQ(waits.thread.state(), Thread::State::suspended);
        (void)Thread::sleep_for(microseconds(100));
        EXPECT_EQ(times_out.thread.state(), Thread::State::suspended);
        EXPECT_EQ(trace, "");
        EXPECT_EQ(Inspector::check(), "");
        for (Actor *a : {&times_out, &waits, &ready})
            EXPECT_EQ(a->thread.resume(), Status::ok);
    });
    run_until(24 * 1000);
    EXPECT_EQ(trace, "twr");
}

TEST_F(ThreadLife, SuspendsItselfAtTheEndOfTheLock) {
    Actor a("a", 5, [&] {
        {
            const IrqLock lock;
            EXPECT_EQ(a.thread.suspend(), Status::ok);
            trace += "1";
        }
        trace += "3";
    });
    Actor b("b", 6, [&] {
        trace += "2";
        EXPECT_EQ(a.thread.resume(), Status::ok);
        trace += "4";
    });
    run_until(2000);
    EXPECT_EQ(trace, "1234");
}

TEST_F(ThreadLife, AsyncCallEndsAWait) {
    Semaphore s;
    AsyncCall call(
        [](void *text) {
            EXPECT_FALSE(machine::masked());
            (void)Thread::sleep_for(microseconds(10)); // may block
            *static_cast<std::string *>(text) += Thread::current().name();
        },
        &trace);
    Actor a("a", 5, [&] {
        EXPECT_EQ(s.take(), Status::interrupted);
        EXPECT_EQ(trace, "a");
        EXPECT_EQ(s.take(), Status::interrupted);
        EXPECT_EQ(s.take_for(microseconds(500)), Status::timeout); // the next wait is not ended
    });
    Actor b("b", 6, [&] {
        EXPECT_EQ(a.thread.post(call), Status::ok);
        (void)Thread::sleep_for(microseconds(100));
        const IrqLock lock;
        EXPECT_EQ(a.thread.post(call), Status::ok); // it was free again when it ran
        EXPECT_EQ(b.thread.post(call), Status::invalid);
    });
    run_until(24 * 2000);
    EXPECT_EQ(trace, "aa");
}

TEST_F(ThreadLife, AsyncCallsReachReadySuspendedAndNewThreads) {
    std::vector<std::string> order;
    struct Note {
        std::vector<std::string> *order;
        AsyncCall call{
            [](void *self) { static_cast<Note *>(self)->order->push_back(Thread::current().name()); }, this};
    } to_new{&order}, to_self{&order}, to_suspended{&order}, cancelled{&order};
    Actor fresh("fresh", 10, [&] { order.push_back("begins"); });
    Actor suspended("suspended", 10, [&] { order.push_back("goes on"); });
    Actor driver("driver", 5, [&] {
        EXPECT_EQ(fresh.thread.post(to_new.call), Status::ok);
        EXPECT_EQ(suspended.thread.suspend(), Status::ok);
        EXPECT_EQ(suspended.thread.post(to_suspended.call), Status::ok);
        EXPECT_EQ(suspended.thread.post(cancelled.call), Status::ok);
        EXPECT_TRUE(cancelled.call.cancel());
        EXPECT_FALSE(cancelled.call.cancel());
        EXPECT_EQ(driver.thread.post(to_self.call), Status::ok);
        order.push_back("after");
        (void)Thread::sleep_for(microseconds(10));
        EXPECT_EQ(suspended.thread.resume(), Status::ok);
    });
    run_until(24 * 1000);
    EXPECT_EQ(order,
              (std::vector<std::string>{"driver", "after", "fresh", "begins", "suspended", "goes on"}));
}

TEST_F(ThreadLife, PriorityChanges) {
    Actor a("a", 10, [&] { trace += "a"; }), b("b", 10, [&] { trace += "b"; }),
        c("c", 20, [&] { trace += "c"; });
    Actor driver("driver", 5, [&] {
        EXPECT_EQ(c.thread.set_priority(8), Status::ok);
        EXPECT_EQ(a.thread.set_priority(idle_priority), Status::invalid);
        EXPECT_EQ(a.thread.set_priority(11), Status::ok);
        EXPECT_EQ(driver.thread.set_priority(9), Status::ok); // c runs now
        trace += "d";
        EXPECT_EQ(driver.thread.set_priority(10), Status::ok); // before b
        trace += "e";
    });
    run_until(2000);
    EXPECT_EQ(trace, "cdeba");
}

TEST_F(ThreadLife, MissedDeadlinesCount) {
    Actor a("a", 5, [&] {
        EXPECT_EQ(Thread::sleep_until({machine::counter() - 1}), Status::ok);
        EXPECT_EQ(Thread::sleep_until({machine::counter() + 100}), Status::ok);
        EXPECT_EQ(Thread::sleep_until(Time::past()), Status::ok);
        EXPECT_EQ(a.thread.missed_deadlines(), 2u);
    });
    run_until(5000);
}

// The joiner runs before terminate() returns, and its object is gone by then.
TEST_F(ThreadLife, TerminatedOneIsFreedByWhoJoinsIt) {
    static bool freed;
    freed = false;
    auto *const t = new Thread("t", 10, [](void *) { (void)Thread::sleep_for(seconds(1)); });
    t->set_end_hook([](Thread &ended) {
        delete &ended;
        freed = true;
    });
    ASSERT_EQ(t->start(4096), Status::ok);
    Actor joiner("joiner", 5, [&] { EXPECT_EQ(t->join(), Status::ok); });
    Actor killer("killer", 20, [&] {
        (void)Thread::sleep_for(microseconds(10));
        EXPECT_EQ(t->terminate(), Status::ok);
        EXPECT_TRUE(freed);
    });
    run_until(24 * 1000);
    EXPECT_TRUE(killer.thread.has_ended());
}

TEST_F(ThreadLife, NegativeSleepIsNone) {
    unsigned slept = 0;
    Actor a("a", 10, [&] {
        EXPECT_EQ(Thread::sleep_for(seconds(-1)), Status::ok); // longer than the clock runs
        ++slept;
        Semaphore s;
        EXPECT_EQ(s.take_for(seconds(-1)), Status::timeout);
        ++slept;
    });
    run_until(24 * 1000);
    EXPECT_EQ(slept, 2u);
}

// Whenever the joiner comes while the system thread reaps: after join() nobody is at work on the thread.
TEST_F(ThreadLife, JoinWaitsForWhoReaps) {
    for (unsigned when = 1; when < 12; ++when) {
        machine::reset();
        ASSERT_EQ(system_thread.start(), Status::ok);
        Semaphore go;
        unsigned joined = 0;
        Actor a("a", 10, [] { (void)Thread::sleep_for(microseconds(10)); });
        Actor joiner("joiner", 5, [&] {
            (void)go.take();
            EXPECT_TRUE(a.thread.has_ended());
            EXPECT_EQ(a.thread.join(), Status::ok);
            EXPECT_EQ(a.thread.stack_base(), nullptr) << when;
            ++joined;
        });
        unsigned opened = 0;
        machine::at_open([&] {
            if (a.thread.has_ended() && ++opened == when)
                machine::interrupt([&] { (void)go.release(); });
        });
        run_until(24 * 1000);
        EXPECT_TRUE(joined == 1 || opened < when);
    }
}

} // namespace
