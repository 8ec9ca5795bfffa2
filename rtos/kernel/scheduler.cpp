// SPDX-License-Identifier: BSD-3-Clause
#include "scheduler.hpp"

#include "timer_queue.hpp"

namespace rtos {

constinit Scheduler scheduler;
volatile uint32_t detail::need_resched;

void detail::reschedule() { scheduler.switch_to_best(); }

// Overflowing stacks: the pushes of the functions below are at their entry, before they change
// anything, and what they call while the lists are inconsistent is inline. So a thread that runs
// into its guard page anywhere in here can be ended as if it had done so before the call.

void Scheduler::account(Thread &next) {
    const uint64_t time = timer_queue.now().ticks;
    current_->run_ticks_ += time - switched_at_;
    switched_at_ = time;
    port::leave_context(current_->context_, next.context_, current_ == idle_, &next == idle_);
}

void Scheduler::switch_to_best() {
    detail::need_resched = 0;
    Thread &next = best();
    if (&next == current_)
        return;
    account(next);
    port::switch_context(current_->context_, next.context_, next, current_);
}

void Scheduler::begin(Thread &idle) {
    current_ = idle_ = &idle;
    detail::need_resched = 0;
    switched_at_ = timer_queue.now().ticks;
    Thread &next = best();
    port::leave_context(idle.context_, next.context_, true, &next == &idle);
    current_ = &next;
    port::load_context(next.context_);
}

void Scheduler::unready(Thread &t) {
    t.unlink();
    if (!ready_[t.priority_].linked())
        bitmap_ &= ~bit(t.priority_);
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
    if (t.timeout_.active())
        timer_queue.stop(t.timeout_);
    t.unlink();
    t.wait_result_ = result;
    make_ready(t);
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
    account(next);
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
    const uint64_t running = &t == scheduler.current_ ? timer_queue.now().ticks - scheduler.switched_at_ : 0;
    return t.run_ticks_ + running;
}

} // namespace rtos
