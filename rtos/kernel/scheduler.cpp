// SPDX-License-Identifier: BSD-3-Clause
#include "timer_queue.hpp"
#include "wait_queue.hpp"

#include <rtos/assert.hpp>
#include <rtos/mutex.hpp>

namespace rtos {

constinit Scheduler scheduler;

// Overflowing stacks: the functions below push at their entry, before they change anything, and what
// they call while lists are inconsistent is inline. Calls come when everything is in place: a thread
// that runs into its guard page anywhere in here can be ended, whether it is ready or waits.

[[gnu::always_inline]] inline void Scheduler::charge() {
    const uint32_t counter = port::counter();
    current_->run_ticks_ += counter - accounted_;
    accounted_ = counter;
}

[[gnu::always_inline]] inline void Scheduler::leave_for(Thread &next) {
    Thread &self = *current_;
    if (&self == idle_)
        port::leave_idle();
    else if (&next == idle_)
        port::enter_idle();
    c_library_ = next.c_library;
    port::switch_fp(self.context_, next.context_);
}

void Scheduler::use_c_library(const Thread &t) {
    static_assert(offsetof(Scheduler, c_library_) == sizeof(void *), "rtos.ld says so");
    const IrqMask masked;
    if (&t == current_)
        c_library_ = t.c_library;
}

template <bool yielding> [[gnu::always_inline]] inline void Scheduler::switch_now() {
    if (lock_depth_) [[unlikely]]
        return;
    need_resched_ = 0;
    Thread &self = *current_;
    Thread &next = best();
    if (&next != &self) {
        if (debug && !self.own_stack_)
            check_stack(self);
        charge();
        if (yielding)
            self.slice_end_ = static_cast<uint32_t>(self.run_ticks_) + self.slice_;
        if (next.slice_)
            watch_slice(next);
        leave_for(next);
        port::switch_context(self.context_, next.context_, next, current_);
    }
    if (!self.calls_.empty()) [[unlikely]]
        run_calls(self);
}

void Scheduler::account() {
    charge();
}

void Scheduler::reschedule() {
    switch_now<false>();
}

void Scheduler::preempt() {
    port::masked_begin();
    scheduler.switch_now<false>();
    port::masked_end();
}

void Scheduler::yield() {
    Thread &self = *current_;
    self.remove();
    ready_[self.priority_].insert_before(self);
    switch_now<true>();
}

void Scheduler::begin(Thread &idle) {
    current_ = idle_ = &idle;
    need_resched_ = 0;
    accounted_ = port::counter();
    Thread &next = best();
    if (&next != &idle)
        leave_for(next);
    current_ = &next;
    port::load_context(next.context_);
}

// What a thread was posted: in its own context, wherever it is. A wait's result is kept for the wait.
[[gnu::noinline]] void Scheduler::run_calls(Thread &self) {
    const Status result = self.wait_result_;
    self.calls_.run();
    self.wait_result_ = result;
}

Status Scheduler::wait(WaitQueue *queue, Time deadline, void *data) {
    Thread &self = *current_;
    if (deadline != Time::never()) {
        if (deadline <= timer_queue.now())
            return Status::timeout;
        timer_queue.start(self.timeout_, deadline);
    }
    unready(self);
    self.state_ = ThreadState::waiting;
    self.wait_data_ = data;
    self.queue_ = queue;
    if (queue)
        queue->enter(self);
    else
        self.reset();
    switch_now<false>();
    return self.wait_result_;
}

void Scheduler::wake(Thread &t, Status result) {
    if (t.timeout_.active())
        timer_queue.stop(t.timeout_);
    end_of_wait(t, result);
}

void Scheduler::suspend(Thread &t) {
    t.suspended_ = true;
    if (t.state_ != ThreadState::ready)
        return;
    unready(t);
    t.reset();
    t.state_ = ThreadState::suspended;
    if (&t == current_)
        need_resched_ = 1;
}

void Scheduler::resume(Thread &t) {
    t.suspended_ = false;
    if (t.state_ == ThreadState::suspended)
        make_ready(t);
}

void Scheduler::detach(Thread &t, ThreadState final_state) {
    timer_queue.stop(t.timeout_);
    Mutex *const blocked_on = t.blocked_on_;
    if (t.state_ == ThreadState::ready)
        unready(t);
    else
        t.remove();
    t.reset();
    t.state_ = final_state;
    t.queue_ = nullptr;
    t.blocked_on_ = nullptr;
    t.suspended_ = false;
    t.calls_.clear();
    if (blocked_on)
        disinherit(*blocked_on);
}

void Scheduler::leave() {
    lock_depth_ = 0;
    need_resched_ = 0;
    charge();
    port::abandon_context(current_->context_);
    Thread &next = best();
    leave_for(next);
    current_ = &next;
    port::load_context(next.context_);
}

void Scheduler::add(Thread &t) {
    if (!current_)
        current_ = &t;
    t.slice_end_ = t.slice_;
    make_ready(t);
}

uint64_t Scheduler::run_ticks(const Thread &t) {
    scheduler.charge();
    return t.run_ticks_;
}

} // namespace rtos
