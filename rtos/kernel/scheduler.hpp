// SPDX-License-Identifier: BSD-3-Clause
// The scheduler's inline functions.
//
// Overflowing stacks: functions push at their entry, before they change anything, and what they call while
// lists are inconsistent is inline. Calls come when everything is in place: a thread that runs into its guard
// page anywhere in here can be ended, whether it is ready or waits.
#pragma once

#include <rtos/assert.hpp>
#include <rtos/irq_lock.hpp>
#include <rtos/scheduler.hpp>
#include <rtos/thread.hpp>

namespace rtos {

inline Thread &Scheduler::thread_of(Link &l) {
    return static_cast<Thread &>(l);
}
inline Link &Scheduler::link_of(Thread &t) {
    return t;
}
inline port::Context &Scheduler::context_of(Thread &t) {
    return t.context_;
}

// Nobody else has t's priority and is ready. t is ready.
inline bool Scheduler::alone(const Thread &t) const {
    return static_cast<const Link &>(t).next() == static_cast<const Link &>(t).prev();
}

[[gnu::always_inline]] inline void Scheduler::make_ready(Thread &t) {
    const unsigned priority = t.priority_;
    t.state_ = ThreadState::ready;
    ready_[priority].insert_before(t);
    set_.add(priority);
    if (priority <= current_->priority_) {
        if (priority < current_->priority_)
            need_resched_ = 1;
        else if (current_->slice_) // last, because it is a call: see scheduler.cpp
            account(), watch_slice(*current_);
    }
}

[[gnu::always_inline]] inline void Scheduler::unready(Thread &t) {
    t.remove();
    if (!ready_[t.priority_].linked())
        set_.remove(t.priority_);
}

// Of a thread that is not suspended and whose timeout is not active.
[[gnu::always_inline]] inline void Scheduler::end_of_wait(Thread &t, Status result) {
    t.remove();
    t.queue_ = nullptr;
    t.blocked_on_ = nullptr;
    t.wait_result_ = result;
    make_ready(t);
}

[[gnu::always_inline]] inline void Scheduler::charge() {
    const uint32_t counter = port::counter();
    current_->run_ticks_ += counter - accounted_;
    accounted_ = counter;
}

// The running thread has been charged.
[[gnu::always_inline]] inline void Scheduler::leave_for(Thread &next, bool yielding) {
    Thread &self = *current_;
    c_library_ = next.c_library;
    const uint32_t work = self.context_.work | next.context_.work; // of both threads; mostly there is none
    if (work & Thread::work_slice) {
        if (yielding)
            self.slice_end_ = static_cast<uint32_t>(self.run_ticks_) + self.slice_;
        if (next.slice_ && (yielding || !alone(next)))
            watch_next(next);
    }
    if (work & ~Thread::work_slice)
        extra_work(self, next, work);
}

[[gnu::always_inline]] inline void Scheduler::switch_to(Thread &self, Thread &next, bool yielding) {
    if (debug && (self.context_.work & Thread::work_stack))
        check_stack(self);
    charge();
    leave_for(next, yielding);
    port::switch_context(self, next, current_);
    if (!self.calls_.empty()) [[unlikely]]
        run_calls(self);
}

[[gnu::always_inline]] inline void Scheduler::end_wait_now(Thread &t, Status result) {
    if (t.wake_work_) [[unlikely]] {
        if (t.wake_work_ & Thread::wake_timed)
            stop_timeout(t);
        if (t.wake_work_)
            return stay_suspended(t, result);
    }
    end_of_wait(t, result);
}

} // namespace rtos
