// SPDX-License-Identifier: BSD-3-Clause
//
// A bounded queue of records: any number of writers, also ISRs that interrupt each other's writes,
// and one reader. For the logs of executive and RTOS. After D. Vyukov's bounded MPMC queue: a slot's
// state says whose turn it is, 2 * lap for the writer of that lap around the ring, 2 * lap + 1 for its
// reader. A writer repeats its claim only if another came in between, so at most once per interrupt.
#pragma once

#include <atomic>
#include <cstdint>

namespace rtmux {

template <class Record, uint32_t slots> class BoundedQueue {
    static_assert((slots & (slots - 1)) == 0);

  public:
    // Calls fill(Record &) on a slot that is free. False: full; the record is counted as dropped.
    template <class Fill> bool put(Fill fill) {
        const bool written = try_put(fill);
        if (!written)
            dropped_.fetch_add(1, std::memory_order_relaxed);
        return written;
    }

    // The same for a writer that will try again: counts nothing.
    template <class Fill> bool try_put(Fill fill) {
        uint32_t position = head_.load(std::memory_order_relaxed);
        Slot *slot;
        for (;;) {
            slot = &ring_[position % slots];
            const uint32_t state = slot->state.load(std::memory_order_acquire);
            const int32_t ahead = static_cast<int32_t>(state - 2 * (position / slots));
            if (ahead < 0) // not yet read in the last lap
                return false;
            if (ahead > 0) // position is stale
                position = head_.load(std::memory_order_relaxed);
            else if (head_.compare_exchange_weak(position, position + 1, std::memory_order_relaxed))
                break;
        }
        fill(slot->record);
        slot->state.store(2 * (position / slots) + 1, std::memory_order_release);
        return true;
    }

    // The next record, or null; free it with pop() after use. One reader at a time.
    const Record *peek() const {
        const Slot &slot = ring_[tail_ % slots];
        const bool written = slot.state.load(std::memory_order_acquire) == 2 * (tail_ / slots) + 1;
        return written ? &slot.record : nullptr;
    }
    void pop() {
        ring_[tail_ % slots].state.store(2 * (tail_ / slots) + 2, std::memory_order_release);
        ++tail_;
    }

    uint32_t dropped() const { return dropped_.load(std::memory_order_relaxed); }

  private:
    struct Slot {
        std::atomic<uint32_t> state{0};
        Record record{};
    };

    std::atomic<uint32_t> head_{0};
    std::atomic<uint32_t> dropped_{0};
    uint32_t tail_ = 0;
    Slot ring_[slots];
};

} // namespace rtmux
