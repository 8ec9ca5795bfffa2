// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stddef.h>

#include <rtos/list.hpp>
#include <rtos/status.hpp>
#include <rtos/timer.hpp>

namespace rtos {

inline constexpr unsigned priorities = 32; // 0 is the highest
inline constexpr unsigned idle_priority = priorities - 1;
inline constexpr size_t minimum_stack = 1024;

// A preemptive thread of fixed priority; first in, first out among equals
// (POSIX: SCHED_FIFO). The object must outlive the thread; define it static.
class Thread : private Link {
  public:
    using Entry = void (*)(void *argument);
    enum class State : uint8_t { created, ready, waiting, ended, faulted };

    constexpr Thread(const char *name, unsigned priority, Entry entry, void *argument = nullptr)
        : entry_(entry), argument_(argument), name_(name), priority_(static_cast<uint8_t>(priority)),
          timeout_(wait_timed_out, this) {}

    // Give it a stack of at least stack_bytes (rounded up to pages, guard page not counted) and
    // make it ready. Thread context. invalid: priority not in 0..30, stack under minimum_stack, or
    // started before; no_memory.
    Status start(size_t stack_bytes);

    // The running thread; in an ISR, the interrupted one.
    static Thread &current();
    // Let the next thread of the same priority run. Thread context. (POSIX: sched_yield.)
    static Status yield();
    // Sleep until the deadline; returns at once if it has passed. would_block in an ISR.
    // (POSIX: clock_nanosleep with TIMER_ABSTIME.)
    static Status sleep_until(Time deadline);
    static Status sleep_for(Duration d) { return sleep_until(now() + d); }
    // End the running thread. Thread context. (POSIX: pthread_exit.)
    [[noreturn]] static void exit();

    const char *name() const { return name_; }
    unsigned priority() const { return priority_; }
    State state() const { return state_; }
    // Time on the processor, interrupts that came meanwhile included. Any context.
    Duration run_time() const;
    size_t stack_size() const { return stack_size_; }
    // The most stack it has used, in bytes: counts what the start pattern no longer covers.
    size_t stack_high_water() const;

  private:
    friend class Scheduler;
    friend class Semaphore;

    static void wait_timed_out(void *thread);

    port::Context context_;
    Entry entry_;
    void *argument_;
    const char *name_;
    uint8_t priority_;
    State state_ = State::created;
    Status wait_result_ = Status::ok;
    Timer timeout_;
    uint64_t run_ticks_ = 0;
    uint8_t *stack_ = nullptr; // lowest usable byte; the page below it is the guard
    size_t stack_size_ = 0;
};

} // namespace rtos
