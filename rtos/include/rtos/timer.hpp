// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <rtos/time.hpp>

namespace rtos {

// A timer of the RT clock, once or periodic. Its handler runs in the timer's ISR, IRQs masked, never
// before the deadline. All functions are callable from anywhere, the handler included; start and
// stop cost O(log n) in the active timers.
class Timer {
  public:
    using Handler = void (*)(void *argument);

    constexpr Timer(Handler handler, void *argument) : handler_(handler), argument_(argument) {}
    Timer(const Timer &) = delete;
    Timer &operator=(const Timer &) = delete;

    // Expire at deadline, or as soon as possible if it has passed. Restarts an active timer.
    void start(Time deadline);
    // And again at deadline + n * period, without drift. A period of 0 or less is none.
    void start(Time deadline, Duration period);
    // The same at after(delay), in one go.
    void start_after(Duration delay, Duration period = {});
    // True if the timer was active, that is: the handler will not run.
    bool stop();

    // In its handler a timer that is not periodic is not active any more.
    bool active() const { return place_ != Place::none; }
    // The next one; in the handler of a periodic timer that after this one.
    Time deadline() const { return deadline_; }
    Duration period() const { return {period_}; }
    // Expiries of the periodic timer that were left out, because a whole period had passed meanwhile.
    uint32_t overruns() const { return overruns_; }

  private:
    friend class TimerHeap;
    friend class TimerQueue;

    enum class Place : uint8_t { none, list, heap };

    Time deadline_{};
    Handler handler_;
    void *argument_;
    Timer *parent_ =
        nullptr; // in TimerHeap; in TimerQueue's list the one before and, first child, the one behind
    Timer *child_[2] = {};
    Place place_ = Place::none;
    bool periodic_ = false; // period_ is not 0
    uint32_t overruns_ = 0;
    int64_t period_ = 0;
};

// When the running timer interrupt was due at the hardware, and when its ISR began, for latency
// records: the low 32 bits of the clock. Only in a timer's handler.
struct TimerInterrupt {
    uint32_t expiry;
    uint32_t entry;
};
extern "C" const volatile TimerInterrupt rtos_timer_interrupt; // the begin of the kernel's timer queue
inline TimerInterrupt timer_interrupt() {
    return {rtos_timer_interrupt.expiry, rtos_timer_interrupt.entry};
}

} // namespace rtos
