// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <rtos/thread.hpp>
#include <rtos/timer.hpp>

namespace rtos {

// So much time on the processor in each period: for one thread (as POSIX's SCHED_SPORADIC has
// sched_ss_init_budget and sched_ss_repl_period), or for all of real time together, so that the guest gets
// the rest (as Linux has sched_rt_runtime_us and sched_rt_period_us). None is on unless somebody starts one,
// and then costs no switch anything: a timer looks, at most runtime_min after the budget is used up, how much
// was used; period / runtime times in a period, and a few more.
class Budget {
  public:
    static constexpr Duration runtime_min = microseconds(20), period_min = microseconds(100);
    static constexpr Duration period_max = seconds(10);

    enum class Overrun : uint8_t {
        report,   // count it, and call the hook
        throttle, // and keep what overran from running until the period's end
    };
    // In the timer's ISR, IRQs masked, once in a period.
    using Hook = void (*)(Budget &budget, void *argument);

    constexpr explicit Budget(Overrun overrun = Overrun::throttle, Hook hook = nullptr,
                              void *argument = nullptr)
        : overrun_(overrun), hook_(hook), argument_(argument) {}
    Budget(const Budget &) = delete;
    Budget &operator=(const Budget &) = delete;

    // Of a thread, whose object has to be there until stop(). A throttled thread holds on to its mutexes, and
    // gets ready, waits and times out as a suspended one. Any context. invalid: on already, runtime not in
    // runtime_min..period or period not in period_min..period_max, the thread not started or ended, or the
    // idle thread.
    Status start(Thread &thread, Duration runtime, Duration period);
    // Of all threads together, with their interrupts. Throttled: the guest has the processor before all
    // threads of this priority or a lower one (a higher number), those of the system included. One at a time.
    Status start_total(Duration runtime, Duration period, unsigned priority = 0);
    // Any context. What it throttled goes on. invalid: not on.
    Status stop();

    bool on() const { return on_; }
    bool throttled() const { return throttled_; }
    // Periods in which more was used than runtime.
    uint32_t overruns() const { return overruns_; }
    // What was used of this period so far.
    Duration used() const;
    // Null: of all.
    Thread *thread() const { return thread_; }

  private:
    static void period_begins(void *self);
    static void look(void *self);
    Status begin(Thread *thread, Duration runtime, Duration period);
    bool gone() const;
    uint64_t consumed() const;
    void arm();
    void throttle(bool on);

    Timer period_timer_{period_begins, this};
    Timer look_timer_{look, this};
    Thread *thread_ = nullptr;
    Duration runtime_{};
    uint64_t base_ = 0; // consumed() at the period's beginning
    uint32_t overruns_ = 0;
    uint8_t priority_ = 0;
    Overrun overrun_;
    bool on_ = false, throttled_ = false;
    Hook hook_;
    void *argument_;
};

} // namespace rtos
