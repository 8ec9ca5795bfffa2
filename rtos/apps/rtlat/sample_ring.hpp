// SPDX-License-Identifier: BSD-3-Clause
// Samples on their way from the measuring thread to the one that sends them: one of each, neither waits.
// Where there is no room the new one is dropped, and counted.
#pragma once

#include <atomic>
#include <stdint.h>

namespace rtlat {

template <class Sample, uint32_t places> class SampleRing {
    static_assert((places & (places - 1)) == 0);

  public:
    // The measuring thread.
    void put(const Sample &sample) {
        const uint32_t head = head_.load(std::memory_order_relaxed);
        if (head - tail_.load(std::memory_order_acquire) == places) {
            dropped_.store(dropped_.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
            return;
        }
        ring_[head % places] = sample;
        head_.store(head + 1, std::memory_order_release);
    }

    // The sending thread: the oldest samples, as many as lie side by side; and giving up so many of them.
    const Sample *oldest(uint32_t &count) const {
        const uint32_t tail = tail_.load(std::memory_order_relaxed);
        const uint32_t there = head_.load(std::memory_order_acquire) - tail;
        const uint32_t straight = places - tail % places;
        count = there < straight ? there : straight;
        return &ring_[tail % places];
    }
    void take(uint32_t count) {
        tail_.store(tail_.load(std::memory_order_relaxed) + count, std::memory_order_release);
    }
    uint32_t dropped() const { return dropped_.load(std::memory_order_relaxed); }

    // While nobody puts.
    void reset() {
        head_ = 0;
        tail_ = 0;
        dropped_ = 0;
    }

  private:
    std::atomic<uint32_t> head_{0}, tail_{0}, dropped_{0};
    Sample ring_[places] = {};
};

} // namespace rtlat
