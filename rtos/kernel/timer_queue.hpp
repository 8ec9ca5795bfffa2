// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "timer_heap.hpp"

namespace rtos {

// The RT clock and its timers over one hardware timer. IRQs masked in all of it.
//
// The board's counter has 32 bits. The clock extends it at every reading, and a timer interrupt
// comes at least every port::timer_longest ticks, so it is read before the counter wraps.
class TimerQueue {
  public:
    // Start the clock and the hardware timer, whose line must be served by interrupt() from now on.
    void begin();

    Time now() {
        const uint32_t counter = port::counter();
        now_ += counter - static_cast<uint32_t>(now_);
        return {now_};
    }

    void start(Timer &t, Time deadline);
    bool stop(Timer &t);
    // The hardware timer's ISR.
    void interrupt();

    const TimerInterrupt &interrupt_record() const { return record_; }

  private:
    void arm();

    uint64_t now_ = 0;
    TimerHeap heap_;
    Time expiry_{}; // when the hardware will interrupt
    TimerInterrupt record_{};
};

extern TimerQueue timer_queue;

} // namespace rtos
