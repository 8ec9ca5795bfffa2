// SPDX-License-Identifier: BSD-3-Clause
// Switches, and the waits that loops are made of; compiled for speed. The rest is in scheduler_slow.cpp.
#include "wait_queue.hpp"

namespace rtos {

constinit Scheduler scheduler;

[[gnu::always_inline]] inline void Scheduler::switch_if_due() {
    if (lock_depth_) [[unlikely]]
        return;
    need_resched_ = 0;
    Thread &self = *current_;
    Thread &next = best();
    if (&next != &self)
        switch_to(self, next, false);
    else if (!self.calls_.empty()) [[unlikely]]
        run_calls(self);
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
        self.reschedule();
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
        switch_to(self, thread_of(*list.next()), true);
    }
    if (!was_masked)
        port::irq_enable();
    return may ? Status::ok : Status::would_block;
}

Status Scheduler::wait_and_open(WaitQueue *queue, Time deadline, void *data) {
    Thread &self = *current_;
    Status result = Status::timeout;
    if (begin_wait(queue, deadline, data)) [[likely]] {
        need_resched_ = 0;
        switch_to(self, best(), false);
        result = self.wait_result_;
    }
    port::irq_enable();
    return result;
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

} // namespace rtos
