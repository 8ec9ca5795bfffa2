// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "timer_heap.hpp"

namespace rtos {

// The RT clock and its timers over one hardware timer. IRQs masked in all of it.
//
// The board's counter has 32 bits; the clock extends it at every reading. The hardware timer is always
// armed, for a quarter of the counter's range at most, so there is a reading before it wraps.
//
// The earliest timer may stand before the heap instead of in it: the periodic timer of the fastest
// loop, which always is the next one when it starts, comes and goes in constant time.
class TimerQueue {
  public:
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
    // The hardware timer's ISR; argument: the queue.
    static void interrupt(void *queue);

  private:
    static constexpr uint32_t longest_delay = 0x4000'0000;

    Timer *first() const { return front_ ? front_ : heap_.first(); }
    void remove(Timer &t);
    void expire(Timer &t);
    void repeat(Timer &t);
    void arm();

    uint64_t expiry_ = 0;    // when the hardware will interrupt, or did so if it is being served
    uint64_t now_ = 0;       // as last read
    Timer *front_ = nullptr; // not later than all in the heap
    TimerHeap heap_;
};

extern TimerQueue timer_queue;

} // namespace rtos
