// SPDX-License-Identifier: GPL-2.0-only
#include "actor.hpp"
#include "machine.hpp"

#include <string>

#include <rtos/event.hpp>
#include <rtos/irq_lock.hpp>

namespace {

using namespace rtos;
using Match = Event::Match;

struct Events : testing::Test {
    void SetUp() override { machine::reset(); }
    std::string trace;
    uint32_t got = 0;
};

TEST_F(Events, MatchAnyOrAllAndConsume) {
    Event e(0b0110);
    EXPECT_EQ(e.try_wait(0b0011, Match::all, true, got), Status::empty);
    EXPECT_EQ(got, 0u);
    EXPECT_EQ(e.try_wait(0b0011, Match::any, false, got), Status::ok);
    EXPECT_EQ(got, 0b0010u);
    EXPECT_EQ(e.flags(), 0b0110u);
    EXPECT_EQ(e.try_wait(0b0011, Match::any, true, got), Status::ok);
    EXPECT_EQ(e.flags(), 0b0100u);
    e.set(0x8000'0000);
    EXPECT_EQ(e.try_wait(0x8000'0004, Match::all, true, got), Status::ok);
    EXPECT_EQ(got, 0x8000'0004u);
    EXPECT_EQ(e.flags(), 0u);
    e.set(3);
    e.clear(1);
    EXPECT_EQ(e.flags(), 2u);
    EXPECT_EQ(e.wait(2, Match::all, true, got, Time::past()), Status::ok); // is there: no wait
}

TEST_F(Events, MaskOfNothingIsInvalid) {
    Event e(1);
    EXPECT_EQ(e.wait(0, Match::any, false, got), Status::invalid);
    EXPECT_EQ(e.try_wait(0, Match::all, false, got), Status::invalid);
}

TEST_F(Events, EveryWaiterSeesTheFlagsBeforeTheyAreConsumed) {
    Event e;
    const auto wait = [&](const char *name, uint32_t mask, Match match, bool consume, uint32_t expected) {
        return [=, &e, this] {
            uint32_t mine = 0;
            EXPECT_EQ(e.wait(mask, match, consume, mine), Status::ok);
            EXPECT_EQ(mine, expected);
            trace += name;
        };
    };
    Actor low("low", 20, wait("l", 0b011, Match::any, true, 0b011));
    Actor both("both", 10, wait("b", 0b101, Match::all, false, 0b101));
    Actor high("high", 5, wait("h", 0b001, Match::any, true, 0b001));
    Actor other("other", 6, wait("o", 0b1000, Match::any, false, 0b1000));
    Actor driver("driver", 25, [&] {
        e.set(0b100); // fulfils nobody
        EXPECT_EQ(trace, "");
        {
            const IrqLock lock;
            e.set(0b011); // three at once
        }
        EXPECT_EQ(trace, "hbl");
        EXPECT_EQ(e.flags(), 0b100u);
        e.set(0b1000);
        EXPECT_EQ(trace, "hblo");
        EXPECT_EQ(e.flags(), 0b1100u);
        EXPECT_TRUE(e.waiters().empty());
    });
    machine::run_until(2000);
    EXPECT_EQ(trace, "hblo");
}

TEST_F(Events, FifoOrderIgnoresPriority) {
    Event e(0, WaitOrder::fifo);
    const auto wait = [&](const char *name) {
        return [=, &e, this] {
            uint32_t mine;
            EXPECT_EQ(e.wait(1, Match::any, false, mine), Status::ok);
            trace += name;
        };
    };
    Actor second("second", 5, [&] {
        (void)Thread::sleep_for(microseconds(10));
        wait("2")();
    });
    Actor first("first", 20, wait("1"));
    Actor driver("driver", 25, [&] {
        (void)Thread::sleep_for(microseconds(50));
        EXPECT_EQ(e.waiters().count(), 2u);
        EXPECT_EQ(e.waiters().first(), &first.thread);
        e.set(1);
    });
    machine::run_until(24 * 100);
    EXPECT_EQ(trace, "21"); // both at once, and then the better one runs
}

TEST_F(Events, TimesOut) {
    Event e;
    Actor a("a", 5, [&] {
        const Time deadline = now() + microseconds(100);
        got = 99;
        EXPECT_EQ(e.wait(1, Match::any, false, got, deadline), Status::timeout);
        EXPECT_EQ(got, 0u);
        EXPECT_GE(now(), deadline);
        e.set(1); // nobody waits any more
        EXPECT_EQ(e.wait(3, Match::all, false, got, Time::past()), Status::timeout);
        trace += "done";
    });
    machine::run_until(24 * 1000);
    EXPECT_EQ(trace, "done");
}

TEST_F(Events, IsrsMaySetButNotWait) {
    Event e;
    Actor waiter("waiter", 5, [&] {
        EXPECT_EQ(e.wait(4, Match::any, true, got), Status::ok);
        trace += "woken ";
    });
    Actor a("a", 6, [&] {
        machine::interrupt([&] {
            uint32_t none;
            EXPECT_EQ(e.wait(1, Match::any, false, none), Status::would_block);
            EXPECT_EQ(e.try_wait(1, Match::any, false, none), Status::empty);
            e.set(4);
            EXPECT_EQ(trace, "");
        });
        trace += "done";
    });
    machine::run_until(2000);
    EXPECT_EQ(trace, "woken done");
}

TEST_F(Events, ResetAndCloseEndTheWaits) {
    Event e(2);
    const auto wait = [&](Status expected) {
        return [=, &e, this] {
            uint32_t none;
            EXPECT_EQ(e.wait(1, Match::any, false, none), expected);
            EXPECT_EQ(none, 0u);
            trace += "w";
        };
    };
    Actor a("a", 5, wait(Status::interrupted)), b("b", 20, wait(Status::interrupted));
    Actor driver("driver", 25, [&] {
        e.reset();
        EXPECT_EQ(trace, "ww");
        EXPECT_EQ(e.flags(), 0u);
        Actor c("c", 5, wait(Status::deleted));
        e.close();
        EXPECT_EQ(trace, "www");
    });
    machine::run_until(2000);
    EXPECT_EQ(trace, "www");
}

} // namespace
