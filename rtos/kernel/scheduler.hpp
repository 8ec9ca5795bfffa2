// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>

#include <rtos/irq_lock.hpp>
#include <rtos/thread.hpp>

namespace rtos {

// Which thread runs. The running thread stays in its ready list, at the head, so picking the
// best one is a count of leading zeros and a load. The idle thread is always ready.
// Every function is called with IRQs masked.
class Scheduler {
  public:
    // Run the best ready thread on this thread's behalf; returns when this one is the best again.
    void switch_to_best();
    // The same as rtmux_rtos_ops::preempt: on an interrupt's way out.
    static void preempt();
    // The first switch, from a context that is left for good.
    [[noreturn]] void begin(Thread &idle);

    Thread &current() const { return *current_; }
    bool idle_running() const { return current_ == idle_; }

    [[gnu::always_inline]] void make_ready(Thread &t) {
        const unsigned priority = t.priority_;
        t.state_ = Thread::State::ready;
        ready_[priority].insert_before(t);
        bitmap_ |= bit(priority);
        if (priority < current_->priority_)
            detail::need_resched = 1;
    }

    // Take the running thread out of the ready list until wake(), or until the deadline if it is
    // not never; waiters: a queue to enter, or null. Returns the result given to wake().
    Status wait(Link *waiters, Time deadline);
    // End the wait of t with result.
    void wake(Thread &t, Status result);
    // Move the running thread behind its equals.
    void yield();
    // Remove the running thread for good, and do not return: as a call (exit), or after a fault
    // whose stack must not be used any more.
    [[noreturn]] void end_current(Thread::State final_state);

    // Charge the running thread for its time up to now; at least once in the counter's range.
    void account();

    // Lay out the stack and enter the thread into its ready list.
    void add(Thread &t, uint8_t *stack, size_t size);

    static Thread &thread_of(Link &l) { return static_cast<Thread &>(l); }
    static uint64_t run_ticks(const Thread &t);
    static const uint8_t *stack_of(const Thread &t) { return t.stack_; }
    static port::Context &context_of(Thread &t) { return t.context_; }

  private:
    static constexpr uint32_t bit(unsigned priority) { return 0x8000'0000u >> priority; }
    Thread &best() { return thread_of(*ready_[std::countl_zero(bitmap_)].next()); }
    [[gnu::always_inline]] void unready(Thread &t) {
        t.unlink();
        if (!ready_[t.priority_].linked())
            bitmap_ &= ~bit(t.priority_);
    }
    void charge();
    void leave_for(Thread &next);
    void switch_now();

    Thread *current_ = nullptr;
    uint32_t bitmap_ = 0;
    uint32_t accounted_ = 0; // the counter at the last account()
    Thread *idle_ = nullptr;
    Link ready_[priorities];
};

extern Scheduler scheduler;

} // namespace rtos
