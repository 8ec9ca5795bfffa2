// SPDX-License-Identifier: GPL-2.0-only
#include "actor.hpp"
#include "machine.hpp"

#include <algorithm>
#include <deque>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include <rtos/irq_lock.hpp>
#include <rtos/message_queue.hpp>

namespace {

using namespace rtos;

// A queue with memory of exactly its size, whose ends the sanitizer guards.
struct Queue {
    Queue(size_t maximum, uint32_t capacity, WaitOrder order = WaitOrder::priority)
        : memory(new uint8_t[MessageQueue::slot_size(maximum) * capacity]),
          q(memory.get(), maximum, capacity, order) {}
    std::unique_ptr<uint8_t[]> memory;
    MessageQueue q;
};

Status send(MessageQueue &q, const std::string &text, unsigned level = 0, Time deadline = Time::never()) {
    return q.send(text.data(), text.size(), deadline, level);
}
Status try_send(MessageQueue &q, const std::string &text, unsigned level = 0) {
    return q.try_send(text.data(), text.size(), level);
}

struct Queues : testing::Test {
    void SetUp() override { machine::reset(); }

    std::string try_receive(MessageQueue &q) {
        std::string text(q.maximum(), '?');
        size_t length;
        const Status s = q.try_receive(text.data(), text.size(), length, &level);
        return s == Status::ok ? text.substr(0, length) : s == Status::empty ? "-" : "!";
    }
    std::string receive(MessageQueue &q, Time deadline = Time::never()) {
        std::string text(q.maximum(), '?');
        size_t length;
        const Status s = q.receive(text.data(), text.size(), length, deadline, &level);
        return s == Status::ok        ? text.substr(0, length)
               : s == Status::timeout ? "timeout"
               : s == Status::deleted ? "deleted"
                                      : "!";
    }
    std::string trace;
    unsigned level = 0;
};

TEST_F(Queues, HighestLevelFirstThenTheOldest) {
    Queue s(8, 8);
    EXPECT_EQ(try_send(s.q, "a", 3), Status::ok);
    EXPECT_EQ(try_send(s.q, "b", 0), Status::ok);
    EXPECT_EQ(try_send(s.q, "c", 31), Status::ok);
    EXPECT_EQ(try_send(s.q, "d", 3), Status::ok);
    EXPECT_EQ(try_send(s.q, "e", 5), Status::ok);
    EXPECT_EQ(s.q.try_send_urgent("u", 1), Status::ok);
    EXPECT_EQ(try_send(s.q, "f", 31), Status::ok);
    EXPECT_EQ(s.q.try_send_urgent("v", 1), Status::ok);
    EXPECT_EQ(try_send(s.q, "g", 31), Status::full);
    EXPECT_EQ(s.q.try_send_urgent("g", 1), Status::full);
    std::string order;
    std::vector<unsigned> found;
    for (int i = 0; i < 8; ++i) {
        order += try_receive(s.q);
        found.push_back(level);
    }
    EXPECT_EQ(order, "vucfeadb");
    EXPECT_EQ(found, (std::vector<unsigned>{31, 31, 31, 31, 5, 3, 3, 0}));
    EXPECT_EQ(try_receive(s.q), "-");
}

TEST_F(Queues, AgreeWithAModel) {
    struct Entry {
        unsigned level;
        std::string text;
    };
    std::mt19937 random(5);
    for (const size_t maximum :
         {size_t{1}, size_t{7}, size_t{16}, size_t{100}, 2 * MessageQueue::copied_masked}) {
        Queue s(maximum, 6);
        std::deque<Entry> model;
        for (int i = 0; i < 10'000; ++i) {
            std::string text(random() % (maximum + 1), ' ');
            std::generate(text.begin(), text.end(), random);
            const unsigned l = random() % 3 ? random() % 4 : random() % MessageQueue::levels;
            const Status room = model.size() < 6 ? Status::ok : Status::full;
            switch (random() % 8) {
            case 0:
                ASSERT_EQ(s.q.try_send_urgent(text.data(), text.size()), room);
                if (room == Status::ok)
                    model.push_front({31, text});
                break;
            case 1:
            case 2:
            case 3:
                ASSERT_EQ(try_send(s.q, text, l), room);
                if (room == Status::ok)
                    model.insert(
                        std::find_if(model.begin(), model.end(), [=](auto &e) { return e.level < l; }),
                        {l, text});
                break;
            case 4:
                if (random() % 40 == 0) {
                    s.q.reset();
                    model.clear();
                }
                break;
            default:
                ASSERT_EQ(try_receive(s.q), model.empty() ? "-" : model.front().text);
                if (!model.empty()) {
                    ASSERT_EQ(level, model.front().level);
                    model.pop_front();
                }
            }
            ASSERT_EQ(s.q.count(), model.size());
        }
    }
}

TEST_F(Queues, RefuseWhatDoesNotFit) {
    Queue s(8, 2);
    EXPECT_EQ(try_send(s.q, "123456789"), Status::invalid);
    EXPECT_EQ(send(s.q, "123456789"), Status::invalid);
    EXPECT_EQ(s.q.try_send_urgent("123456789", 9), Status::invalid);
    EXPECT_EQ(try_send(s.q, "1", 32), Status::invalid);
    EXPECT_EQ(s.q.count(), 0u);
    EXPECT_EQ(try_send(s.q, "12345678"), Status::ok);
    char small[3];
    size_t length = 0;
    EXPECT_EQ(s.q.try_receive(small, sizeof(small), length), Status::ok); // the rest is lost
    EXPECT_EQ(std::string(small, length), "123");
    EXPECT_EQ(s.q.count(), 0u);
    EXPECT_EQ(try_send(s.q, ""), Status::ok);
    EXPECT_EQ(try_receive(s.q), "");
}

TEST_F(Queues, AMessageGoesStraightToTheWaiter) {
    Queue s(16, 2);
    Actor receiver("receiver", 20, [&] {
        EXPECT_EQ(receive(s.q), "hello");
        EXPECT_EQ(level, 9u);
        trace += "received ";
    });
    Actor thief("thief", 5, [&] {
        (void)Thread::sleep_for(microseconds(10));
        EXPECT_EQ(send(s.q, "hello", 9), Status::ok);
        EXPECT_EQ(try_receive(s.q), "-");
        trace += "thief ";
    });
    machine::run_until(24 * 100);
    EXPECT_EQ(trace, "thief received ");
}

TEST_F(Queues, RoomGoesToTheWaitingSenders) {
    Queue s(16, 2);
    EXPECT_EQ(try_send(s.q, "first"), Status::ok);
    EXPECT_EQ(try_send(s.q, "second"), Status::ok);
    const auto sender = [&](const char *text, unsigned l) {
        return [=, &s, this] {
            EXPECT_EQ(send(s.q, text, l), Status::ok);
            trace += text[0];
        };
    };
    Actor low("low", 20, sender("low", 0)), high("high", 10, sender("high", 1));
    Actor driver("driver", 5, [&] {
        (void)Thread::sleep_for(microseconds(10));
        EXPECT_EQ(receive(s.q), "first");
        EXPECT_EQ(try_send(s.q, "thief"), Status::full);
        EXPECT_EQ(receive(s.q), "high"); // was let in, and has the higher level
        EXPECT_EQ(receive(s.q), "second");
        EXPECT_EQ(receive(s.q), "low");
        EXPECT_EQ(try_receive(s.q), "-");
    });
    machine::run_until(24 * 100);
    EXPECT_EQ(trace, "hl");
}

TEST_F(Queues, TimeOutOnBothSides) {
    Queue s(8, 1);
    Actor a("a", 5, [&] {
        Time deadline = now() + microseconds(10);
        EXPECT_EQ(receive(s.q, deadline), "timeout");
        EXPECT_GE(now(), deadline);
        EXPECT_EQ(send(s.q, "x", 0, Time::past()), Status::ok);
        deadline = now() + microseconds(10);
        EXPECT_EQ(send(s.q, "y", 0, deadline), Status::timeout);
        EXPECT_GE(now(), deadline);
        EXPECT_EQ(receive(s.q, Time::past()), "x");
        EXPECT_EQ(try_receive(s.q), "-");
        trace += "done";
    });
    machine::run_until(24 * 1000);
    EXPECT_EQ(trace, "done");
}

TEST_F(Queues, IsrsMustNotWait) {
    Queue s(8, 1);
    Actor receiver("receiver", 5, [&] {
        EXPECT_EQ(receive(s.q), "isr");
        trace += "received ";
    });
    Actor a("a", 6, [&] {
        machine::interrupt([&] {
            EXPECT_EQ(receive(s.q), "!");
            EXPECT_EQ(try_receive(s.q), "-");
            EXPECT_EQ(send(s.q, "isr"), Status::ok);
            EXPECT_EQ(send(s.q, "x"), Status::ok);
            EXPECT_EQ(send(s.q, "y"), Status::would_block);
            EXPECT_EQ(try_send(s.q, "y"), Status::full);
        });
        trace += "done";
    });
    machine::run_until(2000);
    EXPECT_EQ(trace, "received done");
}

TEST_F(Queues, ResetAndCloseEndTheWaits) {
    Queue s(8, 1);
    Actor a("a", 5, [&] {
        EXPECT_EQ(receive(s.q), "!"); // interrupted
        EXPECT_EQ(receive(s.q), "deleted");
        trace += "a";
    });
    Actor driver("driver", 25, [&] {
        s.q.reset();
        s.q.close();
        EXPECT_EQ(trace, "a");
        EXPECT_EQ(try_send(s.q, "x"), Status::ok);
        Actor sender("sender", 5, [&] {
            EXPECT_EQ(send(s.q, "y"), Status::interrupted);
            trace += "s";
        });
        s.q.reset();
        EXPECT_EQ(trace, "as");
        EXPECT_EQ(s.q.count(), 0u);
    });
    machine::run_until(2000);
    EXPECT_EQ(trace, "as");
}

TEST_F(Queues, NotifyOnceWhenTheEmptyQueueGetsAMessage) {
    static unsigned notified;
    notified = 0;
    const MessageQueue::Notify notify = [](void *argument) {
        EXPECT_TRUE(machine::masked());
        notified += *static_cast<unsigned *>(argument);
    };
    Queue s(8, 4);
    unsigned one = 1;
    s.q.on_arrival(notify, &one);
    EXPECT_EQ(try_send(s.q, "a"), Status::ok);
    EXPECT_EQ(notified, 1u);
    EXPECT_EQ(try_receive(s.q), "a");
    EXPECT_EQ(try_send(s.q, "b"), Status::ok);
    EXPECT_EQ(notified, 1u); // once
    s.q.on_arrival(notify, &one);
    EXPECT_EQ(try_send(s.q, "c"), Status::ok); // is not empty
    EXPECT_EQ(notified, 1u);
    s.q.reset();
    Actor receiver("receiver", 5, [&] { EXPECT_EQ(receive(s.q), "waiter"); });
    Actor driver("driver", 25, [&] {
        EXPECT_EQ(send(s.q, "waiter"), Status::ok);
        EXPECT_EQ(notified, 1u);
        EXPECT_EQ(send(s.q, "d"), Status::ok);
        EXPECT_EQ(notified, 2u);
        s.q.on_arrival(notify, &one);
        s.q.on_arrival(nullptr, nullptr);
        (void)try_receive(s.q);
        EXPECT_EQ(send(s.q, "e"), Status::ok);
        EXPECT_EQ(notified, 2u);
        trace = "done";
    });
    machine::run_until(2000);
    EXPECT_EQ(trace, "done");
}

// -- Messages that are copied with IRQs open.

constexpr size_t large = 4 * MessageQueue::copied_masked;

TEST_F(Queues, LongMessagesPassBetweenWaiters) {
    Queue s(large, 2);
    const auto message = [](char c) { return std::string(large - static_cast<size_t>(c - 'a'), c); };
    Actor receiver("receiver", 5, [&] {
        for (char c = 'a'; c <= 'j'; ++c) {
            EXPECT_EQ(receive(s.q), message(c));
            if (c == 'd')
                (void)Thread::sleep_for(microseconds(50)); // now the sender has to wait
        }
        trace += "received ";
    });
    Actor sender("sender", 6, [&] {
        for (char c = 'a'; c <= 'j'; ++c)
            EXPECT_EQ(send(s.q, message(c)), Status::ok);
        trace += "sent ";
    });
    machine::run_until(24 * 1000);
    EXPECT_EQ(trace, "received sent ");
    EXPECT_EQ(s.q.count(), 0u);
}

TEST_F(Queues, ShortMessagesDoNotOvertakeALongOne) {
    Queue s(large, 4);
    const std::string big(large, 'L');
    const auto receiver = [&](const char *name) {
        return [=, &s, this] { trace += name + std::to_string(receive(s.q).size()) + " "; };
    };
    Actor first("first", 5, receiver("first ")), second("second", 6, receiver("second "));
    Actor driver("driver", 25, [&] {
        const IrqLock lock;
        EXPECT_EQ(try_send(s.q, big), Status::ok); // wakes the first, which has to look
        EXPECT_EQ(try_send(s.q, "short"), Status::ok);
    });
    machine::run_until(2000);
    EXPECT_EQ(trace, "first 1024 second 5 ");
}

TEST_F(Queues, AThiefMakesTheWaiterWaitOn) {
    Queue s(large, 1);
    const std::string big(large, 'L');
    Actor receiver("receiver", 20,
                   [&] { trace += receive(s.q, now() + microseconds(500)).size() == large ? "2" : "!"; });
    Actor thief("thief", 5, [&] {
        (void)Thread::sleep_for(microseconds(10));
        EXPECT_EQ(send(s.q, big), Status::ok);
        EXPECT_EQ(try_receive(s.q).size(), large);
        trace += "1";
        (void)Thread::sleep_for(microseconds(10));
        EXPECT_EQ(send(s.q, big), Status::ok);
    });
    machine::run_until(24 * 1000);
    EXPECT_EQ(trace, "12");
}

} // namespace
