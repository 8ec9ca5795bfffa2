// SPDX-License-Identifier: GPL-2.0-only
#include "actor.hpp"
#include "machine.hpp"

#include <deque>
#include <random>
#include <string>

#include <rtos/irq_lock.hpp>
#include <rtos/mailbox.hpp>

namespace {

using namespace rtos;
using Message = Mailbox::Message;

struct Mailboxes : testing::Test {
    void SetUp() override { machine::reset(); }
    Message slots[3] = {};
    Mailbox box{slots, 3};
    Message m = 0;
    std::string trace;
};

TEST_F(Mailboxes, AgreeWithAQueue) {
    std::mt19937 random(3);
    std::deque<Message> model;
    for (int i = 0; i < 20'000; ++i) {
        const Message value = random();
        switch (random() % 5) {
        case 0:
            EXPECT_EQ(box.try_send_urgent(value), model.size() < 3 ? Status::ok : Status::full);
            if (model.size() < 3)
                model.push_front(value);
            break;
        case 1:
        case 2:
            EXPECT_EQ(box.try_send(value), model.size() < 3 ? Status::ok : Status::full);
            if (model.size() < 3)
                model.push_back(value);
            break;
        default:
            ASSERT_EQ(box.try_receive(m), model.empty() ? Status::empty : Status::ok);
            if (!model.empty()) {
                ASSERT_EQ(m, model.front());
                model.pop_front();
            }
        }
        ASSERT_EQ(box.count(), model.size());
    }
}

TEST_F(Mailboxes, AMessageGoesToTheWaiterNotToAThief) {
    Actor receiver("receiver", 20, [&] {
        EXPECT_EQ(box.receive(m), Status::ok);
        trace += "received ";
    });
    Actor thief("thief", 5, [&] {
        (void)Thread::sleep_for(microseconds(10));
        EXPECT_EQ(box.send(7), Status::ok);
        Message none;
        EXPECT_EQ(box.try_receive(none), Status::empty);
        trace += "thief ";
    });
    machine::run_until(24 * 100);
    EXPECT_EQ(trace, "thief received ");
    EXPECT_EQ(m, 7u);
}

TEST_F(Mailboxes, RoomGoesToTheWaitingSenderNotToAThief) {
    for (Message i = 0; i < 3; ++i)
        EXPECT_EQ(box.try_send(i), Status::ok);
    Actor sender("sender", 20, [&] {
        EXPECT_EQ(box.send(3), Status::ok);
        trace += "sent ";
    });
    Actor thief("thief", 5, [&] {
        (void)Thread::sleep_for(microseconds(10));
        EXPECT_EQ(box.receive(m), Status::ok);
        EXPECT_EQ(box.count(), 3u);
        EXPECT_EQ(box.try_send(99), Status::full);
        EXPECT_EQ(box.try_send_urgent(99), Status::full);
        for (Message i = 1; i <= 3; ++i) {
            EXPECT_EQ(box.receive(m), Status::ok);
            EXPECT_EQ(m, i);
        }
        trace += "thief ";
    });
    machine::run_until(24 * 100);
    EXPECT_EQ(trace, "thief sent ");
}

TEST_F(Mailboxes, WaitersAreServedByPriority) {
    const auto receive = [&](const char *name) {
        return [=, this] {
            Message mine;
            EXPECT_EQ(box.receive(mine), Status::ok);
            trace += name + std::to_string(mine);
        };
    };
    Actor low("low", 20, receive("l")), first("first", 10, receive("f")), second("second", 10, receive("s")),
        high("high", 5, receive("h"));
    Actor driver("driver", 25, [&] {
        {
            const IrqLock lock;
            EXPECT_EQ(box.try_send(1), Status::ok);
            EXPECT_EQ(box.try_send_urgent(2), Status::ok); // goes to a waiter as well
            EXPECT_EQ(box.try_send(3), Status::ok);
        }
        EXPECT_EQ(box.send(4), Status::ok);
    });
    machine::run_until(2000);
    EXPECT_EQ(trace, "h1f2s3l4");
}

TEST_F(Mailboxes, TimeOutOnBothSides) {
    Actor a("a", 5, [&] {
        Time deadline = now() + microseconds(10);
        EXPECT_EQ(box.receive(m, deadline), Status::timeout);
        EXPECT_GE(now(), deadline);
        EXPECT_TRUE(box.receivers().empty());
        for (Message i = 0; i < 3; ++i)
            EXPECT_EQ(box.send(i, Time::past()), Status::ok); // there is room: no wait
        deadline = now() + microseconds(10);
        EXPECT_EQ(box.send(3, deadline), Status::timeout);
        EXPECT_GE(now(), deadline);
        EXPECT_EQ(box.receive(m, Time::past()), Status::ok);
        EXPECT_EQ(box.count(), 2u); // the one that timed out is not let in
        trace += "done";
    });
    machine::run_until(24 * 1000);
    EXPECT_EQ(trace, "done");
}

// A message at every instant around the deadline is either received or still there.
TEST_F(Mailboxes, SendRacesWithTheTimeout) {
    for (uint64_t at = 2350; at <= 2450; ++at) {
        machine::reset(0);
        Mailbox b(slots, 3);
        Status result = Status::invalid;
        Actor receiver("receiver", 5, [&] { result = b.receive(m, {2400}); });
        Actor sender("sender", 6, [&] {
            machine::advance(at);
            EXPECT_EQ(b.send(1), Status::ok);
        });
        machine::run_until(5000);
        EXPECT_EQ(result, at < 2400 ? Status::ok : Status::timeout) << at;
        EXPECT_EQ(b.count(), result == Status::ok ? 0u : 1u) << at;
    }
}

TEST_F(Mailboxes, IsrsMustNotWait) {
    Actor receiver("receiver", 5, [&] {
        EXPECT_EQ(box.receive(m), Status::ok);
        trace += "received ";
    });
    Actor a("a", 6, [&] {
        machine::interrupt([&] {
            Message none;
            EXPECT_EQ(box.receive(none), Status::would_block);
            EXPECT_EQ(box.send(5), Status::ok);
            EXPECT_EQ(trace, "");
            for (Message i = 0; i < 3; ++i)
                EXPECT_EQ(box.send(i), Status::ok);
            EXPECT_EQ(box.send(3), Status::would_block);
            EXPECT_EQ(box.receive(none), Status::ok);
        });
        trace += "done";
    });
    machine::run_until(2000);
    EXPECT_EQ(trace, "received done");
    EXPECT_EQ(m, 5u);
    EXPECT_EQ(box.count(), 2u);
}

TEST_F(Mailboxes, ResetAndCloseEndTheWaits) {
    const auto receive = [&](Status expected) {
        return [=, this] {
            Message none;
            EXPECT_EQ(box.receive(none), expected);
            trace += "r";
        };
    };
    Actor a("a", 5, receive(Status::interrupted)), b("b", 6, receive(Status::interrupted));
    Actor driver("driver", 25, [&] {
        box.reset();
        EXPECT_EQ(trace, "rr");
        for (Message i = 0; i < 3; ++i)
            EXPECT_EQ(box.send(i), Status::ok);
        Actor sender("sender", 5, [&] {
            EXPECT_EQ(box.send(3), Status::deleted);
            trace += "s";
        });
        box.close();
        EXPECT_EQ(trace, "rrs");
        EXPECT_EQ(box.count(), 0u);
    });
    machine::run_until(2000);
    EXPECT_EQ(trace, "rrs");
}

} // namespace
