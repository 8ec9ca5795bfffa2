// SPDX-License-Identifier: GPL-2.0-only
#include "actor.hpp"
#include "inspector.hpp"
#include "machine.hpp"

#include <rtos/mutex.hpp>
#include <rtos/semaphore.hpp>

namespace {

using namespace rtos;

struct Mutexes : testing::Test {
    void SetUp() override { machine::reset(); }
    static void run_until(uint64_t counter) {
        machine::run_until(counter);
        EXPECT_EQ(Inspector::check(), "");
    }
};

TEST_F(Mutexes, RecursiveCounts) {
    Mutex m;
    Actor a("a", 5, [&] {
        EXPECT_EQ(m.unlock(), Status::not_owner);
        for (unsigned i = 1; i <= 3; ++i) {
            EXPECT_EQ(m.lock(), Status::ok);
            EXPECT_EQ(m.holds(), i);
        }
        EXPECT_EQ(m.try_lock(), Status::ok);
        for (int i = 0; i < 4; ++i)
            EXPECT_EQ(m.unlock(), Status::ok);
        EXPECT_EQ(m.owner(), nullptr);
        EXPECT_EQ(m.unlock(), Status::not_owner);
    });
    run_until(2000);
}

TEST_F(Mutexes, ErrorCheckSeesDeadlocks) {
    Mutex one(Mutex::Kind::error_check), two(Mutex::Kind::error_check);
    Actor a("a", 5, [&] {
        EXPECT_EQ(one.lock(), Status::ok);
        EXPECT_EQ(one.lock(), Status::deadlock);
        EXPECT_EQ(one.try_lock(), Status::busy);
        (void)Thread::sleep_for(microseconds(10));
        EXPECT_EQ(two.lock(), Status::deadlock); // b has it, and waits for one
        EXPECT_EQ(one.unlock(), Status::ok);
    });
    Actor b("b", 6, [&] {
        EXPECT_EQ(two.lock(), Status::ok);
        EXPECT_EQ(one.lock(), Status::ok);
        EXPECT_EQ(one.unlock(), Status::ok);
        EXPECT_EQ(two.unlock(), Status::ok);
    });
    run_until(5000);
    EXPECT_TRUE(b.thread.has_ended());
}

TEST_F(Mutexes, NormalWaitsForItself) {
    Mutex m(Mutex::Kind::normal);
    Actor a("a", 5, [&] {
        EXPECT_EQ(m.lock(), Status::ok);
        EXPECT_EQ(m.lock_for(microseconds(50)), Status::timeout);
        EXPECT_EQ(m.unlock(), Status::ok);
    });
    run_until(5000);
    EXPECT_TRUE(a.thread.has_ended());
}

TEST_F(Mutexes, OwnerInheritsThroughAChain) {
    Mutex first, second, third;
    std::vector<unsigned> seen;
    Actor low("low", 20, [&] {
        EXPECT_EQ(first.lock(), Status::ok);
        (void)Thread::sleep_for(microseconds(100)); // the others arrive
        seen.push_back(low.thread.priority());
        EXPECT_EQ(first.unlock(), Status::ok);
        seen.push_back(low.thread.priority());
    });
    Actor middle("middle", 15, [&] {
        (void)Thread::sleep_for(microseconds(10));
        EXPECT_EQ(second.lock(), Status::ok);
        EXPECT_EQ(first.lock(), Status::ok);
        seen.push_back(middle.thread.priority());
        EXPECT_EQ(first.unlock(), Status::ok);
        EXPECT_EQ(second.unlock(), Status::ok);
        seen.push_back(middle.thread.priority());
    });
    Actor high("high", 2, [&] {
        (void)Thread::sleep_for(microseconds(20));
        EXPECT_EQ(second.lock(), Status::ok);
        seen.push_back(100);
        EXPECT_EQ(second.unlock(), Status::ok);
    });
    Actor hog("hog", 10, [&] { // would keep low from running for ever
        (void)Thread::sleep_for(microseconds(30));
        machine::advance(24 * 500);
        seen.push_back(200);
    });
    run_until(24 * 2000);
    // low with high's priority; then middle with it; then high; the hog waits for all that
    EXPECT_EQ(seen, (std::vector<unsigned>{2, 2, 100, 200, 15, 20}));
}

// At the time of each step: what low's priority must be.
TEST_F(Mutexes, InheritanceEndsWithTimeoutsTerminationAndChanges) {
    Mutex m;
    Actor low("low", 20, [&] {
        EXPECT_EQ(m.lock(), Status::ok);
        machine::advance(24 * 1000);
        EXPECT_EQ(m.unlock(), Status::ok);
    });
    // Each comes after those of lower priority: low would keep them from running
    Actor changing("changing", 15, [&] {
        (void)Thread::sleep_for(microseconds(10));
        EXPECT_EQ(m.lock(), Status::ok);
        EXPECT_EQ(m.unlock(), Status::ok);
    });
    Actor victim("victim", 8, [&] {
        (void)Thread::sleep_for(microseconds(20));
        (void)m.lock();
        ADD_FAILURE() << "ran after its end";
    });
    Actor impatient("impatient", 5, [&] {
        (void)Thread::sleep_for(microseconds(30));
        EXPECT_EQ(m.lock_for(microseconds(100)), Status::timeout);
        EXPECT_EQ(low.thread.priority(), 8u); // the victim's
    });
    Actor driver("driver", 1, [&] {
        (void)Thread::sleep_for(microseconds(50));
        EXPECT_EQ(low.thread.priority(), 5u);
        EXPECT_EQ(m.waiters().count(), 3u);
        (void)Thread::sleep_for(microseconds(100));
        EXPECT_EQ(low.thread.priority(), 8u);
        EXPECT_EQ(victim.thread.terminate(), Status::ok);
        EXPECT_EQ(low.thread.priority(), 15u);
        EXPECT_EQ(changing.thread.set_priority(3), Status::ok);
        EXPECT_EQ(low.thread.priority(), 3u);
        EXPECT_EQ(changing.thread.set_priority(25), Status::ok);
        EXPECT_EQ(low.thread.priority(), 20u);
        EXPECT_EQ(low.thread.set_priority(22), Status::ok);
        EXPECT_EQ(low.thread.priority(), 22u);
        EXPECT_EQ(Inspector::check(), "");
    });
    run_until(24 * 5000);
    EXPECT_TRUE(changing.thread.has_ended());
}

TEST_F(Mutexes, OwnersDeathGivesItUp) {
    Mutex m, other;
    Actor owner("owner", 10, [&] {
        EXPECT_EQ(m.lock(), Status::ok);
        EXPECT_EQ(m.lock(), Status::ok);
        EXPECT_EQ(other.lock(), Status::ok);
        (void)Thread::sleep_for(microseconds(50));
        Thread::exit();
    });
    Actor waiter("waiter", 20, [&] {
        EXPECT_EQ(m.lock(), Status::ok);
        EXPECT_TRUE(m.owner_died());
        EXPECT_EQ(m.holds(), 1u);
        m.clear_owner_died();
        (void)Thread::sleep_for(microseconds(50));
        EXPECT_EQ(other.try_lock(), Status::ok);
        (void)waiter.thread.terminate();
    });
    Actor last("last", 25, [&] {
        EXPECT_EQ(m.lock(), Status::ok);
        EXPECT_TRUE(m.owner_died());
        EXPECT_EQ(m.unlock(), Status::ok);
    });
    run_until(24 * 1000);
    EXPECT_EQ(m.owner(), nullptr);
    EXPECT_EQ(other.owner(), nullptr);
    EXPECT_TRUE(last.thread.has_ended());
}

TEST_F(Mutexes, CeilingRaisesAtOnce) {
    Mutex m(Mutex::Kind::recursive, Mutex::Protocol::ceiling, 5);
    Actor low("low", 20, [&] {
        EXPECT_EQ(m.lock(), Status::ok);
        EXPECT_EQ(low.thread.priority(), 5u);
        EXPECT_EQ(m.set_ceiling(4), 5u);
        EXPECT_EQ(low.thread.priority(), 4u);
        EXPECT_EQ(m.unlock(), Status::ok);
        EXPECT_EQ(low.thread.priority(), 20u);
    });
    Actor above("above", 3, [&] { EXPECT_EQ(m.lock(), Status::invalid); });
    run_until(24 * 100);
}

TEST_F(Mutexes, CloseEndsWaits) {
    Mutex m;
    Actor owner("owner", 20, [&] {
        EXPECT_EQ(m.lock(), Status::ok);
        (void)Thread::sleep_for(microseconds(50));
        EXPECT_EQ(owner.thread.priority(), 5u);
        m.close();
        EXPECT_EQ(owner.thread.priority(), 20u);
        EXPECT_EQ(m.unlock(), Status::not_owner);
    });
    unsigned deleted = 0;
    const auto wait = [&] {
        (void)Thread::sleep_for(microseconds(10));
        deleted += m.lock() == Status::deleted;
    };
    Actor a("a", 5, wait), b("b", 6, wait);
    run_until(24 * 1000);
    EXPECT_EQ(deleted, 2u);
}

TEST_F(Mutexes, NotInAnInterrupt) {
    Mutex m;
    Actor a("a", 5, [&] {
        machine::interrupt([&] {
            EXPECT_EQ(m.lock(), Status::would_block);
            EXPECT_EQ(m.try_lock(), Status::would_block);
        });
        const IrqLock lock;
        EXPECT_EQ(m.lock(), Status::ok); // free: nothing to wait for
        EXPECT_EQ(m.unlock(), Status::ok);
    });
    run_until(2000);
    EXPECT_EQ(m.owner(), nullptr);
}

} // namespace
