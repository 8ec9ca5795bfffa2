// SPDX-License-Identifier: BSD-3-Clause
// What Linux finds on V-Bus: the services rpmsg-raw, which sends back what it gets, and rtmux-demo
// (rtmux/measurement.h) on the channel "rpmsg"; and the channel "stream", an echo for processes that map it.
#include "demo.hpp"

#include <rtmux/vbus_rpmsg.h>
#include <rtos/guest.hpp>
#include <rtos/thread.hpp>
#include <string.h>
#include <vbus.hpp>

namespace demo {

using namespace rtos;

enum Address : uint32_t { echo_address = 1, demo_address = 2 };

static constinit vbus::Channel *channel, *stream;
static uint8_t payload[16384]; // a quarter of the ring, the longest record
static uint8_t streamed[8192];

// A send that waits for the guest: to be there, and to read. False: the channel was reset meanwhile.
static bool send(uint32_t from, uint32_t to, const void *head, uint32_t head_length, const void *data,
                 uint32_t length) {
    vbus_slot slot;
    if (channel->reserve(sizeof(vbus_rpmsg) + head_length + length, slot, Time::never()) != vbus::Status::ok)
        return false;
    const vbus_rpmsg addresses = {.src = from, .dst = to};
    uint8_t *to_guest = static_cast<uint8_t *>(slot.payload);
    memcpy(to_guest, &addresses, sizeof addresses);
    if (head_length)
        memcpy(to_guest + sizeof addresses, head, head_length);
    if (length)
        memcpy(to_guest + sizeof addresses + head_length, data, length);
    return channel->commit(slot, 0, 0) == vbus::Status::ok;
}

static void announce(const char *name, uint32_t address) {
    vbus_rpmsg_announcement announcement = {};
    strncpy(announcement.name, name, sizeof announcement.name - 1);
    announcement.address = address;
    announcement.flags = VBUS_RPMSG_CREATE;
    while (!send(address, VBUS_RPMSG_NAME_SERVICE, nullptr, 0, &announcement, sizeof announcement))
        ; // a reset, of which the guest knows: this is for its next life
}

// A request to the demo: the head, then what it sends along.
static bool answer(uint32_t to, const uint8_t *data, uint32_t length) {
    rtmux_demo_head head;
    if (length < sizeof head)
        return true;
    memcpy(&head, data, sizeof head);
    head.flags = RTMUX_DEMO_REPLY;
    switch (head.type) {
    case RTMUX_DEMO_ECHO:
        return send(demo_address, to, &head, sizeof head, data + sizeof head, length - sizeof head);
    case RTMUX_DEMO_STATS: {
        const rtmux_measurement m = measurement();
        return send(demo_address, to, &head, sizeof head, &m, sizeof m);
    }
    default:
        head.type = RTMUX_DEMO_UNKNOWN;
        return send(demo_address, to, &head, sizeof head, nullptr, 0);
    }
}

// One message. False: the channel was reset.
static bool serve_one() {
    vbus::Message message;
    vbus_rpmsg from;
    const vbus::Status received = channel->recv(message, payload, sizeof(payload));
    if (received == vbus::Status::reset)
        return false;
    if (received != vbus::Status::ok || message.length < sizeof from)
        return true; // does not fit: V-Bus counts it
    memcpy(&from, payload, sizeof from);
    const uint32_t length = message.length - static_cast<uint32_t>(sizeof from);
    if (from.dst == echo_address)
        return send(echo_address, from.src, nullptr, 0, payload + sizeof from, length);
    if (from.dst == demo_address)
        return answer(from.src, payload + sizeof from, length);
    return true;
}

// Each direction is told of a reset. Told of it in one: hear of it in the other, too.
static void hear_reset(vbus::Channel &of, bool receiver) {
    vbus::Message none;
    vbus_slot slot;
    if (receiver)
        (void)of.recv(none, payload, 0, vbus::no_wait);
    else if (of.reserve(0, slot) == vbus::Status::ok)
        of.cancel(slot);
}

static void serve(void *) {
    for (;;) {
        announce("rpmsg-raw", echo_address);
        announce(RTMUX_DEMO_SERVICE, demo_address);
        while (serve_one())
            ;
        hear_reset(*channel, true);
    }
}

static void serve_stream(void *) {
    for (;;) {
        vbus::Message message;
        if (stream->recv(message, streamed, sizeof streamed) != vbus::Status::ok)
            hear_reset(*stream, false);
        else if (stream->send(message.type, message.flags, streamed, message.length, Time::never()) !=
                 vbus::Status::ok)
            hear_reset(*stream, true);
    }
}

static constinit Thread thread{"vbus", 12, serve};
static constinit Thread stream_thread{"stream", 12, serve_stream};

Status start_vbus_service() {
    if (vbus::start(executive()) != vbus::Status::ok)
        return Status::invalid;
    guest_attach({vbus::doorbell, vbus::guest_state});
    channel = vbus::create(
        {.name = "rpmsg", .flags = VBUS_CHANNEL_RPMSG, .to_guest = {0x10000}, .to_rt = {0x10000}});
    stream =
        vbus::create({.name = "stream", .flags = VBUS_CHANNEL_MMAP, .to_guest = {0x8000}, .to_rt = {0x8000}});
    if (!channel || !stream)
        return Status::no_memory;
    const Status started = stream_thread.start(4096);
    return started == Status::ok ? thread.start(4096) : started;
}

} // namespace demo
