// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <rtos/time.hpp>

namespace rtos {

// A one-shot timer of the RT clock. Its handler runs in the timer's ISR, IRQs masked, never
// before the deadline; it may start its own timer again (deadline() + period does not drift).
// All functions are callable from anywhere; start and stop cost O(log n) in the active timers.
class Timer {
  public:
    using Handler = void (*)(void *argument);

    constexpr Timer(Handler handler, void *argument) : handler_(handler), argument_(argument) {}
    Timer(const Timer &) = delete;
    Timer &operator=(const Timer &) = delete;

    // Expire at deadline, or as soon as possible if it has passed. Restarts an active timer.
    void start(Time deadline);
    // True if the timer was active, that is: the handler will not run.
    bool stop();

    bool active() const { return active_; }
    Time deadline() const { return deadline_; }

  private:
    friend class TimerHeap;
    friend class TimerQueue;

    Time deadline_{};
    Handler handler_;
    void *argument_;
    Timer *parent_ = nullptr; // place in TimerHeap
    Timer *child_[2] = {};
    bool active_ = false;
};

// When the running timer interrupt was due at the hardware, and when its ISR began, for latency
// records: the low 32 bits of the clock. Only in a timer's handler.
struct TimerInterrupt {
    uint32_t expiry;
    uint32_t entry;
};
namespace detail {
extern TimerInterrupt timer_interrupt;
}
inline const TimerInterrupt &timer_interrupt() {
    return detail::timer_interrupt;
}

} // namespace rtos
