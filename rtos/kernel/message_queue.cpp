// SPDX-License-Identifier: BSD-3-Clause
#include <rtos/message_queue.hpp>

#include "copy.hpp"

#include <bit>

#include <rtos/assert.hpp>

namespace rtos {

// The two ends of a message on its way, also the data of those who wait, on their stacks. done: the other
// side has copied the message; if it has not, a waiter that is woken has to look again.
struct MessageQueue::Outgoing {
    const void *message;
    size_t length;
    unsigned level;
    bool done = false;
};
struct MessageQueue::Incoming {
    void *buffer;
    size_t room;
    size_t length = 0;
    unsigned level = 0;
    bool done = false;

    void take(const void *message, size_t whole, unsigned its_level) {
        length = whole < room ? whole : room;
        level = its_level;
        copy(buffer, message, length);
        done = true;
    }
};

template <class Data> static Data &data_of(Thread &waiter) {
    return *static_cast<Data *>(WaitQueue::data_of(waiter));
}

static constexpr uint32_t bit(unsigned level) {
    return 0x8000'0000u >> level;
}

// A place is copied to before it is taken, and from before it is given back: a thread that dies of a bad
// address leaves the queue as it was.

MessageQueue::Header *MessageQueue::vacant() const {
    if (free_)
        return free_;
    return fresh_ < capacity_ ? reinterpret_cast<Header *>(memory_ + fresh_ * slot_size(maximum_)) : nullptr;
}

// Take the place that vacant() returns.
void MessageQueue::occupy() {
    if (free_)
        free_ = free_->next;
    else
        fresh_ = static_cast<uint16_t>(fresh_ + 1);
}

void MessageQueue::release(Header *slot) {
    slot->next = free_;
    free_ = slot;
}

void MessageQueue::link(Header *slot, bool urgent) {
    const unsigned level = slot->level;
    // The lowest level that is not below this one: behind its last message.
    const uint32_t not_below = urgent ? 0 : occupied_ & (UINT32_MAX >> level);
    if (not_below) {
        Header *const before = last_[std::countl_zero(not_below)];
        slot->next = before->next;
        before->next = slot;
        last_[level] = slot;
    } else {
        slot->next = head_;
        head_ = slot;
        if (!(occupied_ & bit(level)))
            last_[level] = slot;
    }
    occupied_ |= bit(level);
    count_ = static_cast<uint16_t>(count_ + 1);
    if (Thread *const receiver = receivers_.first()) {
        receivers_.wake(*receiver);
    } else if (count_ == 1 && notify_) {
        const Notify notify = notify_;
        notify_ = nullptr;
        notify(notify_argument_);
    }
}

void MessageQueue::unlink_first() {
    Header *const first = head_;
    if (last_[first->level] == first)
        occupied_ &= ~bit(first->level);
    head_ = first->next;
    count_ = static_cast<uint16_t>(count_ - 1);
}

// There is room: let the first sender in.
void MessageQueue::admit() {
    Thread *const sender = senders_.first();
    if (!sender)
        return;
    Outgoing &out = data_of<Outgoing>(*sender);
    if (out.length <= copied_masked)
        (void)post(out);
    senders_.wake(*sender);
}

bool MessageQueue::acceptable(size_t length, unsigned level) const {
    RTOS_ASSERT(length <= maximum_);
    RTOS_ASSERT(level < levels);
    return length <= maximum_ && level < levels;
}

Status MessageQueue::post(Outgoing &out, bool urgent) {
    if (out.length > copied_masked) [[unlikely]]
        return post_long(out, urgent);
    const IrqLock lock;
    if (Thread *const receiver = head_ ? nullptr : receivers_.first()) {
        data_of<Incoming>(*receiver).take(out.message, out.length, out.level);
        receivers_.wake(*receiver);
    } else {
        Header *const slot = vacant();
        if (!slot)
            return Status::full;
        slot->length = static_cast<uint16_t>(out.length);
        slot->level = static_cast<uint8_t>(out.level);
        copy(slot->data(), out.message, out.length);
        occupy();
        link(slot, urgent);
    }
    out.done = true;
    return Status::ok;
}

Status MessageQueue::post_long(Outgoing &out, bool urgent) {
    Header *slot;
    {
        const IrqMask masked;
        slot = vacant();
        if (!slot)
            return Status::full;
        occupy();
    }
    slot->length = static_cast<uint16_t>(out.length);
    slot->level = static_cast<uint8_t>(out.level);
    __builtin_memcpy(slot->data(), out.message, out.length);
    const IrqLock lock;
    link(slot, urgent);
    out.done = true;
    return Status::ok;
}

Status MessageQueue::fetch(Incoming &in) {
    Header *slot;
    {
        const IrqLock lock;
        slot = head_;
        if (!slot)
            return Status::empty;
        if (slot->length <= copied_masked) [[likely]] {
            in.take(slot->data(), slot->length, slot->level);
            unlink_first();
            release(slot);
            admit();
            return Status::ok;
        }
        unlink_first();
    }
    in.length = slot->length < in.room ? slot->length : in.room;
    in.level = slot->level;
    in.done = true;
    __builtin_memcpy(in.buffer, slot->data(), in.length);
    const IrqLock lock;
    release(slot);
    admit();
    return Status::ok;
}

Status MessageQueue::send(const void *message, size_t length, Time deadline, unsigned level) {
    if (!acceptable(length, level))
        return Status::invalid;
    Outgoing out{message, length, level};
    for (;;) {
        if (const Status s = post(out); s != Status::full)
            return s;
        const IrqLock lock;
        if (vacant()) // since
            continue;
        if (const Status s = senders_.wait(lock, deadline, &out); s != Status::ok || out.done)
            return s;
    }
}

Status MessageQueue::try_send(const void *message, size_t length, unsigned level) {
    if (!acceptable(length, level))
        return Status::invalid;
    Outgoing out{message, length, level};
    return post(out);
}

Status MessageQueue::try_send_urgent(const void *message, size_t length) {
    if (!acceptable(length, 0))
        return Status::invalid;
    Outgoing out{message, length, levels - 1};
    return post(out, true);
}

Status MessageQueue::receive(void *buffer, size_t room, size_t &length, Time deadline, unsigned *level) {
    Incoming in{buffer, room};
    Status result;
    for (;;) {
        result = fetch(in);
        if (result != Status::empty)
            break;
        const IrqLock lock;
        if (head_) // since
            continue;
        if (vacant())
            admit(); // should one that was let in have been terminated before it sent
        if (head_)
            continue;
        result = receivers_.wait(lock, deadline, &in);
        if (result != Status::ok || in.done)
            break;
    }
    length = in.length;
    if (level)
        *level = in.level;
    return result;
}

Status MessageQueue::try_receive(void *buffer, size_t room, size_t &length, unsigned *level) {
    Incoming in{buffer, room};
    const Status result = fetch(in);
    length = in.length;
    if (level)
        *level = in.level;
    return result;
}

void MessageQueue::on_arrival(Notify notify, void *argument) {
    const IrqMask masked;
    notify_ = notify;
    notify_argument_ = argument;
}

void MessageQueue::reset(Status result) {
    const IrqLock lock;
    if (head_) {
        last_[std::countl_zero(occupied_)]->next = free_;
        free_ = head_;
        head_ = nullptr;
        occupied_ = 0;
        count_ = 0;
    }
    receivers_.wake_all(lock, result);
    senders_.wake_all(lock, result);
}

void MessageQueue::close() {
    on_arrival(nullptr, nullptr);
    reset(Status::deleted);
}

} // namespace rtos
