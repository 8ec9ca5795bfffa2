// SPDX-License-Identifier: BSD-3-Clause
#include "scheduler.hpp"

#include "timer_queue.hpp"

namespace rtos {

constinit Scheduler scheduler;
volatile uint32_t detail::need_resched;

void detail::reschedule() {
    scheduler.switch_to_best();
}

// Overflowing stacks: the pushes of the functions below are at their entry, before they change
// anything, and what they call while the lists are inconsistent is inline. So a thread that runs
// into its guard page anywhere in here can be ended as if it had done so before the call.

[[gnu::always_inline]] inline void Scheduler::charge() {
    const uint32_t counter = port::counter();
    current_->run_ticks_ += counter - accounted_;
    accounted_ = counter;
}

[[gnu::always_inline]] inline void Scheduler::leave_for(Thread &next) {
    charge();
    if (current_ == idle_)
        port::leave_idle();
    else if (&next == idle_)
        port::enter_idle();
    port::switch_fp(current_->context_, next.context_);
}

[[gnu::always_inline]] inline void Scheduler::switch_now() {
    detail::need_resched = 0;
    Thread &next = best();
    if (&next == current_)
        return;
    leave_for(next);
    port::switch_context(current_->context_, next.context_, next, current_);
}

void Scheduler::account() {
    charge();
}

void Scheduler::switch_to_best() {
    switch_now();
}

void Scheduler::preempt() {
    scheduler.switch_now();
}

void Scheduler::begin(Thread &idle) {
    current_ = idle_ = &idle;
    detail::need_resched = 0;
    accounted_ = port::counter();
    Thread &next = best();
    if (&next != &idle)
        leave_for(next);
    current_ = &next;
    port::load_context(next.context_);
}

Status Scheduler::wait(Link *waiters, Time deadline) {
    Thread &self = *current_;
    if (deadline != Time::never())
        timer_queue.start(self.timeout_, deadline);
    unready(self);
    self.state_ = Thread::State::waiting;
    if (waiters) {
        // Behind the last waiter that is at least as important; mostly the last of all.
        Link *after = waiters->prev();
        while (after != waiters && thread_of(*after).priority_ > self.priority_)
            after = after->prev();
        after->next()->insert_before(self);
    }
    switch_to_best();
    return self.wait_result_;
}

void Scheduler::wake(Thread &t, Status result) {
    t.unlink();
    t.wait_result_ = result;
    make_ready(t);
    if (t.timeout_.active())
        timer_queue.stop(t.timeout_);
}

void Scheduler::yield() {
    Link &list = ready_[current_->priority_];
    current_->unlink();
    list.insert_before(*current_);
    switch_to_best();
}

void Scheduler::end_current(Thread::State final_state) {
    Thread &self = *current_;
    timer_queue.stop(self.timeout_);
    unready(self);
    self.state_ = final_state;
    detail::need_resched = 0;
    port::abandon_context(self.context_);
    Thread &next = best();
    leave_for(next);
    current_ = &next;
    port::load_context(next.context_);
}

void Scheduler::add(Thread &t, uint8_t *stack, size_t size) {
    t.stack_ = stack;
    t.stack_size_ = size;
    port::make_context(t.context_, stack, size, t.entry_, t.argument_);
    if (!current_)
        current_ = &t;
    make_ready(t);
}

uint64_t Scheduler::run_ticks(const Thread &t) {
    scheduler.charge();
    return t.run_ticks_;
}

} // namespace rtos
