// SPDX-License-Identifier: BSD-3-Clause
// The way of a message that somebody waits for, on either side, or that is long or urgent.
#include "message_queue.hpp"

#include <rtos/assert.hpp>

namespace rtos {

// A message has been linked.
void MessageQueue::announce() {
    if (Thread *const receiver = receivers_.first()) {
        receivers_.wake(*receiver);
    } else if (count_ == 1 && notify_) {
        const Notify notify = notify_;
        notify_ = nullptr;
        notify(notify_argument_);
    }
}

// There is room: let the first sender in.
void MessageQueue::admit() {
    Thread *const sender = senders_.first();
    if (!sender)
        return;
    Outgoing &out = data_of<Outgoing>(*sender);
    if (out.length <= copied_masked) {
        (void)post_noticed(out.message, out.length, out.place);
        out.done = true;
    }
    senders_.wake(*sender);
}

// Somebody may wait for the message, or it is urgent.
Status MessageQueue::post_noticed(const void *message, size_t length, unsigned place) {
    const IrqLock lock;
    if (Thread *const receiver = head_ ? nullptr : receivers_.first()) {
        Incoming &in = data_of<Incoming>(*receiver);
        in.length = length < in.room ? length : in.room;
        in.level = level_of(place);
        __builtin_memcpy(in.buffer, message, in.length);
        in.done = true;
        receivers_.wake(*receiver);
        return Status::ok;
    }
    Header *const slot = vacant();
    if (!slot)
        return Status::full;
    __builtin_memcpy(slot->data(), message, length);
    occupy();
    link(slot, length, place);
    announce();
    return Status::ok;
}

Status MessageQueue::post_long(const void *message, size_t length, unsigned place) {
    Header *slot;
    {
        const IrqMask masked;
        slot = vacant();
        if (!slot)
            return Status::full;
        occupy();
    }
    __builtin_memcpy(slot->data(), message, length);
    const IrqLock lock;
    link(slot, length, place);
    announce();
    return Status::ok;
}

Status MessageQueue::try_send_urgent(const void *message, size_t length) {
    RTOS_ASSERT(length <= maximum_);
    if (length > maximum_)
        return Status::invalid;
    return length > copied_masked ? post_long(message, length, before_all)
                                  : post_noticed(message, length, before_all);
}

Status MessageQueue::send(const void *message, size_t length, Time deadline, unsigned level) {
    for (;;) {
        if (const Status s = try_send(message, length, level); s != Status::full)
            return s;
        Outgoing out{message, length, level};
        const IrqLock lock;
        if (vacant()) // since
            continue;
        if (const Status s = senders_.wait(lock, deadline, &out); s != Status::ok || out.done)
            return s;
    }
}

// Somebody waits for room, or the message is long.
Status MessageQueue::receive_slowly(void *buffer, size_t room, size_t &length, unsigned *level) {
    Header *slot;
    {
        const IrqLock lock;
        slot = head_;
        if (!slot)
            return Status::empty;
        length = slot->length < room ? slot->length : room;
        if (level)
            *level = slot->level;
        const bool is_short = slot->length <= copied_masked;
        if (is_short)
            __builtin_memcpy(buffer, slot->data(), length);
        unlink_first();
        if (is_short) {
            release(slot);
            admit();
            return Status::ok;
        }
    }
    __builtin_memcpy(buffer, slot->data(), length);
    const IrqLock lock;
    release(slot);
    admit();
    return Status::ok;
}

Status MessageQueue::receive(void *buffer, size_t room, size_t &length, Time deadline, unsigned *level) {
    for (;;) {
        if (const Status s = try_receive(buffer, room, length, level); s != Status::empty)
            return s;
        Incoming in{buffer, room};
        const IrqLock lock;
        if (!head_ && vacant())
            admit(); // should one that was let in have been terminated before it sent
        if (head_)
            continue;
        const Status result = receivers_.wait(lock, deadline, &in);
        if (result == Status::ok && !in.done)
            continue;
        length = in.length;
        if (level)
            *level = in.level;
        return result;
    }
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
