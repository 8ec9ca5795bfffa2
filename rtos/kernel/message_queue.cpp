// SPDX-License-Identifier: BSD-3-Clause
#include <rtos/message_queue.hpp>

#include "copy.hpp"

#include <bit>

#include <rtos/assert.hpp>

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
        if (!(occupied_ & bit(level)))
            last_[level] = slot;
    }
    occupied_ |= bit(level);
    count_ = count_ + 1;
}

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

inline void MessageQueue::unlink_first() {
    Header *const first = head_;
    if (last_[first->level] == first)
        occupied_ &= ~bit(first->level);
    head_ = first->next;
    count_ = count_ - 1;
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

// -- Sending.

bool MessageQueue::acceptable(size_t length, unsigned level) const {
    RTOS_ASSERT(length <= maximum_);
    RTOS_ASSERT(level < levels);
    return length <= maximum_ && level < levels;
}

[[gnu::always_inline]] inline Status MessageQueue::post(const void *message, size_t length, unsigned place) {
    if (length > copied_masked) [[unlikely]]
        return post_long(message, length, place);
    {
        const IrqMask masked;
        if (receivers_.empty() && !notify_) [[likely]] {
            Header *const slot = vacant();
            if (!slot)
                return Status::full;
            copy(slot->data(), message, length);
            occupy();
            link(slot, length, place);
            return Status::ok;
        }
    }
    return post_noticed(message, length, place);
}

// Somebody waits for the message.
Status MessageQueue::post_noticed(const void *message, size_t length, unsigned place) {
    const IrqLock lock;
    if (Thread *const receiver = head_ ? nullptr : receivers_.first()) {
        Incoming &in = data_of<Incoming>(*receiver);
        in.length = length < in.room ? length : in.room;
        in.level = level_of(place);
        copy(in.buffer, message, in.length);
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

// Not split into a part to be inlined and the rest: that costs more than it saves.
[[gnu::noinline]] Status MessageQueue::try_send(const void *message, size_t length, unsigned level) {
    return acceptable(length, level) ? post(message, length, level) : Status::invalid;
}

Status MessageQueue::try_send_urgent(const void *message, size_t length) {
    return acceptable(length, 0) ? post(message, length, before_all) : Status::invalid;
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

// -- Receiving.

Status MessageQueue::try_receive(void *buffer, size_t room, size_t &length, unsigned *level) {
    {
        const IrqMask masked;
        Header *const slot = head_;
        if (!slot)
            return Status::empty;
        if (slot->length <= copied_masked && senders_.empty()) [[likely]] {
            const size_t bytes = slot->length < room ? slot->length : room;
            copy(buffer, slot->data(), bytes);
            length = bytes;
            if (level)
                *level = slot->level;
            unlink_first();
            release(slot);
            return Status::ok;
        }
    }
    return receive_slowly(buffer, room, length, level);
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
