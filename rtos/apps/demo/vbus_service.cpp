// SPDX-License-Identifier: BSD-3-Clause
// Answers Linux on channel "demo": see rtmux/measurement.h for the records.
#include "demo.hpp"

#include <rtos/guest.hpp>
#include <rtos/thread.hpp>
#include <vbus.hpp>

namespace demo {

using namespace rtos;

static constinit vbus::Channel *channel;
static uint8_t payload[16384]; // a quarter of the ring, the longest record

// Returns when the answer is sent or nobody wants it any more. A guest that does not read makes
// this thread wait, and no other.
static void answer(uint16_t type, const void *data, uint32_t length) {
    while (channel->send(type, RTMUX_DEMO_REPLY, data, length) == vbus::Status::full)
        (void)Thread::sleep_for(milliseconds(1));
}

static void serve(void *) {
    for (;;) {
        vbus::Message message;
        if (channel->recv(message, payload, sizeof(payload)) != vbus::Status::ok)
            continue; // a reset, or a record that does not fit: V-Bus counts them
        switch (message.type) {
        case RTMUX_DEMO_ECHO:
            answer(RTMUX_DEMO_ECHO, payload, message.length);
            break;
        case RTMUX_DEMO_STATS: {
            const rtmux_measurement m = measurement();
            answer(RTMUX_DEMO_STATS, &m, sizeof(m));
            break;
        }
        default:
            answer(RTMUX_DEMO_UNKNOWN, nullptr, 0);
            break;
        }
    }
}

static constinit Thread thread{"vbus", 12, serve};

Status start_vbus_service() {
    if (vbus::start(executive()) != vbus::Status::ok)
        return Status::invalid;
    guest_attach({vbus::doorbell, vbus::guest_state});
    channel = vbus::create({.name = RTMUX_DEMO_CHANNEL});
    if (!channel)
        return Status::no_memory;
    return thread.start(4096);
}

} // namespace demo
