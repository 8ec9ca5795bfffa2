// SPDX-License-Identifier: GPL-2.0-only
// The RTOS's end on the RTOS's kernel (on the simulated machine of ../rtos), against a guest that
// uses the ring as Linux does. The bus lives as long as the program: each test has its channel.
#include "machine.hpp"
#include "vbus.hpp"

#include <cstdlib>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <region.h>
#include <rtos/irq_lock.hpp>
#include <string>

namespace {

using rtos::Thread;
using vbus::Status;

constexpr size_t stack = 4096;
constexpr uint32_t region_size = 256 * 1024;
uint8_t *region = nullptr;
unsigned notified = 0;

struct Guest {
    vbus_channel entry{};
    vbus_end end{};

    // Attach to a channel, as the module does: by the directory.
    void attach(const char *name) {
        uint32_t epoch;
        ASSERT_EQ(vbus_check_region(region, region_size, &epoch), VBUS_ATTACHED);
        for (index = 0;; index++) {
            ASSERT_TRUE(vbus_read_channel(region, region_size, index, &entry)) << "no channel " << name;
            if (std::strcmp(entry.name, name) == 0)
                break;
        }
        end = {};
        vbus_open_channel(&end, region, &entry, VBUS_GUEST);
        vbus_accept_features(region, VBUS_FEATURES);
        vbus_set_guest(region, epoch, VBUS_STATE_RUNNING);
        ring_header();
        ring();
        (void)vbus_poll_peer(&end);
        ring();
    }

    uint32_t index = 0;
    void ring() { machine::interrupt([this] { vbus::doorbell(index); }); }
    static void ring_header() { machine::interrupt([] { vbus::doorbell(VBUS_DOORBELL_HEADER); }); }

    void send(const std::string &payload, uint16_t type = 1) {
        vbus_slot slot;
        ASSERT_EQ(vbus_tx_begin(&end, static_cast<uint32_t>(payload.size()), &slot), VBUS_OK);
        std::memcpy(slot.payload, payload.data(), payload.size());
        ASSERT_EQ(vbus_tx_commit(&end, &slot, type, 0, 0), VBUS_OK);
        if (vbus_take_doorbell(&end))
            ring();
    }

    std::string recv(vbus_message &message) {
        if (vbus_rx_begin(&end, &message) != VBUS_OK)
            return "(nothing)";
        std::string payload(static_cast<const char *>(message.payload), message.length);
        (void)vbus_rx_release(&end, &message);
        return payload;
    }
};

struct Rtos : testing::Test {
    static void SetUpTestSuite() {
        static rtmux_exec exec = {};
        region = static_cast<uint8_t *>(std::aligned_alloc(4096, region_size));
        std::memset(region, 0xa5, region_size); // what a former life left
        exec.vbus = region;
        exec.vbus_size = region_size;
        exec.notify_guest = [] { notified++; };
        ASSERT_EQ(vbus::start(exec), Status::ok);
    }
    void SetUp() override { machine::reset(); }

    // Run body as a thread below all others, in whose place the guest would run.
    static void as_guest(std::function<void()> body) {
        static bool ended;
        ended = false;
        Thread thread(
            "guest", 30,
            [](void *work) {
                (*static_cast<std::function<void()> *>(work))();
                ended = true;
            },
            &body);
        ASSERT_EQ(thread.start(stack), rtos::Status::ok);
        machine::run_until(10'000'000);
        ASSERT_TRUE(ended);
    }

    static vbus::Channel *channel(const char *name) {
        vbus::Channel *made = vbus::create({.name = name, .to_guest = {4096}, .to_rt = {4096}});
        EXPECT_NE(made, nullptr);
        return made;
    }
};

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
    ASSERT_EQ(receiver.start(stack), rtos::Status::ok);
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
    ASSERT_EQ(receiver.start(stack), rtos::Status::ok);
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
        EXPECT_GE(resets, 1u);
        const unsigned before = resets;
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
