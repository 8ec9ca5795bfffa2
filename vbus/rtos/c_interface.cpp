// SPDX-License-Identifier: BSD-3-Clause
#include "vbus.h"

#include "bus.hpp"

#include <errno.h>

using vbus::Channel;
using vbus::Status;

// The C interface's handle is the channel.
struct vbus_arrival {
    void (*arrival)(void *argument, struct vbus_handle *channel);
    void *argument;
};

namespace {

constinit vbus_arrival arrivals[vbus::max_channels];

Channel &of(struct vbus_handle *handle) {
    return *reinterpret_cast<Channel *>(handle);
}
struct vbus_handle *handle_of(Channel *channel) {
    return reinterpret_cast<struct vbus_handle *>(channel);
}

int error_of(Status status) {
    switch (status) {
    case Status::ok:
        return 0;
    case Status::timeout:
        return -ETIMEDOUT;
    case Status::full:
        return -EAGAIN;
    case Status::down:
        return -ENOTCONN;
    case Status::reset:
        return -EPIPE;
    case Status::too_long:
        return -EMSGSIZE;
    case Status::busy:
        return -EBUSY;
    case Status::interrupted:
        return -EINTR;
    default:
        return -EDEADLK;
    }
}
// Of a receiver that did not wait.
int error_of(Status status, int64_t timeout) {
    return status == Status::timeout && timeout <= 0 ? -EAGAIN : error_of(status);
}

rtos::Time deadline_of(int64_t timeout) {
    if (timeout <= 0)
        return vbus::no_wait;
    if (timeout == VBUS_FOREVER)
        return rtos::Time::never();
    // Whole ticks, and one more: never early.
    const int64_t mhz = rtos::port::counter_hz / 1'000'000;
    return rtos::now() + rtos::Duration{timeout / 1000 * mhz + timeout % 1000 * mhz / 1000 + 1};
}

} // namespace

extern "C" {

struct vbus_handle *vbus_open(const char *name, const struct vbus_options *options) {
    Channel *const there = vbus::open(name);
    if (there || !options)
        return handle_of(there);
    vbus::Options made = {.name = name, .priority = options->priority, .flags = options->flags};
    if (options->to_guest_bytes)
        made.to_guest = {options->to_guest_bytes, options->to_guest_high, options->to_guest_low};
    if (options->to_rt_bytes)
        made.to_rt = {options->to_rt_bytes, options->to_rt_high, options->to_rt_low};
    return handle_of(vbus::create(made));
}

int vbus_send(struct vbus_handle *channel, const void *data, uint32_t length, const struct vbus_note *note,
              int64_t timeout) {
    return error_of(
        of(channel).send(note ? note->type : 0, note ? note->flags : 0, data, length, deadline_of(timeout)));
}

int vbus_recv(struct vbus_handle *channel, void *buffer, uint32_t size, struct vbus_note *note,
              int64_t timeout) {
    vbus::Message message;
    const Status status = of(channel).recv(message, buffer, size, deadline_of(timeout));
    if (status != Status::ok)
        return error_of(status, timeout);
    if (note)
        *note = {message.timestamp, message.type, message.flags};
    return static_cast<int>(message.length);
}

int vbus_reserve(struct vbus_handle *channel, uint32_t length, struct vbus_slot *slot, int64_t timeout) {
    return error_of(of(channel).reserve(length, *slot, deadline_of(timeout)));
}

int vbus_commit(struct vbus_handle *channel, const struct vbus_slot *slot, const struct vbus_note *note) {
    return error_of(of(channel).commit(*slot, note ? note->type : 0, note ? note->flags : 0));
}

int vbus_put(struct vbus_handle *channel, const struct vbus_slot *slot, const struct vbus_note *note) {
    return error_of(of(channel).put(*slot, note ? note->type : 0, note ? note->flags : 0));
}

void vbus_publish(struct vbus_handle *channel) {
    of(channel).publish();
}

void vbus_cancel(struct vbus_handle *channel, const struct vbus_slot *slot) {
    of(channel).cancel(*slot);
}

int vbus_peek(struct vbus_handle *channel, struct vbus_message *message, int64_t timeout) {
    return error_of(of(channel).peek(*message, deadline_of(timeout)), timeout);
}

int vbus_next(struct vbus_handle *channel, struct vbus_message *message) {
    return error_of(of(channel).next(*message), 0);
}

int vbus_release(struct vbus_handle *channel, const struct vbus_message *message) {
    return error_of(of(channel).release(*message));
}

void vbus_on_arrival(struct vbus_handle *channel, void (*arrival)(void *, struct vbus_handle *),
                     void *argument) {
    Channel &c = of(channel);
    vbus_arrival &slot = arrivals[c.index()];
    c.on_arrival(nullptr, nullptr);
    slot = {arrival, argument};
    if (arrival)
        c.on_arrival(
            [](void *own, Channel &from) {
                const auto &to = *static_cast<const vbus_arrival *>(own);
                to.arrival(to.argument, handle_of(&from));
            },
            &slot);
}

} // extern "C"
