// SPDX-License-Identifier: GPL-2.0-only
// The RTOS's end on the RTOS's kernel.
#include "rtos_fixture.hpp"

#include <rtos/irq_lock.hpp>

namespace {

using namespace test;

TEST_F(Rtos, ReceiverSleepsUntilTheDoorbell) {
    static vbus::Channel *c;
    static std::string got;
    static Status status;
    c = channel("sleep");
    Thread receiver("receiver", 5, [](void *) {
        for (;;) {
            vbus::Message message;
            char buffer[64];
            status = c->recv(message, buffer, sizeof buffer);
            got = std::string(buffer, message.length);
        }
    });
    start(receiver);
    as_guest([] {
        Guest guest;
        guest.attach("sleep");
        EXPECT_EQ(got, "");
        guest.send("one");
        EXPECT_EQ(got, "one") << "the receiver preempts the guest";
        const unsigned switches = machine::record().switches;
        for (int i = 0; i < 100; i++)
            guest.ring();
        EXPECT_EQ(machine::record().switches, switches) << "a doorbell for nothing wakes nobody";
        guest.send("two");
        EXPECT_EQ(got, "two");
        EXPECT_EQ(status, Status::ok);
    });
}

TEST_F(Rtos, SendNeverWaitsAndStamps) {
    static vbus::Channel *c;
    c = channel("send");
    as_guest([] {
        EXPECT_EQ(c->send(1, 2, "early", 5), Status::down);
        Guest guest;
        guest.attach("send");
        const unsigned before = notified;
        const uint64_t now = rtos::now().ticks;
        EXPECT_EQ(c->send(7, 8, "hello", 5), Status::ok);
        EXPECT_EQ(notified, before + 1);
        EXPECT_EQ(c->send(7, 8, nullptr, 0), Status::ok);
        EXPECT_EQ(notified, before + 1) << "the guest has not slept again";
        EXPECT_EQ(c->send(1, 2, "", c->max_length() + 1), Status::too_long);
        static uint8_t block[1024];
        Status status;
        while ((status = c->send(1, 2, block, sizeof block)) == Status::ok)
            ;
        EXPECT_EQ(status, Status::full);
        EXPECT_EQ(c->stats().tx_full, 1u);
        vbus_message message;
        EXPECT_EQ(guest.recv(message), "hello");
        EXPECT_EQ(message.type, 7);
        EXPECT_EQ(message.flags, 8);
        EXPECT_EQ(message.timestamp, now);
    });
}

TEST_F(Rtos, RecvTimesOutAndDropsWhatDoesNotFit) {
    static vbus::Channel *c;
    c = channel("timeout");
    as_guest([] {
        vbus::Message message;
        char buffer[4];
        const rtos::Time deadline = rtos::now() + rtos::microseconds(100);
        EXPECT_EQ(c->recv(message, buffer, sizeof buffer, deadline), Status::timeout);
        EXPECT_GE(rtos::now(), deadline);
        Guest guest;
        guest.attach("timeout");
        EXPECT_EQ(c->recv(message, buffer, sizeof buffer, rtos::now()), Status::timeout);
        guest.send("12345");
        guest.send("1234");
        EXPECT_EQ(c->recv(message, buffer, sizeof buffer), Status::too_long);
        EXPECT_EQ(message.length, 5u);
        EXPECT_EQ(c->recv(message, buffer, sizeof buffer), Status::ok);
        EXPECT_EQ(std::string(buffer, 4), "1234");
        const rtos::IrqLock lock;
        EXPECT_EQ(c->recv(message, buffer, sizeof buffer), Status::invalid);
    });
}

// The guest is gone, having written over everything; the next one finds a clean bus.
TEST_F(Rtos, GuestRestarts) {
    static vbus::Channel *c;
    static unsigned resets;
    static std::string got;
    c = channel("restart");
    resets = 0;
    Thread receiver("receiver", 5, [](void *) {
        for (;;) {
            vbus::Message message;
            char buffer[64];
            switch (c->recv(message, buffer, sizeof buffer)) {
            case Status::ok:
                got = std::string(buffer, message.length);
                break;
            case Status::reset:
                resets++;
                break;
            default:
                ADD_FAILURE();
                return;
            }
        }
    });
    start(receiver);
    as_guest([] {
        Guest guest;
        guest.attach("restart");
        guest.send("first life");
        EXPECT_EQ(got, "first life");
        EXPECT_EQ(resets, 0u);
        EXPECT_EQ(c->send(1, 0, "stale", 5), Status::ok);
        std::memset(region, 0x5a, region_size);
        guest.ring();
        machine::interrupt([] { vbus::guest_state(RTMUX_GUEST_STOPPED); });
        (void)Thread::yield(); // to the system thread, which in truth is above the guest
        EXPECT_GE(resets, 1u);
        const unsigned before = resets;
        EXPECT_EQ(c->send(1, 0, "nobody", 6), Status::reset) << "senders are told, too";
        EXPECT_EQ(c->send(1, 0, "nobody", 6), Status::down);
        machine::interrupt([] { vbus::guest_state(RTMUX_GUEST_RUNNING); });
        guest.attach("restart");
        guest.send("second life");
        EXPECT_EQ(got, "second life");
        vbus_message message;
        EXPECT_EQ(guest.recv(message), "(nothing)") << "stale";
        EXPECT_LE(resets, before + 1);
    });
}

// A sender that has time waits for the low watermark; whoever has none fails at once.
TEST_F(Rtos, SenderWaitsForRoom) {
    static vbus::Channel *c;
    static unsigned sent, resets;
    static Status last;
    c = channel("room");
    sent = resets = 0;
    Thread sender("sender", 5, [](void *) {
        static uint8_t block[1000];
        for (;;) {
            last = c->send(1, 0, block, sizeof block, rtos::Time::never());
            sent += last == Status::ok;
            resets += last == Status::reset;
            if (last != Status::ok && last != Status::reset)
                return;
        }
    });
    start(sender);
    as_guest([] {
        Guest guest;
        vbus_message message;
        EXPECT_EQ(sent, 0u) << "nobody is there";
        guest.attach("room");
        guest.ring();
        EXPECT_EQ(sent, 4u);
        EXPECT_EQ(c->send(1, 0, "now", 3), Status::ok) << "a little one fits";
        EXPECT_EQ(c->stats().congestions, 1u);
        (void)vbus_take_doorbell(&guest.end);
        EXPECT_EQ(guest.recv(message).size(), 1000u);
        EXPECT_FALSE(vbus_take_doorbell(&guest.end)) << "above the low watermark";
        EXPECT_EQ(guest.recv(message).size(), 1000u);
        EXPECT_FALSE(vbus_take_doorbell(&guest.end));
        EXPECT_EQ(guest.recv(message).size(), 1000u);
        EXPECT_TRUE(vbus_take_doorbell(&guest.end));
        guest.ring();
        EXPECT_EQ(sent, 7u) << "woken once for three records";
        vbus_end_reset(&guest.end);
        guest.ring();
        EXPECT_EQ(resets, 1u) << "who waits is told";
        EXPECT_EQ(sent, 11u) << "and goes on";
    });
}

// One record for one receiver, and an error for all of them.
TEST_F(Rtos, SeveralReceivers) {
    static vbus::Channel *c;
    static unsigned got, resets;
    c = channel("several");
    got = resets = 0;
    const auto body = [](void *) {
        for (;;) {
            vbus::Message message;
            char buffer[64];
            const Status status = c->recv(message, buffer, sizeof buffer);
            got += status == Status::ok;
            resets += status == Status::reset;
        }
    };
    Thread a("a", 5, body), b("b", 6, body);
    start(a);
    start(b);
    as_guest([] {
        Guest guest;
        guest.attach("several");
        for (int i = 0; i < 10; i++)
            guest.send("x");
        EXPECT_EQ(got, 10u);
        vbus_end_reset(&guest.end);
        guest.ring();
        EXPECT_EQ(resets, 2u);
    });
}

TEST_F(Rtos, ArrivalInTheInterruptAndBatches) {
    static vbus::Channel *c;
    static std::string got;
    static unsigned arrivals;
    c = channel("arrival");
    got.clear();
    arrivals = 0;
    c->on_arrival(
        [](void *, vbus::Channel &channel) {
            arrivals++;
            vbus_message message;
            if (channel.peek(message, vbus::no_wait) != Status::ok)
                return;
            do
                got += std::string(static_cast<const char *>(message.payload), message.length);
            while (channel.next(message) == Status::ok);
            EXPECT_EQ(channel.release(message), Status::ok);
            EXPECT_EQ(channel.peek(message, vbus::no_wait), Status::timeout) << "asks for the next doorbell";
            EXPECT_EQ(channel.send(1, 0, "back", 4), Status::ok);
        },
        nullptr);
    as_guest([] {
        Guest guest;
        guest.attach("arrival");
        const unsigned before = arrivals;
        for (const char *text : {"a", "b", "c"}) {
            vbus_slot slot;
            ASSERT_EQ(vbus_tx_begin(&guest.end, 1, &slot), VBUS_OK);
            *static_cast<char *>(slot.payload) = *text;
            ASSERT_EQ(vbus_tx_put(&guest.end, &slot, 1, 0, 0), VBUS_OK);
        }
        vbus_tx_publish(&guest.end);
        EXPECT_TRUE(vbus_take_doorbell(&guest.end));
        guest.ring();
        EXPECT_EQ(got, "abc");
        EXPECT_EQ(arrivals, before + 1);
        vbus_message message;
        EXPECT_EQ(guest.recv(message), "back");
        c->on_arrival(nullptr, nullptr);
    });
}

// Between reserve and commit the ring is one sender's.
TEST_F(Rtos, SendersDoNotMix) {
    static vbus::Channel *c;
    c = channel("mix");
    as_guest([] {
        Guest guest;
        guest.attach("mix");
        vbus_slot slot, other;
        ASSERT_EQ(c->reserve(4, slot), Status::ok);
        EXPECT_EQ(c->reserve(4, other), Status::busy);
        EXPECT_EQ(c->send(1, 0, "x", 1), Status::busy);
        c->cancel(slot);
        ASSERT_EQ(c->reserve(4, slot), Status::ok);
        std::memcpy(slot.payload, "mine", 4);
        EXPECT_EQ(c->commit(slot, 1, 0), Status::ok);
        EXPECT_EQ(c->send(1, 0, "x", 1), Status::ok);
        vbus_message message;
        EXPECT_EQ(guest.recv(message), "mine");
        EXPECT_EQ(guest.recv(message), "x");
    });
}

// The header was overwritten: a guest that asks finds it repaired.
TEST_F(Rtos, HeaderIsRepaired) {
    static vbus::Channel *c;
    c = channel("repair");
    as_guest([] {
        Guest guest;
        guest.attach("repair");
        const uint32_t repairs = vbus::counters().repairs;
        Guest::ring_header();
        (void)Thread::yield();
        EXPECT_EQ(vbus::counters().repairs, repairs) << "nothing was wrong";
        std::memset(region, 0x77, VBUS_PAGE);
        Guest::ring_header();
        (void)Thread::yield();
        EXPECT_EQ(vbus::counters().repairs, repairs + 1);
        guest.attach("repair");
        guest.send("again");
        vbus::Message message;
        char buffer[8];
        EXPECT_EQ(c->recv(message, buffer, sizeof buffer, vbus::no_wait), Status::reset);
        EXPECT_EQ(c->recv(message, buffer, sizeof buffer, vbus::no_wait), Status::ok);
        const uint32_t unknown = vbus::counters().unknown_doorbells;
        machine::interrupt([] { vbus::doorbell(59); });
        EXPECT_EQ(vbus::counters().unknown_doorbells, unknown + 1);
    });
}

// The RT side starts anew, as often as it likes; each side's calls are told and go on.
TEST_F(Rtos, RtSideRestarts) {
    static vbus::Channel *c;
    c = channel("anew");
    as_guest([] {
        for (int round = 0; round < 50; round++) {
            Guest guest;
            guest.attach("anew");
            vbus::Message message;
            char buffer[16];
            if (round) {
                EXPECT_EQ(c->recv(message, buffer, sizeof buffer, vbus::no_wait), Status::reset);
            }
            guest.send("to rt");
            EXPECT_EQ(c->recv(message, buffer, sizeof buffer, vbus::no_wait), Status::ok);
            guest.send("lost");
            vbus::restart();
            uint32_t epoch = 0;
            EXPECT_EQ(vbus_check_region(region, region_size, &epoch), VBUS_ATTACHED);
        }
    });
}

TEST_F(Rtos, CreateRefuses) {
    EXPECT_EQ(vbus::create({.name = "send"}), nullptr) << "in use";
    EXPECT_EQ(vbus::create({.name = ""}), nullptr);
    EXPECT_EQ(vbus::create({.name = "Upper"}), nullptr);
    EXPECT_EQ(vbus::create({.name = "sixteen-letters-"}), nullptr);
    EXPECT_EQ(vbus::create({.name = "odd", .to_guest = {3000}}), nullptr);
    EXPECT_EQ(vbus::create({.name = "large", .to_guest = {region_size}}), nullptr);
    EXPECT_EQ(vbus::create({.name = "none", .to_rt = {0}}), nullptr);
    EXPECT_EQ(vbus::open("none"), nullptr);
    EXPECT_NE(vbus::open("send"), nullptr);
}

} // namespace
