// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <atomic>
#include <rtmux/abi/rtos.h>
#include <rtmux/measurement.h>
#include <rtos/semaphore.hpp>
#include <rtos/thread.hpp>

namespace rtos {

// What the latency of a periodic thread is: released by a timer's interrupt, it notes for each expiry when
// the ISR began and when it ran itself, by the RT clock. One run at a time; the thread is kept for the next.
class LatencyMeter {
  public:
    static constexpr uint32_t least_interval_us = 20, most_interval_us = 10'000'000;
    // Two levels remain below it for those who look at the result.
    static constexpr unsigned worst_priority = idle_priority - 3;

    struct Run {
        uint32_t interval_us = 1000; // least_interval_us to most_interval_us
        uint32_t priority = 1;       // 0 to worst_priority
        uint32_t samples = 0;        // the run ends after so many; 0: with stop()
    };
    struct Sample {
        uint32_t number; // from 0; modulo 2^32
        uint32_t isr;    // ticks from the expiry to the ISR
        uint32_t thread; // and to the thread
    };
    // The slowest sample, and what the guest was doing when its interrupt came.
    struct Worst {
        Sample sample;
        rtmux_guest_context guest;
    };
    // Called in the thread with each sample, once that is recorded.
    using Observer = void (*)(const Sample &sample);

    constexpr explicit LatencyMeter(const char *name, Observer observer = nullptr)
        : thread_{name, Run{}.priority, work, this}, observer_(observer) {}

    // Forget the last run and begin a new one. Thread context. invalid: a value out of its range; busy: a run
    // is on; no_memory.
    Status start(const Run &run);
    // End it, without waiting for the next expiry. Thread context; returns when the thread has ended it.
    void stop();
    bool running() const { return running_; }
    // Whether the last run ended with all its samples. Of which run the numbers are: 0, there was none.
    bool complete() const { return record_.periods != 0 && record_.periods == run_.samples; }
    uint32_t run_number() const { return number_; }
    const Run &run() const { return run_; }
    // An instant not before that one, as far from the run's expiries as can be: whoever sleeps until then is
    // not what is measured.
    Time between(Time earliest) const;

    // A consistent copy of what is recorded so far; missed are expiries that found the thread still at work,
    // or that the timer left out. Thread context.
    void copy(rtmux_measurement &record) const;
    void copy(rtmux_measurement &record, Worst &worst) const;

  private:
    static constexpr size_t stack_bytes = 4096;

    static void expired(void *meter);
    static void work(void *meter);
    void measure();
    void record(const TimerInterrupt &interrupt, uint32_t begin);

    Thread thread_;
    Timer timer_{expired, this};
    Semaphore job_, expired_;
    TimerInterrupt interrupt_{};
    const Observer observer_;
    Run run_{};
    rtmux_measurement record_{};
    Worst worst_{};
    uint32_t number_ = 0;
    volatile uint32_t version_ = 0; // of what is copied
    volatile bool stop_ = false;
    std::atomic<bool> running_{false};
};

} // namespace rtos
