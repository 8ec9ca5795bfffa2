// SPDX-License-Identifier: GPL-2.0-only
// Mailboxes and message queues under every sequence of few interrupts: what is sent is received once, or is
// still there, and in one piece.
#include "exploration.hpp"

#include <algorithm>

#include <rtos/mailbox.hpp>
#include <rtos/message_queue.hpp>

namespace {

using namespace rtos;

struct Ledger {
    std::vector<unsigned> sent, received;

    void check(std::vector<unsigned> left) {
        left.insert(left.end(), received.begin(), received.end());
        std::sort(left.begin(), left.end());
        std::sort(sent.begin(), sent.end());
        EXPECT_EQ(left, sent);
    }
};

struct MailboxWorld : Ledger {
    Mailbox::Message slots[1];
    Mailbox box{slots, 1};
    Actors actors;
    unsigned isr_next = 100;

    void send(unsigned value, Time deadline) {
        if (box.send(value, deadline) == Status::ok)
            sent.push_back(value);
    }
    void receive(Time deadline) {
        Mailbox::Message m;
        if (box.receive(m, deadline) == Status::ok)
            received.push_back(static_cast<unsigned>(m));
    }
    void begin() {
        actors.add("sender", 5, [this] {
            send(1, Time::never());
            send(2, now() + microseconds(10));
        });
        actors.add("sender 2", 5, [this] { send(3, now() + microseconds(20)); });
        actors.add("receiver", 5, [this] { receive(now() + microseconds(15)); });
        actors.add("receiver 2", 4, [this] { receive(Time::never()); });
    }
    void isr_send() {
        if (box.try_send(isr_next) == Status::ok)
            sent.push_back(isr_next++);
    }
    void isr_receive() {
        Mailbox::Message m;
        if (box.try_receive(m) == Status::ok)
            received.push_back(static_cast<unsigned>(m));
    }
    void end() {
        std::vector<unsigned> left;
        Mailbox::Message m;
        while (box.try_receive(m) == Status::ok)
            left.push_back(static_cast<unsigned>(m));
        check(left);
        EXPECT_TRUE(box.receivers().empty() || box.count() == 0);
        EXPECT_TRUE(box.senders().empty());
    }
};

TEST(ExploreQueues, MailboxLosesNothing) {
    using E = Exploration<MailboxWorld>;
    Scenario s;
    s.isrs = {[] { E::world->isr_send(); }, [] { E::world->isr_receive(); }};
    s.invariant = [] {
        MailboxWorld &w = *E::world;
        if (!w.box.receivers().empty() && w.box.count() != 0)
            return "a receiver waits though there is a message";
        return !w.box.senders().empty() && w.box.count() == 0 ? "a sender waits though there is room" : "";
    };
    const Explored all = E().run(s);
    EXPECT_EQ(all.wrong, "");
    EXPECT_GT(all.runs, 500u);
}

template <size_t maximum> struct QueueWorld : Ledger {
    static constexpr size_t slot = MessageQueue::slot_size(maximum);
    std::unique_ptr<uint8_t[]> memory{new uint8_t[slot]};
    MessageQueue q{memory.get(), maximum, 1};
    Actors actors;
    unsigned isr_next = 100;

    using Text = std::vector<unsigned>;
    static Text text(unsigned value) { return Text(maximum / sizeof(unsigned), value); }
    void got(const Text &t) {
        EXPECT_EQ(t, text(t[0])) << "a message of two halves";
        received.push_back(t[0]);
    }
    void send(unsigned value, Time deadline) {
        if (q.send(text(value).data(), maximum, deadline, value % 4) == Status::ok)
            sent.push_back(value);
    }
    void receive(Time deadline) {
        Text t = text(0);
        size_t length;
        if (q.receive(t.data(), maximum, length, deadline) == Status::ok)
            got(t);
    }
    void begin() {
        actors.add("sender", 5, [this] {
            send(1, Time::never());
            send(2, now() + microseconds(10));
        });
        actors.add("sender 2", 5, [this] { send(3, now() + microseconds(20)); });
        actors.add("receiver", 5, [this] { receive(now() + microseconds(15)); });
        actors.add("receiver 2", 4, [this] { receive(Time::never()); });
    }
    void isr_send() {
        if (q.try_send(text(isr_next).data(), maximum) == Status::ok)
            sent.push_back(isr_next++);
    }
    void isr_receive() {
        Text t = text(0);
        size_t length;
        if (q.try_receive(t.data(), maximum, length) == Status::ok)
            got(t);
    }
    void end() {
        std::vector<unsigned> left;
        Text t = text(0);
        size_t length;
        while (q.try_receive(t.data(), maximum, length) == Status::ok)
            left.push_back(t[0]);
        check(left);
        EXPECT_EQ(q.try_send(t.data(), maximum), Status::ok); // no place was lost
    }
};

TEST(ExploreQueues, QueueOfShortMessagesLosesNothing) {
    using E = Exploration<QueueWorld<16>>;
    Scenario s;
    s.isrs = {[] { E::world->isr_send(); }, [] { E::world->isr_receive(); }};
    s.invariant = [] {
        auto &q = E::world->q;
        if (!q.receivers().empty() && q.count() != 0)
            return "a receiver waits though there is a message";
        return !q.senders().empty() && q.count() == 0 ? "a sender waits though there is room" : "";
    };
    const Explored all = E().run(s);
    EXPECT_EQ(all.wrong, "");
    EXPECT_GT(all.runs, 500u);
}

TEST(ExploreQueues, QueueOfLongMessagesLosesNothing) {
    using E = Exploration<QueueWorld<2 * MessageQueue::copied_masked>>;
    Scenario s;
    s.isrs = {[] { E::world->isr_send(); }, [] { E::world->isr_receive(); }};
    const Explored all = E().run(s);
    EXPECT_EQ(all.wrong, "");
    EXPECT_GT(all.runs, 500u);
}

} // namespace
