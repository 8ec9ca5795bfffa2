// SPDX-License-Identifier: GPL-2.0-only
#include <rw_lock.hpp>

#include "machine.hpp"

#include <gtest/gtest.h>
#include <string>

namespace {

using namespace rtos;
using posix::RwLock;

constexpr size_t stack = 4096;
std::string trace;
RwLock *lock;

struct RwLocks : testing::Test {
    void SetUp() override {
        machine::reset();
        trace.clear();
        lock = new RwLock;
    }
    void TearDown() override {
        EXPECT_FALSE(lock->in_use());
        delete lock;
    }
};

// Argument: a name; locks, leaves its name, holds it for 1000 ticks, unlocks.
void read(void *name) {
    ASSERT_EQ(lock->lock_shared(Time::never()), Status::ok);
    trace += static_cast<const char *>(name);
    (void)Thread::sleep_for({1000});
    EXPECT_EQ(lock->unlock(), Status::ok);
}
void write(void *name) {
    ASSERT_EQ(lock->lock_exclusive(Time::never()), Status::ok);
    trace += static_cast<const char *>(name);
    (void)Thread::sleep_for({1000});
    trace += ".";
    EXPECT_EQ(lock->unlock(), Status::ok);
}
void write_briefly(void *) {
    EXPECT_EQ(lock->lock_exclusive(now() + Duration{500}), Status::timeout);
    trace += "-";
}

// From a thread of low priority, so that each one begins at once. Argument: pointers to them, the last null.
void start_all(void *threads) {
    for (Thread **t = static_cast<Thread **>(threads); *t; ++t)
        ASSERT_EQ((*t)->start(stack), Status::ok);
}

TEST_F(RwLocks, ReadersShareWritersDoNot) {
    char a[] = "a", b[] = "b", c[] = "C", d[] = "D";
    Thread r1("r1", 10, read, a), r2("r2", 10, read, b), w1("w1", 10, write, c), w2("w2", 10, write, d);
    for (Thread *t : {&r1, &r2, &w1, &w2})
        ASSERT_EQ(t->start(stack), Status::ok);
    machine::run_until(100'000);
    EXPECT_EQ(trace, "abC.D.");
}

TEST_F(RwLocks, AReaderWaitsBehindAWriterOfItsPriorityOrBetter) {
    char a[] = "a", b[] = "b", c[] = "c", w[] = "W";
    Thread first("first", 20, read, a), writer("writer", 15, write, w), low("low", 16, read, b),
        high("high", 14, read, c);
    Thread *all[] = {&first, &writer, &low, &high, nullptr};
    Thread starter("starter", 25, start_all, all);
    ASSERT_EQ(starter.start(stack), Status::ok);
    machine::run_until(100'000);
    EXPECT_EQ(trace, "acW.b");
}

TEST_F(RwLocks, AWriterThatGivesUpLetsReadersGoOn) {
    char a[] = "a", b[] = "b";
    Thread first("first", 20, read, a), writer("writer", 15, write_briefly), second("second", 16, read, b);
    Thread *all[] = {&first, &writer, &second, nullptr};
    Thread starter("starter", 25, start_all, all);
    ASSERT_EQ(starter.start(stack), Status::ok);
    machine::run_until(100'000);
    EXPECT_EQ(trace, "a-b"); // b long before a has unlocked
}

TEST_F(RwLocks, WrongUse) {
    Thread t(
        "t", 10,
        [](void *) {
            EXPECT_EQ(lock->unlock(), Status::not_owner);
            EXPECT_EQ(lock->lock_exclusive(Time::never()), Status::ok);
            EXPECT_EQ(lock->lock_exclusive(Time::never()), Status::deadlock);
            EXPECT_EQ(lock->lock_shared(Time::never()), Status::deadlock);
            EXPECT_EQ(lock->try_lock_shared(), Status::busy);
            EXPECT_EQ(lock->try_lock_exclusive(), Status::busy);
            EXPECT_EQ(lock->unlock(), Status::ok);
            EXPECT_EQ(lock->try_lock_shared(), Status::ok);
            EXPECT_EQ(lock->try_lock_shared(), Status::ok);
            EXPECT_EQ(lock->try_lock_exclusive(), Status::busy);
            EXPECT_EQ(lock->unlock(), Status::ok);
            EXPECT_EQ(lock->unlock(), Status::ok);
        },
        nullptr);
    ASSERT_EQ(t.start(stack), Status::ok);
    machine::run_until(100'000);
}

} // namespace
