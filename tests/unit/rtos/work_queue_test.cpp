// SPDX-License-Identifier: GPL-2.0-only
#include "actor.hpp"
#include "machine.hpp"

#include <memory>
#include <string>

#include <rtos/irq_lock.hpp>
#include <rtos/work_queue.hpp>

namespace {

using namespace rtos;

// A new machine before the first thread of a fixture.
struct Machine {
    Machine() { machine::reset(); }
};

struct Works : Machine, testing::Test {

    // A work that leaves its letter in the trace.
    struct Letter {
        Letter(std::string &trace, char c) : out(trace), letter(c), work(run, this) {}
        static void run(Work &w, void *self) {
            Letter &l = *static_cast<Letter *>(self);
            EXPECT_EQ(&w, &l.work);
            EXPECT_FALSE(machine::masked());
            EXPECT_FALSE(w.pending());
            l.out += l.letter;
            if (l.then)
                l.then();
        }
        std::string &out;
        char letter;
        Work work;
        std::function<void()> then;
    };

    std::string trace;
    WorkQueue queue;
    Letter a{trace, 'a'}, b{trace, 'b'}, c{trace, 'c'};
    Actor worker{"worker", 10, [this] { queue.run(); }};
};

TEST_F(Works, AreDoneInOrder) {
    Actor driver("driver", 20, [&] {
        {
            const IrqLock lock;
            EXPECT_EQ(queue.submit(a.work), Status::ok);
            EXPECT_EQ(queue.submit(b.work), Status::ok);
            EXPECT_EQ(queue.submit(a.work), Status::busy);
            EXPECT_EQ(queue.submit_urgent(c.work), Status::ok);
            EXPECT_TRUE(a.work.pending());
            EXPECT_FALSE(queue.idle());
        }
        EXPECT_EQ(trace, "cab");
        EXPECT_TRUE(queue.idle());
        machine::interrupt([&] { EXPECT_EQ(queue.submit(b.work), Status::ok); });
        EXPECT_EQ(trace, "cabb");
        {
            const IrqLock lock;
            EXPECT_EQ(queue.submit(a.work), Status::ok);
            EXPECT_EQ(queue.submit(b.work), Status::ok);
            EXPECT_EQ(queue.submit_urgent(b.work), Status::ok); // moved
        }
        EXPECT_EQ(trace, "cabbba");
    });
    machine::run_until(2000);
    EXPECT_EQ(trace, "cabbba");
}

TEST_F(Works, AreDoneAtTheirTime) {
    Actor driver("driver", 20, [&] {
        const Time start = now();
        a.then = [&] { EXPECT_GE(now(), start + microseconds(200)); };
        b.then = [&] {
            EXPECT_GE(now(), start + microseconds(100));
            EXPECT_LT(now(), start + microseconds(102));
        };
        EXPECT_EQ(queue.submit_at(a.work, start + microseconds(200)), Status::ok);
        EXPECT_EQ(queue.submit_at(b.work, start + microseconds(100)), Status::ok);
        EXPECT_EQ(queue.submit_at(b.work, start), Status::busy);
        EXPECT_EQ(queue.submit_at(c.work, start + microseconds(100)), Status::ok);
        EXPECT_EQ(queue.submit_urgent(c.work), Status::ok); // its delay is over
        EXPECT_EQ(trace, "c");
        EXPECT_TRUE(b.work.pending());
    });
    machine::run_until(24 * 1000);
    EXPECT_EQ(trace, "cba");
    EXPECT_TRUE(queue.idle());
}

TEST_F(Works, MaySubmitThemselves) {
    unsigned rounds = 0;
    a.then = [&] {
        if (++rounds == 4)
            return;
        EXPECT_EQ(queue.submit_at(a.work, now() + microseconds(10)), Status::ok);
    };
    Actor driver("driver", 20, [&] { EXPECT_EQ(queue.submit(a.work), Status::ok); });
    machine::run_until(24 * 1000);
    EXPECT_EQ(trace, "aaaa");
}

TEST_F(Works, MayDestroyThemselves) {
    auto *const letter = new Letter(trace, 'x');
    letter->then = [=] { delete letter; };
    Actor driver("driver", 20, [&] {
        EXPECT_EQ(queue.submit(letter->work), Status::ok);
        EXPECT_EQ(queue.submit(a.work), Status::ok);
    });
    // The lambda is a part of what it deletes: nothing of it may be used afterwards.
    machine::run_until(2000);
    EXPECT_EQ(trace, "xa");
}

TEST_F(Works, AreCancelled) {
    WorkQueue other;
    Actor driver("driver", 20, [&] {
        EXPECT_EQ(queue.cancel(a.work), Status::invalid);
        EXPECT_EQ(queue.cancel_sync(a.work), Status::invalid);
        {
            const IrqLock lock;
            EXPECT_EQ(queue.submit(a.work), Status::ok);
            EXPECT_EQ(queue.submit(b.work), Status::ok);
            EXPECT_EQ(other.cancel(b.work), Status::invalid);
            EXPECT_EQ(other.submit(b.work), Status::busy);
            EXPECT_EQ(other.submit_urgent(b.work), Status::busy);
            EXPECT_EQ(queue.cancel(b.work), Status::ok);
            EXPECT_FALSE(b.work.pending());
        }
        EXPECT_EQ(trace, "a");
        EXPECT_EQ(queue.submit_at(b.work, now() + microseconds(10)), Status::ok);
        EXPECT_EQ(queue.cancel_sync(b.work), Status::ok);
        {
            const IrqLock lock;
            EXPECT_EQ(queue.submit(a.work), Status::ok);
            EXPECT_EQ(queue.submit_at(c.work, now() + microseconds(10)), Status::ok);
            queue.cancel_all();
        }
        EXPECT_TRUE(queue.idle());
        (void)Thread::sleep_for(microseconds(100));
    });
    machine::run_until(24 * 1000);
    EXPECT_EQ(trace, "a");
}

TEST_F(Works, CancelSyncWaitsForTheEnd) {
    a.then = [&] {
        EXPECT_EQ(queue.cancel_sync(a.work), Status::deadlock);
        (void)Thread::sleep_for(microseconds(100));
        trace += '.';
    };
    Actor driver("driver", 5, [&] {
        EXPECT_EQ(queue.submit(a.work), Status::ok);
        (void)Thread::sleep_for(microseconds(10));
        EXPECT_EQ(queue.running(), &a.work);
        EXPECT_EQ(queue.cancel(a.work), Status::busy);
        machine::interrupt([&] { EXPECT_EQ(queue.cancel_sync(a.work), Status::would_block); });
        EXPECT_EQ(queue.submit(a.work), Status::ok); // once more, which is taken back
        EXPECT_EQ(queue.submit(b.work), Status::ok);
        EXPECT_EQ(queue.cancel_sync(a.work), Status::ok);
        trace += '!';
    });
    machine::run_until(24 * 1000);
    EXPECT_EQ(trace, "a.!b");
}

// What rt_workqueue_destroy() does.
TEST(WorkQueue, DestroyedWhileSomebodyWaitsForItsWork) {
    machine::reset();
    auto queue = std::make_unique<WorkQueue>();
    Work endless([](Work &, void *) { (void)Thread::sleep_for(seconds(10)); }, nullptr);
    Work pending([](Work &, void *) {}, nullptr);
    Status cancelled = Status::ok;
    Actor worker("worker", 10, [&] { queue->run(); });
    Actor canceller("canceller", 9, [&] {
        EXPECT_EQ(queue->submit(endless), Status::ok);
        (void)Thread::sleep_for(microseconds(10));
        cancelled = queue->cancel_sync(endless);
    });
    Actor destroyer("destroyer", 20, [&] {
        (void)Thread::sleep_for(microseconds(100));
        EXPECT_EQ(queue->submit(pending), Status::ok);
        EXPECT_EQ(worker.thread.terminate(), Status::ok);
        queue.reset();
        EXPECT_FALSE(pending.pending());
    });
    machine::run_until(24'000);
    EXPECT_FALSE(queue);
    EXPECT_EQ(cancelled, Status::deleted);
    EXPECT_TRUE(canceller.thread.has_ended());
}

} // namespace
