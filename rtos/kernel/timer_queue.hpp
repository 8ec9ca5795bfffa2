// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "timer_heap.hpp"

namespace rtos {

// The RT clock and its timers over one hardware timer. IRQs masked in all of it.
//
// The board's counter has 32 bits; the clock extends it at every reading. A timer of the queue's own,
// which is always active, sees to it that there is a reading before the counter wraps, and that
// the first deadline is always near enough to be compared by its low 32 bits. None is kept that is
// too old for that.
//
// The earliest timer may stand before the heap instead of in it: the periodic timer of the fastest
// loop, which always is the next one when it starts, comes and goes in constant time.
class TimerQueue {
  public:
    constexpr TimerQueue() : keep_alive_(kept_alive, this) {}

    // Start the clock and the hardware timer, whose line must be served by interrupt() from now on.
    void begin();

    Time now() {
        const uint32_t counter = port::counter();
        now_ += counter - static_cast<uint32_t>(now_);
        return {now_};
    }
    // When the counter had this value, not long ago.
    Time at(uint32_t counter) const {
        return Time{now_} + Duration{static_cast<int32_t>(counter - static_cast<uint32_t>(now_))};
    }

    void start(Timer &t, Time deadline);
    bool stop(Timer &t);
    // The same, inlined.
    template <bool may_be_past> void put(Timer &t, Time deadline);
    bool take_out(Timer &t);
    // The hardware timer's ISR; argument: the queue.
    static void interrupt(void *queue);

  private:
    static constexpr Duration keep_alive_period{0x4000'0000}; // a quarter of the counter's range

    static void kept_alive(void *queue);
    Timer &first() const { return front_ ? *front_ : *heap_.first(); }
    void remove(Timer &t);
    void repeat(Timer &t);
    void arm(const Timer &t);

    uint32_t expiry_ = 0;    // when the hardware will interrupt, or has done so, on the counter
    Timer *front_ = nullptr; // not later than all in the heap
    TimerHeap heap_;
    uint64_t now_ = 0; // as last read
    Timer keep_alive_;
};

extern TimerQueue timer_queue;

} // namespace rtos
