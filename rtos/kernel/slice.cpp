// SPDX-License-Identifier: BSD-3-Clause
// Time slices without a tick: one timer, active only when a thread with a slice runs and has equals. It may
// expire for a thread that has left meanwhile, and then looks at the one that runs.
#include "scheduler.hpp"
#include "timer_queue.hpp"

namespace rtos {

void Scheduler::start_slice_timer(Time deadline) {
    slice_expiry_ = static_cast<uint32_t>(deadline.ticks);
    timer_queue.start(slice_timer_, deadline);
}

// t, which is ready and runs now or next, has been charged: let the timer expire at its slice's end at
// the latest.
void Scheduler::watch_slice(Thread &t) {
    if (alone(t))
        return;
    uint32_t left = t.slice_end_ - static_cast<uint32_t>(t.run_ticks_);
    if (left - 1 >= t.slice_) { // used up, perhaps long ago, while it was alone
        left = t.slice_;
        t.slice_end_ = static_cast<uint32_t>(t.run_ticks_) + left;
    }
    const Time deadline = timer_queue.at(accounted_) + Duration{left};
    if (!slice_timer_.active() || deadline < slice_timer_.deadline())
        start_slice_timer(deadline);
}

void Scheduler::slice_over(void *of) {
    Scheduler &self = *static_cast<Scheduler *>(of);
    Thread &t = *self.current_;
    if (t.slice_ == 0 || t.state_ != ThreadState::ready || self.alone(t))
        return;
    self.account();
    const uint32_t left = t.slice_end_ - static_cast<uint32_t>(t.run_ticks_);
    if (left - 1 < t.slice_) {
        self.start_slice_timer(timer_queue.at(self.accounted_) + Duration{left});
        return;
    }
    t.slice_end_ = static_cast<uint32_t>(t.run_ticks_) + t.slice_;
    self.end_turn();
}

void Scheduler::end_turn() {
    Thread &t = *current_;
    if (t.state_ != ThreadState::ready)
        return;
    t.remove();
    ready_[t.priority_].insert_before(t);
    need_resched_ = 1;
}

void Scheduler::set_slice(Thread &t, uint32_t ticks) {
    account();
    t.slice_ = ticks;
    t.context_.work = ticks ? t.context_.work | Thread::work_slice : t.context_.work & ~Thread::work_slice;
    t.slice_end_ = static_cast<uint32_t>(t.run_ticks_) + ticks;
    if (&t == current_ && ticks && t.state_ == ThreadState::ready)
        watch_slice(t);
}

} // namespace rtos
