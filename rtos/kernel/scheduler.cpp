// SPDX-License-Identifier: BSD-3-Clause
// Switches, and the waits that loops are made of; compiled for speed. The rest is in scheduler_slow.cpp.
#include "wait_queue.hpp"

namespace rtos {

alignas(64) [[gnu::section(".data.hot")]] constinit Scheduler scheduler; // see its members

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

// The switch that real time waits for: from the guest, or a thread, to one that an interrupt woke.
[[gnu::hot]] void Scheduler::preempt() {
    port::masked_begin();
    Scheduler &s = scheduler;
    if (s.lock_depth_) [[unlikely]]
        return s.stay();
    Thread &self = *s.current_;
    Thread &next = s.best();
    if (&next == &self) [[unlikely]]
        return s.stay();
    s.need_resched_ = 0;
    if (debug && (self.context_.work & Thread::work_stack))
        check_stack(self);
    // Signed: an ISR may have charged beyond its own begin.
    self.run_ticks_ += static_cast<uint64_t>(int64_t{static_cast<int32_t>(s.interrupted_ - s.accounted_)});
    s.accounted_ = s.interrupted_;
    s.c_library_ = next.c_library;
    const uint32_t work = next.context_.work & (Thread::work_slice | Thread::work_hook | Thread::work_idle);
    if (work != 0 && (work != Thread::work_slice || !s.alone(next))) [[unlikely]]
        s.leave_slowly_for(next);
    else
        port::switch_fp(self.context_, next.context_);
    port::switch_context(self, next, s.current_);
    if (!self.calls_.empty()) [[unlikely]]
        s.run_calls(self);
    port::masked_end();
}

// next has a slice, and equals.
[[gnu::noinline]] void Scheduler::watch_next(Thread &next) {
    const uint32_t end = accounted_ + (next.slice_end_ - static_cast<uint32_t>(next.run_ticks_));
    if (!slice_timer_.active() || static_cast<int32_t>(end - slice_expiry_) < 0)
        watch_slice(next);
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

[[gnu::hot]] Status Scheduler::wait_and_open(WaitQueue *queue, Time deadline, void *data) {
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

[[gnu::hot]] Status Scheduler::wake_and_open(Link &waiters, bool was_masked) {
    end_wait_now(thread_of(*waiters.next()), Status::ok);
    if (!was_masked) {
        if (need_resched_)
            switch_if_due();
        port::irq_enable();
    }
    return Status::ok;
}

} // namespace rtos
