// SPDX-License-Identifier: BSD-3-Clause
// What Linux finds on V-Bus. On the channel "rpmsg" the services rpmsg-raw, which sends back what it
// gets, rtmux-demo (rtmux/measurement.h), rpmsg-tty, the shell, and rtmux-log, the log; and the
// channel "stream", an echo for processes that map it.
#include "demo.hpp"

#include <log_service.hpp>
#include <rpmsg.hpp>
#include <rtos/guest.hpp>
#include <rtos/rpmsg_shell.hpp>
#include <rtos/thread.hpp>
#include <string.h>
#include <trace_service.hpp>

namespace demo {

using namespace rtos;
using vbus::rpmsg::Endpoint;
using vbus::rpmsg::Role;

static uint8_t answered[16384]; // a quarter of the ring; the bus's thread builds answers in it
static uint8_t streamed[8192];

// The answers wait for the guest to read: it asked. If the channel is reset meanwhile, nobody wants them.
static void echo(void *, Endpoint &self, const uint8_t *data, uint32_t length, uint32_t src) {
    self.forget_reset();
    (void)self.send_to(src, data, length, Time::never());
}

// The other way round: the guest announces a service, this is its client.
static constinit Endpoint client{"rpmsg-raw", Role::client, echo};

static void answer(void *, Endpoint &self, const uint8_t *data, uint32_t length, uint32_t src) {
    rtmux_demo_head head;
    if (length < sizeof head)
        return;
    memcpy(&head, data, sizeof head);
    uint32_t answer_length = 0;
    static rtmux_measurement m;
    switch (head.type) {
    case RTMUX_DEMO_ECHO:
        answer_length = length - static_cast<uint32_t>(sizeof head);
        memcpy(answered + sizeof head, data + sizeof head, answer_length);
        break;
    case RTMUX_DEMO_STATS:
        measurement(m);
        answer_length = sizeof m;
        memcpy(answered + sizeof head, &m, sizeof m);
        break;
    case RTMUX_DEMO_CALL:
        client.forget_reset();
        (void)client.send(data + sizeof head, length - static_cast<uint32_t>(sizeof head));
        break;
    default:
        head.type = RTMUX_DEMO_UNKNOWN;
        break;
    }
    head.flags = RTMUX_DEMO_REPLY;
    memcpy(answered, &head, sizeof head);
    self.forget_reset();
    (void)self.send_to(src, answered, static_cast<uint32_t>(sizeof head) + answer_length, Time::never());
}

static constinit vbus::rpmsg::Bus bus{"vbus", 12};
static constinit Endpoint echo_service{"rpmsg-raw", Role::service, echo};
static constinit Endpoint demo_service{RTMUX_DEMO_SERVICE, Role::service, answer};
static constinit vbus::Channel *stream;

static void serve_stream(void *) {
    for (;;) {
        vbus::Message message;
        if (stream->recv(message, streamed, sizeof streamed) == vbus::Status::ok)
            while (stream->send(message.type, message.flags, streamed, message.length, Time::never()) ==
                   vbus::Status::reset)
                ; // of which the receiver was told before, or the guest will not miss it
    }
}

static constinit Thread stream_thread{"stream", 12, serve_stream};

Status start_vbus_service() {
    if (vbus::start(executive()) != vbus::Status::ok)
        return Status::invalid;
    guest_attach({vbus::doorbell, vbus::guest_state});
    vbus::Channel *const rpmsg = vbus::create(
        {.name = "rpmsg", .flags = VBUS_CHANNEL_RPMSG, .to_guest = {0x10000}, .to_rt = {0x10000}});
    stream =
        vbus::create({.name = "stream", .flags = VBUS_CHANNEL_MMAP, .to_guest = {0x8000}, .to_rt = {0x8000}});
    if (!rpmsg || !stream)
        return Status::no_memory;
    const Status started[] = {bus.start(*rpmsg, 8192),      bus.add(echo_service),
                              bus.add(demo_service),        bus.add(client),
                              vbus::start_log_service(bus), vbus::start_trace_service(bus),
                              rtos::shell::start(bus),      stream_thread.start(4096)};
    for (const Status status : started)
        if (status != Status::ok)
            return status;
    return Status::ok;
}

} // namespace demo
