// SPDX-License-Identifier: GPL-2.0-only
// rpmsg endpoints, and the C interface, of the RTOS's end.
#include "rtos_fixture.hpp"

#include "rpmsg.hpp"
#include "vbus.h"

#include <cerrno>
#include <random>

namespace {

using namespace test;
using vbus::rpmsg::Bus;
using vbus::rpmsg::Endpoint;
using vbus::rpmsg::Role;

std::string message(uint32_t src, uint32_t dst, const std::string &data) {
    const vbus_rpmsg head = {src, dst};
    return std::string(reinterpret_cast<const char *>(&head), sizeof head) + data;
}
std::string announcement(const char *name, uint32_t address, uint32_t flags = VBUS_RPMSG_CREATE) {
    vbus_rpmsg_announcement a = {{}, address, flags};
    std::strncpy(a.name, name, sizeof a.name - 1);
    return message(address, VBUS_RPMSG_NAME_SERVICE,
                   std::string(reinterpret_cast<const char *>(&a), sizeof a));
}

std::string heard;
void echo(void *, Endpoint &self, const uint8_t *data, uint32_t length, uint32_t src) {
    heard = std::string(reinterpret_cast<const char *>(data), length);
    self.forget_reset();
    EXPECT_EQ(self.send_to(src, data, length), Status::ok);
}

TEST_F(Rtos, RpmsgServicesAndClients) {
    static Bus bus("rpmsg", 5);
    static Endpoint service("echo", Role::service, echo, nullptr, 7);
    static Endpoint second("echo2", Role::service, echo);
    static Endpoint client("of-linux", Role::client, echo);
    static vbus::Channel *c;
    c = channel("rpmsg", VBUS_CHANNEL_RPMSG);
    as_guest([] {
        ASSERT_EQ(bus.start(*c, stack), rtos::Status::ok);
        ASSERT_EQ(bus.add(service), rtos::Status::ok);
        EXPECT_EQ(bus.add(service), rtos::Status::busy);
        ASSERT_EQ(bus.add(client), rtos::Status::ok);
        EXPECT_GE(client.address(), VBUS_RPMSG_RESERVED);
        for (int life = 0; life < 3; life++) {
            Guest guest;
            vbus_message m;
            guest.attach("rpmsg");
            guest.ring();
            EXPECT_EQ(guest.recv(m), announcement("echo", 7)) << "announced in each life";
            EXPECT_EQ(guest.recv(m), "(nothing)") << "a client is not";
            (void)vbus_rx_wait(&guest.end, &m);
            guest.send(message(1024, 7, "hello"));
            EXPECT_EQ(heard, "hello");
            EXPECT_EQ(guest.recv(m), message(7, 1024, "hello"));
            EXPECT_EQ(service.peer(), 1024u);
            EXPECT_EQ(client.send("x", 1), life ? Status::reset : Status::down);
            EXPECT_EQ(client.send("x", 1), Status::down);
            guest.send(announcement("of-linux", 2000));
            EXPECT_EQ(client.send("to linux", 8), Status::ok);
            EXPECT_EQ(guest.recv(m), message(client.address(), 2000, "to linux"));
            guest.send(announcement("of-linux", 2000, VBUS_RPMSG_DESTROY));
            EXPECT_EQ(client.send("x", 1), Status::down);
            // What is none
            const uint32_t dropped = bus.dropped();
            guest.send(message(1024, 99, "to nobody"));
            guest.send("short");
            guest.send(message(1, VBUS_RPMSG_NAME_SERVICE, "short"));
            guest.send(message(1, VBUS_RPMSG_NAME_SERVICE, std::string(40, 'x')));
            guest.send(announcement("", 3));
            EXPECT_EQ(bus.dropped(), dropped + 5);
            if (life == 1) { // comes and goes while the channel is up
                ASSERT_EQ(bus.add(second), rtos::Status::ok);
                EXPECT_EQ(guest.recv(m), announcement("echo2", second.address()));
                bus.remove(second);
                EXPECT_EQ(guest.recv(m), announcement("echo2", second.address(), VBUS_RPMSG_DESTROY));
            }
            EXPECT_EQ(service.send_to(5, "", bus.max_length() + 1), Status::too_long);
            vbus_end_close(&guest.end);
            guest.ring();
        }
        EXPECT_EQ(c->stats().violations, 0u);
    });
}

// Whatever a guest sends, it is a message to an endpoint that is there, a proper announcement, or dropped.
TEST_F(Rtos, RpmsgRubbish) {
    static Bus bus("rubbish", 5);
    static unsigned messages;
    const auto count = [](void *, Endpoint &, const uint8_t *, uint32_t, uint32_t) { messages++; };
    static Endpoint service("service", Role::service, count, nullptr, 7);
    static Endpoint client("client", Role::client, count, nullptr, 8);
    static vbus::Channel *c;
    messages = 0;
    c = channel("rubbish", VBUS_CHANNEL_RPMSG);
    as_guest([] {
        ASSERT_EQ(bus.start(*c, stack), rtos::Status::ok);
        ASSERT_EQ(bus.add(service), rtos::Status::ok);
        ASSERT_EQ(bus.add(client), rtos::Status::ok);
        Guest guest;
        guest.attach("rubbish");
        std::mt19937 random(1);
        unsigned to_endpoints = 0, announcements = 0;
        constexpr unsigned records = 20000;
        for (unsigned i = 0; i < records; i++) {
            const uint32_t addresses[] = {7, 8, VBUS_RPMSG_NAME_SERVICE, static_cast<uint32_t>(random())};
            const uint32_t dst = addresses[random() % 4];
            vbus_rpmsg_announcement a;
            std::memset(&a, random() % 3 ? 'c' : 0, sizeof a);
            if (random() % 2)
                std::memcpy(a.name, "client", random() % 2 ? 7 : 6);
            if (random() % 2)
                a.name[sizeof a.name - 1] = 0;
            a.flags = random() % 3;
            std::string record = message(random(), dst, std::string(reinterpret_cast<char *>(&a), sizeof a));
            if (random() % 3 == 0)
                record.resize(random() % (2 * record.size()), 'x');
            guest.send(record);
            if (record.size() >= sizeof(vbus_rpmsg)) {
                to_endpoints += dst == 7 || dst == 8;
                announcements += dst == VBUS_RPMSG_NAME_SERVICE &&
                                 record.size() == sizeof a + sizeof(vbus_rpmsg) && record[8] != 0 &&
                                 record[8 + 31] == 0 && a.flags <= VBUS_RPMSG_DESTROY;
            }
        }
        EXPECT_EQ(messages, to_endpoints);
        EXPECT_GT(announcements, 100u);
        EXPECT_EQ(bus.dropped(), records - to_endpoints - announcements);
        EXPECT_EQ(c->stats().violations, 0u);
    });
}

// A guest that is there but does not read holds up nobody who adds or removes a service.
TEST_F(Rtos, RpmsgServicesDoNotWaitForTheGuest) {
    static Bus bus("tiny", 5), too_small("too small", 5);
    static Endpoint services[] = {
        {"a", Role::service, echo}, {"b", Role::service, echo}, {"c", Role::service, echo},
        {"d", Role::service, echo}, {"e", Role::service, echo}, {"f", Role::service, echo},
    };
    static Endpoint late{"late", Role::service, echo};
    static vbus::Channel *c;
    c = vbus::create({.name = "tiny", .flags = VBUS_CHANNEL_RPMSG, .to_guest = {256}, .to_rt = {256}});
    ASSERT_NE(c, nullptr);
    as_guest([] {
        vbus::Channel *const small = vbus::create({.name = "small", .to_guest = {128}, .to_rt = {128}});
        ASSERT_NE(small, nullptr);
        EXPECT_EQ(too_small.start(*small, stack), rtos::Status::invalid) << "no announcement fits";
        ASSERT_EQ(bus.start(*c, stack), rtos::Status::ok);
        for (Endpoint &service : services)
            ASSERT_EQ(bus.add(service), rtos::Status::ok);
        Guest guest;
        guest.attach("tiny"); // the ring is full of four of them
        EXPECT_EQ(bus.add(late), rtos::Status::ok);
        bus.remove(services[1]);
        std::string said;
        vbus_message m;
        for (unsigned tries = 0; tries < 20; tries++) {
            const std::string record = guest.recv(m);
            if (vbus_take_doorbell(&guest.end))
                guest.ring();
            if (record != "(nothing)")
                said += std::string(record.c_str() + sizeof(vbus_rpmsg)) + " ";
        }
        EXPECT_EQ(said, "f e d c late a ");
    });
}

TEST_F(Rtos, CInterface) {
    as_guest([] {
        const vbus_options options = {0, 0, 4096, 0, 0, 4096, 0, 0};
        EXPECT_EQ(vbus_open("in-c", nullptr), nullptr);
        vbus_handle *c = vbus_open("in-c", &options);
        ASSERT_NE(c, nullptr);
        EXPECT_EQ(vbus_open("in-c", nullptr), c);
        char buffer[8];
        vbus_note note = {0, 3, 4};
        EXPECT_EQ(vbus_send(c, "x", 1, nullptr, 0), -ENOTCONN);
        Guest guest;
        guest.attach("in-c");
        EXPECT_EQ(vbus_recv(c, buffer, sizeof buffer, nullptr, 0), -EAGAIN);
        EXPECT_EQ(vbus_recv(c, buffer, sizeof buffer, nullptr, 10'000), -ETIMEDOUT);
        EXPECT_EQ(vbus_send(c, "hello", 5, &note, 0), 0);
        vbus_message m;
        EXPECT_EQ(guest.recv(m), "hello");
        EXPECT_EQ(m.type, 3);
        EXPECT_EQ(m.flags, 4);
        guest.send("back", 9);
        EXPECT_EQ(vbus_recv(c, buffer, sizeof buffer, &note, VBUS_FOREVER), 4);
        EXPECT_EQ(note.type, 9);
        guest.send("too long for it");
        EXPECT_EQ(vbus_recv(c, buffer, sizeof buffer, nullptr, 0), -EMSGSIZE);
        vbus_slot slot;
        ASSERT_EQ(vbus_reserve(c, 1, &slot, 0), 0);
        EXPECT_EQ(vbus_send(c, "x", 1, nullptr, 0), -EBUSY);
        vbus_cancel(c, &slot);
        static int arrivals;
        vbus_on_arrival(
            c, [](void *count, vbus_handle *) { ++*static_cast<int *>(count); }, &arrivals);
        EXPECT_EQ(vbus_peek(c, &m, 0), -EAGAIN);
        guest.send("y");
        EXPECT_EQ(arrivals, 1);
        EXPECT_EQ(vbus_peek(c, &m, 0), 0);
        EXPECT_EQ(vbus_release(c, &m), 0);
        vbus_end_reset(&guest.end);
        guest.ring();
        EXPECT_EQ(vbus_send(c, "x", 1, nullptr, 0), -EPIPE);
        EXPECT_EQ(vbus_recv(c, buffer, sizeof buffer, nullptr, 0), -EPIPE);
        EXPECT_EQ(vbus_recv(c, buffer, sizeof buffer, nullptr, 0), -EAGAIN);
    });
}

} // namespace
