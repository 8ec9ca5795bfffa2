// SPDX-License-Identifier: BSD-3-Clause
// The inline functions of message queues. IRQs masked in all of them.
#pragma once

#include "copy.hpp"

#include <bit>

#include <rtos/irq_lock.hpp>
#include <rtos/message_queue.hpp>

namespace rtos {

// What the data of waiters point to, on their stacks. done: the other side has copied the message; if it
// has not, a waiter that is woken has to look again.
struct MessageQueue::Outgoing {
    const void *message;
    size_t length;
    unsigned place;
    bool done = false;
};
struct MessageQueue::Incoming {
    void *buffer;
    size_t room;
    size_t length = 0;
    unsigned level = 0;
    bool done = false;
};

template <class Data> static Data &data_of(Thread &waiter) {
    return *static_cast<Data *>(WaitQueue::data_of(waiter));
}

static constexpr uint32_t bit(unsigned level) {
    return 0x8000'0000u >> level;
}

// Where a message goes: behind those of its level, or before all.
static constexpr unsigned before_all = MessageQueue::levels;
static constexpr unsigned level_of(unsigned place) {
    return place < before_all ? place : MessageQueue::levels - 1;
}

// A place is copied to before it is taken, and from before it is given back: a thread that dies of a bad
// address leaves the queue as it was.

inline MessageQueue::Header *MessageQueue::vacant() const {
    if (free_) [[likely]]
        return free_;
    return fresh_ < capacity_ ? reinterpret_cast<Header *>(memory_ + fresh_ * slot_size(maximum_)) : nullptr;
}

// Take the place that vacant() returns.
inline void MessageQueue::occupy() {
    if (free_) [[likely]]
        free_ = free_->next;
    else
        ++fresh_;
}

inline void MessageQueue::release(Header *slot) {
    slot->next = free_;
    free_ = slot;
}

[[gnu::always_inline]] inline void MessageQueue::link(Header *slot, size_t length, unsigned place) {
    const unsigned level = level_of(place);
    slot->length = static_cast<uint16_t>(length);
    slot->level = static_cast<uint8_t>(level);
    // The lowest level that is not below this one: behind its last message.
    const uint32_t not_below = place == before_all ? 0 : occupied_ & (UINT32_MAX >> level);
    if (not_below) {
        Header *const before = last_[std::countl_zero(not_below)];
        slot->next = before->next;
        before->next = slot;
        last_[level] = slot;
    } else {
        slot->next = head_;
        head_ = slot;
        if (place != before_all || !(occupied_ & bit(level)))
            last_[level] = slot;
    }
    occupied_ |= bit(level);
    count_ = count_ + 1;
}

inline void MessageQueue::unlink_first() {
    Header *const first = head_;
    if (last_[first->level] == first)
        occupied_ &= ~bit(first->level);
    head_ = first->next;
    count_ = count_ - 1;
}

} // namespace rtos
