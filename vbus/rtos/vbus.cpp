// SPDX-License-Identifier: BSD-3-Clause
#include "vbus.hpp"

#include <region.h>
#include <rtos/irq_lock.hpp>
#include <string.h>

namespace vbus {
namespace {

struct Bus {
    uint8_t *memory = nullptr;
    uint32_t size = 0;
    uint32_t used = 0; // bytes from the start that belong to the header and to channels
    uint32_t count = 0;
    uint32_t epoch = 0;
    void (*notify)() = nullptr;
    Channel channels[max_channels];
};
constinit Bus bus;

Status status(vbus_result result) {
    switch (result) {
    case VBUS_OK:
        return Status::ok;
    case VBUS_AGAIN:
        return Status::full;
    case VBUS_DOWN:
        return Status::down;
    case VBUS_TOO_LONG:
        return Status::too_long;
    default:
        return Status::reset;
    }
}

// Control lines and rings start on pages, so that a guest can map one channel alone.
uint32_t take_pages(uint32_t &used, uint32_t bytes) {
    const uint32_t offset = used;
    used += (bytes + VBUS_PAGE - 1) & ~(VBUS_PAGE - 1);
    return offset;
}

bool valid_ring_size(uint32_t bytes) {
    return bytes >= VBUS_MIN_RING && bytes <= bus.size && (bytes & (bytes - 1)) == 0;
}

} // namespace

template <typename Step> vbus_result Channel::locked(Step step) {
    vbus_result result;
    bool ring;
    {
        rtos::IrqLock lock;
        result = step();
        ring = vbus_take_doorbell(&end_);
    }
    if (ring)
        bus.notify();
    return result;
}

Status Channel::reserve(uint32_t length, vbus_slot &slot) {
    return status(locked([&] {
        const vbus_result result = vbus_tx_begin(&end_, length, &slot);
        return saw_reset() ? VBUS_RESET : result;
    }));
}

Status Channel::commit(const vbus_slot &slot, uint16_t type, uint16_t flags) {
    const uint64_t stamp = rtos::now().ticks;
    return status(locked([&] { return vbus_tx_commit(&end_, &slot, type, flags, stamp); }));
}

Status Channel::send(uint16_t type, uint16_t flags, const void *payload, uint32_t length) {
    vbus_slot slot;
    const Status reserved = reserve(length, slot);
    if (reserved != Status::ok)
        return reserved;
    if (length) // payload may be nullptr then
        memcpy(slot.payload, payload, length);
    return commit(slot, type, flags);
}

Status Channel::peek(vbus_message &message, rtos::Time deadline) {
    for (;;) {
        const vbus_result result = locked([&] {
            vbus_result next = vbus_rx_begin(&end_, &message);
            if (next == VBUS_AGAIN || next == VBUS_DOWN)
                next = vbus_rx_wait(&end_, &message);
            return saw_reset() ? VBUS_RESET : next;
        });
        if (result != VBUS_AGAIN && result != VBUS_DOWN)
            return status(result);
        switch (arrived_.take(deadline)) {
        case rtos::Status::ok:
            break;
        case rtos::Status::timeout:
            return Status::timeout;
        default:
            return Status::invalid;
        }
    }
}

Status Channel::release(const vbus_message &message) {
    return status(locked([&] { return vbus_rx_release(&end_, &message); }));
}

Status Channel::recv(Message &message, void *buffer, uint32_t capacity, rtos::Time deadline) {
    vbus_message record;
    const Status arrived = peek(record, deadline);
    if (arrived != Status::ok)
        return arrived;
    message = {record.type, record.flags, record.length, record.timestamp};
    const bool fits = record.length <= capacity;
    if (fits)
        memcpy(buffer, record.payload, record.length);
    const Status released = release(record);
    return released != Status::ok || fits ? released : Status::too_long;
}

// A reset is reported once, by the first call that comes after it.
bool Channel::saw_reset() {
    const bool changed = generation_ != end_.generation;
    generation_ = end_.generation;
    return changed;
}

void Channel::wake() {
    // A waiter takes the unit directly; without one a single unit remains, which costs the next
    // receiver one look at the ring.
    if (arrived_.count() == 0)
        (void)arrived_.release();
}

Status start(const rtmux_exec &exec) {
    if (exec.vbus_size < 2 * VBUS_PAGE || exec.vbus_size % VBUS_PAGE)
        return Status::invalid;
    bus.memory = exec.vbus;
    bus.size = exec.vbus_size;
    bus.notify = exec.notify_guest;
    bus.used = VBUS_PAGE;
    bus.epoch = vbus_next_epoch(vbus_word(&vbus_header_of(bus.memory)->epoch));
    memset(bus.memory, 0, VBUS_PAGE); // the reserved words
    vbus_format(bus.memory, bus.size, rtos::port::counter_hz, bus.epoch);
    return Status::ok;
}

Channel *create(const Options &options) {
    vbus_channel entry = {};
    const size_t length = strlen(options.name);
    if (length >= VBUS_NAME_SIZE || bus.count == max_channels || open(options.name) ||
        !valid_ring_size(options.to_guest_bytes) || !valid_ring_size(options.to_rt_bytes))
        return nullptr;
    memcpy(entry.name, options.name, length);
    entry.priority = options.priority;
    uint32_t used = bus.used;
    entry.control = take_pages(used, sizeof(vbus_side));
    entry.guest_control = take_pages(used, sizeof(vbus_side));
    entry.to_guest = vbus_ring_at(take_pages(used, options.to_guest_bytes), options.to_guest_bytes);
    entry.to_rt = vbus_ring_at(take_pages(used, options.to_rt_bytes), options.to_rt_bytes);
    if (used > bus.size || !vbus_valid_channel(&entry, bus.size))
        return nullptr;
    bus.used = used;

    Channel &channel = bus.channels[bus.count];
    channel.entry_ = entry;
    memset(bus.memory + entry.guest_control, 0, sizeof(vbus_side)); // no guest is there
    vbus_open_channel(&channel.end_, bus.memory, &entry, VBUS_RT);
    vbus_add_channel(bus.memory, bus.count, &entry);
    bus.count++; // last: from now on doorbell() looks at it
    bus.notify();
    return &channel;
}

Channel *open(const char *name) {
    for (uint32_t i = 0; i < bus.count; i++)
        if (strncmp(bus.channels[i].name(), name, VBUS_NAME_SIZE) == 0)
            return &bus.channels[i];
    return nullptr;
}

void doorbell() {
    bool ring = false;
    for (uint32_t i = 0; i < bus.count; i++) {
        Channel &channel = bus.channels[i];
        vbus_message message;
        const vbus_result result = vbus_rx_begin(&channel.end_, &message);
        ring |= vbus_take_doorbell(&channel.end_);
        if (result != VBUS_AGAIN && result != VBUS_DOWN) // a doorbell for nothing wakes nobody
            channel.wake();
    }
    if (bus.count && vbus_word(&vbus_header_of(bus.memory)->guest.state) == VBUS_STATE_RUNNING)
        vbus_set(&vbus_header_of(bus.memory)->rt.state, VBUS_STATE_RUNNING);
    if (ring)
        bus.notify();
}

void guest_state(uint32_t state) {
    if (state == RTMUX_GUEST_RUNNING || bus.count == 0)
        return; // its driver attaches with the first doorbell
    // Write all of it again: nobody knows what the guest did to it before it went.
    bus.epoch = vbus_next_epoch(bus.epoch);
    vbus_format(bus.memory, bus.size, rtos::port::counter_hz, bus.epoch);
    for (uint32_t i = 0; i < bus.count; i++) {
        Channel &channel = bus.channels[i];
        vbus_add_channel(bus.memory, i, &channel.entry_);
        vbus_clear_guest(bus.memory, &channel.entry_);
        (void)vbus_poll_peer(&channel.end_); // sees the guest leave
        vbus_end_reset(&channel.end_);
        (void)vbus_take_doorbell(&channel.end_); // nobody to notify
        channel.wake();
    }
}

} // namespace vbus
