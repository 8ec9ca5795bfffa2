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

// What few switches need: the work of both threads. The running thread has been charged.
template <bool yielding>
[[gnu::always_inline]] inline void Scheduler::extra_work(Thread &self, Thread &next, uint32_t work) {
    if (work & Thread::work_slice) {
        if (yielding)
            self.slice_end_ = static_cast<uint32_t>(self.run_ticks_) + self.slice_;
        if (next.slice_ && (yielding || !alone(next))) {
            const uint32_t end = accounted_ + (next.slice_end_ - static_cast<uint32_t>(next.run_ticks_));
            if (!slice_timer_.active() || static_cast<int32_t>(end - slice_expiry_) < 0)
                watch_slice(next);
        }
        if (!(work & ~Thread::work_slice))
            return;
    }
    if (self.context_.work & Thread::work_idle)
        port::leave_idle();
    else if (work & Thread::work_idle)
        port::enter_idle();
    if (work & port::Context::owns_fp)
        port::switch_fp(self.context_, next.context_);
    if ((work & Thread::work_hook) && switch_hook_)
        switch_hook_(self, next);
}

template <bool yielding> [[gnu::always_inline]] inline void Scheduler::leave_for(Thread &next) {
    Thread &self = *current_;
    c_library_ = next.c_library;
    if (const uint32_t work = self.context_.work | next.context_.work)
        extra_work<yielding>(self, next, work);
}

template <bool yielding> [[gnu::always_inline]] inline void Scheduler::switch_to(Thread &self, Thread &next) {
    if (debug && (self.context_.work & Thread::work_stack))
        check_stack(self);
    charge();
    leave_for<yielding>(next);
    port::switch_context(self.context_, next.context_, next, current_);
    if (!self.calls_.empty()) [[unlikely]]
        run_calls(self);
}

[[gnu::always_inline]] inline void Scheduler::switch_if_due() {
    if (lock_depth_) [[unlikely]]
        return;
    need_resched_ = 0;
    Thread &self = *current_;
    Thread &next = best();
    if (&next != &self)
        switch_to<false>(self, next);
    else if (!self.calls_.empty()) [[unlikely]]
        run_calls(self);
}

void Scheduler::use_c_library(const Thread &t) {
    static_assert(offsetof(Scheduler, c_library_) == sizeof(void *), "rtos.ld says so");
    const IrqMask masked;
    if (&t == current_)
        c_library_ = t.c_library;
}

void Scheduler::account() {
    charge();
}

void Scheduler::reschedule() {
    switch_if_due();
}

// From the guest to the thread that an interrupt woke: the switch that real time waits for, so all of it
// is here, without a look at what the idle thread never has: a slice, calls, its own C library.
[[gnu::always_inline]] inline void Scheduler::leave_idle_for(Thread &next) {
    Thread &self = *current_;
    charge();
    c_library_ = next.c_library;
    port::leave_idle();
    port::switch_fp(self.context_, next.context_);
    if (!alone(next) && next.slice_) [[unlikely]]
        watch_slice(next);
    if (switch_hook_ && (next.context_.work & Thread::work_hook)) [[unlikely]]
        switch_hook_(self, next);
    port::switch_context(self.context_, next.context_, next, current_);
}

void Scheduler::preempt() {
    port::masked_begin();
    Scheduler &self = scheduler;
    if (!self.idle_running()) {
        self.switch_if_due();
    } else if (!self.lock_depth_) {
        self.need_resched_ = 0;
        Thread &next = self.best();
        if (&next != self.current_)
            self.leave_idle_for(next);
    }
    port::masked_end();
}

Status Scheduler::yield() {
    const bool was_masked = port::irq_save();
    const bool may = !was_masked && lock_depth_ == 0;
    Thread &self = *current_;
    if (may && !alone(self)) {
        Link &list = ready_[self.priority_];
        self.remove();
        list.insert_before(self);
        switch_to<true>(self, thread_of(*list.next()));
    }
    if (!was_masked)
        port::irq_enable();
    return may ? Status::ok : Status::would_block;
}

void Scheduler::begin(Thread &idle) {
    current_ = idle_ = &idle;
    idle.context_.work |= Thread::work_idle;
    need_resched_ = 0;
    accounted_ = port::counter();
    Thread &next = best();
    if (&next != &idle)
        leave_for<false>(next);
    current_ = &next;
    port::masked_begin(); // boot is over
    port::load_context(next.context_);
}

// What a thread was posted: in its own context, wherever it is. A wait's result is kept for the wait.
[[gnu::noinline]] void Scheduler::run_calls(Thread &self) {
    const Status result = self.wait_result_;
    self.calls_.run();
    self.wait_result_ = result;
}

[[gnu::always_inline]] inline Status Scheduler::wait_and_switch(WaitQueue *queue, Time deadline, void *data) {
    Thread &self = *current_;
    if (deadline != Time::never()) {
        if (deadline <= timer_queue.now())
            return Status::timeout;
        self.wake_work_ = Thread::wake_timed;
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
    need_resched_ = 0;
    switch_to<false>(self, best());
    return self.wait_result_;
}

Status Scheduler::wait(WaitQueue *queue, Time deadline, void *data) {
    return wait_and_switch(queue, deadline, data);
}

Status Scheduler::wait_and_open(WaitQueue *queue, Time deadline, void *data) {
    const Status result = wait_and_switch(queue, deadline, data);
    port::irq_enable();
    return result;
}

[[gnu::noinline]] void Scheduler::stop_timeout(Thread &t) {
    timer_queue.stop(t.timeout_);
    t.wake_work_ &= static_cast<uint8_t>(~Thread::wake_timed);
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

void Scheduler::wake(Thread &t, Status result) {
    end_wait_now(t, result);
}

Status Scheduler::wake_and_open(Link &waiters, bool was_masked) {
    end_wait_now(thread_of(*waiters.next()), Status::ok);
    if (!was_masked) {
        if (need_resched_)
            switch_if_due();
        port::irq_enable();
    }
    return Status::ok;
}

// The end of a wait for a thread that was suspended meanwhile.
[[gnu::noinline]] void Scheduler::stay_suspended(Thread &t, Status result) {
    t.unlink();
    t.queue_ = nullptr;
    t.blocked_on_ = nullptr;
    t.wait_result_ = result;
    t.state_ = ThreadState::suspended;
}

void Scheduler::suspend(Thread &t) {
    t.wake_work_ |= Thread::wake_suspended;
    if (t.state_ != ThreadState::ready)
        return;
    unready(t);
    t.reset();
    t.state_ = ThreadState::suspended;
    if (&t == current_)
        need_resched_ = 1;
}

void Scheduler::resume(Thread &t) {
    t.wake_work_ &= static_cast<uint8_t>(~Thread::wake_suspended);
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
    Thread &next = best();
    leave_for<false>(next);
    current_ = &next;
    port::load_context(next.context_);
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
