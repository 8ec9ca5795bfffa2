// SPDX-License-Identifier: GPL-2.0-only
#include "actor.hpp"
#include "machine.hpp"

#include <string>

#include <rtos/completion.hpp>

namespace {

using namespace rtos;

struct Completions : testing::Test {
    void SetUp() override { machine::reset(); }
    std::string trace;
};

TEST_F(Completions, AreConsumedByOneWait) {
    Completion c;
    EXPECT_FALSE(c.try_wait());
    c.complete();
    c.complete(); // once is enough
    EXPECT_TRUE(c.done());
    EXPECT_TRUE(c.try_wait());
    EXPECT_FALSE(c.try_wait());
    c.complete();
    c.reset();
    EXPECT_FALSE(c.done());
    c.complete();
    EXPECT_EQ(c.wait(), Status::ok);
    EXPECT_EQ(c.wait(Time::past()), Status::timeout);
    EXPECT_EQ(c.wait(), Status::would_block); // IRQs are masked: no thread runs yet
}

TEST_F(Completions, WakeTheFirstWaiterOnly) {
    Completion c;
    const auto wait = [&](const char *name) {
        return [=, &c, this] {
            EXPECT_EQ(c.wait(), Status::ok);
            trace += name;
        };
    };
    Actor low("low", 20, wait("l")), high("high", 5, wait("h"));
    Actor driver("driver", 25, [&] {
        machine::interrupt([&] { c.complete(); });
        EXPECT_EQ(trace, "h");
        EXPECT_FALSE(c.done());
        c.complete();
        EXPECT_EQ(trace, "hl");
        c.complete();
        EXPECT_TRUE(c.done());
    });
    machine::run_until(2000);
    EXPECT_EQ(trace, "hl");
}

TEST_F(Completions, TimeOutAndClose) {
    Completion c;
    Actor a("a", 5, [&] {
        const Time deadline = now() + microseconds(10);
        EXPECT_EQ(c.wait(deadline), Status::timeout);
        EXPECT_GE(now(), deadline);
        EXPECT_EQ(c.wait(), Status::deleted);
        trace += "closed";
    });
    Actor b("b", 6, [&] {
        (void)Thread::sleep_for(microseconds(100));
        c.close();
    });
    machine::run_until(24 * 1000);
    EXPECT_EQ(trace, "closed");
}

} // namespace
