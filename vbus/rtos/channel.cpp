// SPDX-License-Identifier: BSD-3-Clause
#include "bus.hpp"

#include <region.h>
#include <rtos/irq_lock.hpp>
#include <string.h>

namespace vbus {

using rtos::IrqLock;

static Status status(vbus_result result) {
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

static Status status(rtos::Status waited) {
    switch (waited) {
    case rtos::Status::timeout:
        return Status::timeout;
    case rtos::Status::interrupted:
        return Status::interrupted;
    default:
        return Status::invalid;
    }
}

static bool later(vbus_result result) {
    return result == VBUS_AGAIN || result == VBUS_DOWN;
}

[[gnu::always_inline]] inline void Channel::ring() {
    if (vbus_take_doorbell(&end_)) [[unlikely]]
        bus.ring(index_);
}

// A reset is reported once to each direction, by the first call that comes after it, and by all that
// waited through it: each of them wakes the next one.
[[gnu::always_inline]] inline bool Channel::told(uint32_t &generation, uint32_t entered,
                                                 rtos::WaitQueue &waiters) {
    if (generation == end_.generation && entered == end_.generation) [[likely]]
        return false;
    generation = end_.generation;
    waiters.wake_first();
    return true;
}

vbus_result Channel::try_reserve(uint32_t length, vbus_slot &slot, bool waits) {
    if (!waits)
        return vbus_tx_begin(&end_, length, &slot);
    const vbus_result result = vbus_tx_congested(&end_) ? VBUS_AGAIN : vbus_tx_begin(&end_, length, &slot);
    if (!later(result))
        return result;
    // One event for all who wait: that of the first in the queue.
    if (const rtos::Thread *first = writers_.first();
        first && first->priority() <= rtos::Thread::current().priority())
        return result;
    const vbus_result again = vbus_tx_wait(&end_, length);
    return again == VBUS_OK ? vbus_tx_begin(&end_, length, &slot) : again;
}

Status Channel::reserve(uint32_t length, vbus_slot &slot, rtos::Time deadline) {
    const bool waits = deadline != no_wait;
    const IrqLock lock;
    const uint32_t entered = end_.generation;
    for (;;) {
        vbus_result result = VBUS_AGAIN;
        if (!reserved_) [[likely]] {
            result = try_reserve(length, slot, waits);
            ring();
            if (told(told_sender_, entered, writers_))
                return Status::reset;
            if (result == VBUS_OK) [[likely]] {
                reserved_ = true;
                return Status::ok;
            }
            if (!waits || !later(result))
                return status(result);
        } else if (!waits) {
            return Status::busy;
        }
        const rtos::Status waited = writers_.wait(lock, deadline);
        if (waited != rtos::Status::ok)
            return status(waited);
    }
}

// Whoever else wants to send may, and sees for itself whether it can. IRQs masked.
[[gnu::always_inline]] inline void Channel::changed() {
    reserved_ = false;
    if (!writers_.empty()) [[unlikely]]
        writers_.wake_first();
}

Status Channel::put(const vbus_slot &slot, uint16_t type, uint16_t flags) {
    const uint64_t stamp = rtos::now().ticks;
    const IrqLock lock;
    const vbus_result result = vbus_tx_put(&end_, &slot, type, flags, stamp);
    changed();
    return status(result);
}

Status Channel::commit(const vbus_slot &slot, uint16_t type, uint16_t flags) {
    const uint64_t stamp = rtos::now().ticks;
    const IrqLock lock;
    const vbus_result result = vbus_tx_commit(&end_, &slot, type, flags, stamp);
    ring();
    changed();
    return status(result);
}

void Channel::publish() {
    const IrqLock lock;
    vbus_tx_publish(&end_);
    ring();
}

void Channel::cancel(const vbus_slot &) {
    const IrqLock lock;
    changed();
}

// A short record where there is room: in one masked stretch, which its copy makes little longer.
[[gnu::always_inline]] inline bool Channel::send_short(uint16_t type, uint16_t flags, const void *payload,
                                                       uint32_t length) {
    vbus_slot slot;
    const uint64_t stamp = rtos::now().ticks;
    const rtos::IrqMask masked;
    if (reserved_ || end_.congested || told_sender_ != end_.generation || !end_.up ||
        !vbus_tx_fits(&end_, length))
        return false;
    (void)vbus_tx_begin(&end_, length, &slot);
    memcpy(slot.payload, payload, length);
    (void)vbus_tx_commit(&end_, &slot, type, flags, stamp);
    ring();
    return true;
}

Status Channel::send(uint16_t type, uint16_t flags, const void *payload, uint32_t length,
                     rtos::Time deadline) {
    constexpr uint32_t short_record = 128;
    if (length - 1 < short_record && length <= max_length() && send_short(type, flags, payload, length))
        [[likely]]
        return Status::ok;
    vbus_slot slot;
    const Status reserved = reserve(length, slot, deadline);
    if (reserved != Status::ok) [[unlikely]]
        return reserved;
    if (length) // payload may be nullptr then
        memcpy(slot.payload, payload, length);
    return commit(slot, type, flags);
}

Status Channel::peek(vbus_message &message, rtos::Time deadline) {
    const IrqLock lock;
    const uint32_t entered = end_.generation;
    for (;;) {
        vbus_result result = vbus_rx_begin(&end_, &message);
        if (later(result))
            result = vbus_rx_wait(&end_, &message);
        ring();
        if (told(told_receiver_, entered, readers_))
            return Status::reset;
        if (result == VBUS_OK) [[likely]]
            return Status::ok;
        if (!later(result))
            return status(result);
        if (deadline == no_wait)
            return Status::timeout;
        const rtos::Status waited = readers_.wait(lock, deadline);
        if (waited != rtos::Status::ok)
            return status(waited);
    }
}

Status Channel::next(vbus_message &message) {
    const IrqLock lock;
    const vbus_result result = vbus_rx_next(&end_, &message);
    ring();
    return later(result) ? Status::timeout : status(result);
}

Status Channel::release(const vbus_message &message) {
    const IrqLock lock;
    const vbus_result result = vbus_rx_release(&end_, &message);
    ring();
    if (!readers_.empty() && end_.tail != end_.peer_head) [[unlikely]]
        readers_.wake_first(); // one was woken for several records
    return result == VBUS_AGAIN ? Status::busy : status(result);
}

Status Channel::recv(Message &message, void *buffer, uint32_t capacity, rtos::Time deadline) {
    for (;;) {
        vbus_message record;
        const Status arrived = peek(record, deadline);
        if (arrived != Status::ok) [[unlikely]]
            return arrived;
        message = {record.type, record.flags, record.length, record.timestamp};
        const bool fits = record.length <= capacity;
        if (fits)
            memcpy(buffer, record.payload, record.length);
        const Status released = release(record);
        if (released != Status::busy)
            return released != Status::ok || fits ? released : Status::too_long;
    }
}

void Channel::on_arrival(Arrival arrival, void *argument) {
    const IrqLock lock;
    argument_ = argument;
    arrival_ = arrival;
}

void Channel::on_room(Arrival room, void *argument) {
    const IrqLock lock;
    room_argument_ = argument;
    room_ = room;
}

bool Channel::readable() {
    vbus_message message;
    const IrqLock lock;
    vbus_result result = vbus_rx_begin(&end_, &message);
    if (later(result))
        result = vbus_rx_wait(&end_, &message);
    ring();
    return !later(result) || told_receiver_ != end_.generation;
}

bool Channel::writable() {
    vbus_slot slot;
    const IrqLock lock;
    const vbus_result result = reserved_ ? VBUS_AGAIN : try_reserve(max_length(), slot, true);
    ring();
    if (later(result)) // until the doorbell: somebody else may find room first
        awaits_room_ = true;
    return !later(result) || told_sender_ != end_.generation;
}

void Channel::wake_all(const IrqLock &lock) {
    reserved_ = false;
    readers_.wake_all(lock, rtos::Status::ok);
    writers_.wake_all(lock, rtos::Status::ok);
    if (room_)
        room_(room_argument_, *this);
    if (arrival_)
        arrival_(argument_, *this);
}

// Constant: the guest decides how often, and for which channel, but not how long this takes.
void Channel::doorbell() {
    const uint32_t generation = end_.generation;
    vbus_message message;
    const vbus_result result = vbus_rx_begin(&end_, &message);
    if (end_.up && (awaits_room_ || !writers_.empty()))
        (void)vbus_load_tail(&end_);
    if (awaits_room_ && end_.up && end_.congested)
        (void)vbus_tx_wait(&end_, max_length()); // what it rang for is used up already
    ring();
    if (awaits_room_ && (generation != end_.generation || (end_.up && !end_.congested))) {
        awaits_room_ = false;
        if (room_)
            room_(room_argument_, *this);
    }
    if (generation != end_.generation)
        reserved_ = false;                                // the slot is void
    if (later(result) && generation == end_.generation) { // a doorbell for nothing wakes no receiver
        if (!writers_.empty())
            writers_.wake_first();
        return;
    }
    readers_.wake_first();
    writers_.wake_first();
    if (arrival_)
        arrival_(argument_, *this);
}

} // namespace vbus
