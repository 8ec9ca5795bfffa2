// SPDX-License-Identifier: BSD-3-Clause
// The way of a message that nobody waits for, and for which there is room.
#include "message_queue.hpp"

#include <rtos/assert.hpp>

namespace rtos {

inline bool MessageQueue::acceptable(size_t length, unsigned level) const {
    RTOS_ASSERT(length <= maximum_);
    RTOS_ASSERT(level < levels);
    return length <= maximum_ && level < levels;
}

[[gnu::always_inline]] inline Status MessageQueue::post(const void *message, size_t length, unsigned level) {
    if (length > copied_masked) [[unlikely]]
        return post_long(message, length, level);
    {
        const IrqMask masked;
        if (receivers_.empty() && !notify_) [[likely]] {
            Header *const slot = vacant();
            if (!slot)
                return Status::full;
            copy(slot->data(), message, length);
            occupy();
            link(slot, length, level);
            return Status::ok;
        }
    }
    return post_noticed(message, length, level);
}

// Not split into a part to be inlined and the rest: that costs more than it saves.
[[gnu::noinline]] Status MessageQueue::try_send(const void *message, size_t length, unsigned level) {
    return acceptable(length, level) ? post(message, length, level) : Status::invalid;
}

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

} // namespace rtos
