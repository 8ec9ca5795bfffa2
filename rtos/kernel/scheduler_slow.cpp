// SPDX-License-Identifier: BSD-3-Clause
// What the scheduler does seldom; compiled for size.
#include "wait_queue.hpp"

#include <rtos/mutex.hpp>

#pragma GCC diagnostic ignored "-Winvalid-offsetof" // Thread has a base

namespace rtos {

// What few switches need. The running thread has been charged.
void Scheduler::extra_work(Thread &self, Thread &next, uint32_t work) {
    if (self.context_.work & Thread::work_idle)
        port::leave_idle();
    else if (work & Thread::work_idle)
        port::enter_idle();
    if (work & port::Context::owns_fp)
        port::switch_fp(self.context_, next.context_);
    if ((work & Thread::work_hook) && switch_hook_)
        switch_hook_(self, next);
}

[[gnu::cold]] void Scheduler::leave_slowly_for(Thread &next) {
    leave_for(next, false);
}

// An interrupt called for a switch that does not come, or not yet.
[[gnu::cold]] void Scheduler::stay() {
    if (idle_running())
        port::enter_idle();
    if (lock_depth_ == 0) {
        need_resched_ = 0;
        if (!current_->calls_.empty())
            run_calls(*current_);
    }
    port::masked_end();
}

void Scheduler::use_c_library(const Thread &t) {
    static_assert(offsetof(Scheduler, c_library_) == sizeof(void *), "rtos.ld says so");
    static_assert(offsetof(Scheduler, need_resched_) == 2 * sizeof(void *) &&
                      offsetof(Scheduler, isr_stack_) == 3 * sizeof(void *) + 16 &&
                      (sizeof(void *) != 4 || offsetof(Thread, context_) == 48),
                  "port/switch.S says so");
    const IrqMask masked;
    if (&t == current_)
        c_library_ = t.c_library;
}

void Scheduler::account() {
    charge();
}

// Go on with the best thread; nobody will switch back.
void Scheduler::enter_best() {
    Thread &next = best();
    if (&next != current_)
        leave_for(next, false);
    current_ = &next;
    port::load_context(next.context_);
}

void Scheduler::begin(Thread &idle) {
    current_ = idle_ = &idle;
    idle.context_.work |= Thread::work_idle;
    need_resched_ = 0;
    accounted_ = port::counter();
    port::masked_begin(); // boot is over
    enter_best();
}

// What a thread was posted: in its own context, wherever it is. A wait's result is kept for the wait.
[[gnu::noinline]] void Scheduler::run_calls(Thread &self) {
    const Status result = self.wait_result_;
    self.calls_.run();
    self.wait_result_ = result;
}

Status Scheduler::wait(WaitQueue *queue, Time deadline, void *data) {
    const Thread &self = *current_;
    if (!begin_wait(queue, deadline, data))
        return Status::timeout;
    reschedule();
    return self.wait_result_;
}

[[gnu::noinline]] void Scheduler::stop_timeout(Thread &t) {
    timer_queue.stop(t.timeout_);
    t.wake_work_ &= static_cast<uint8_t>(~Thread::wake_timed);
}

void Scheduler::wake(Thread &t, Status result) {
    end_wait_now(t, result);
}

// The end of a wait for a thread that was suspended meanwhile.
[[gnu::noinline]] void Scheduler::stay_suspended(Thread &t, Status result) {
    t.unlink();
    t.queue_ = nullptr;
    t.blocked_on_ = nullptr;
    t.wait_result_ = result;
    t.state_ = ThreadState::suspended;
}

void Scheduler::suspend(Thread &t, uint8_t why) {
    t.wake_work_ |= why;
    if (t.state_ != ThreadState::ready)
        return;
    unready(t);
    t.reset();
    t.state_ = ThreadState::suspended;
    if (&t == current_)
        need_resched_ = 1;
}

void Scheduler::resume(Thread &t, uint8_t why) {
    t.wake_work_ &= static_cast<uint8_t>(~why);
    if (t.state_ == ThreadState::suspended &&
        !(t.wake_work_ & (Thread::wake_suspended | Thread::wake_throttled)))
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
    t.wake_work_ = 0;
    t.calls_.clear();
    if (blocked_on)
        disinherit(*blocked_on);
}

void Scheduler::leave() {
    lock_depth_ = 0;
    need_resched_ = 0;
    charge();
    port::abandon_context(current_->context_);
    enter_best();
}

void Scheduler::set_switch_hook(SwitchHook hook) {
    switch_hook_ = hook;
    for (Link *l = all_.next(); l != &all_; l = l->next()) {
        uint32_t &work = static_cast<Thread::InAll *>(l)->thread.context_.work;
        work = hook ? work | Thread::work_hook : work & ~Thread::work_hook;
    }
}

void Scheduler::add(Thread &t) {
    if (!current_)
        current_ = &t;
    t.slice_end_ = t.slice_;
    if (switch_hook_)
        t.context_.work |= Thread::work_hook;
    make_ready(t);
}

uint64_t Scheduler::run_ticks(const Thread &t) {
    scheduler.charge();
    return t.run_ticks_;
}

} // namespace rtos
