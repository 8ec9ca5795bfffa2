// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <rtos/list.hpp>
#include <rtos/status.hpp>
#include <rtos/timer.hpp>

namespace rtos {

inline constexpr unsigned soft_timer_priority = 4;

// A timer whose handler runs in the timer thread: IRQs open, floating point allowed; it may block, but
// then it delays the other soft timers. One-shot or periodic; a period is counted from the deadline, so
// it does not drift. All functions but the thread's are callable from anywhere, at the cost of a Timer's.
class SoftTimer : private Link {
  public:
    using Handler = void (*)(void *argument);

    constexpr SoftTimer(Handler handler, void *argument)
        : handler_(handler), argument_(argument), expiry_(expired, this) {}
    ~SoftTimer() { stop(); }

    // Expire at deadline, and then every period if that is not 0. Restarts an active timer.
    void start(Time deadline, Duration period = {});
    // True if it was active: the handler will not begin again, though it may be running.
    bool stop();

    bool active() const { return active_; }
    Time deadline() const { return expiry_.deadline(); }
    Duration period() const { return expiry_.period(); }
    // Expiries of a periodic timer that came while the one before was still waiting for the thread.
    uint32_t missed() const { return missed_; }

    // The timer thread's entry.
    static void run(void *);

  private:
    static void expired(void *timer);

    Handler handler_;
    void *argument_;
    Timer expiry_;
    volatile bool active_ = false;
    volatile uint32_t missed_ = 0;
};

// Start the timer thread; the kernel does so at boot if there are soft timers in the image.
Status soft_timers_start();

} // namespace rtos
