// SPDX-License-Identifier: BSD-3-Clause
// The scheduler's inline functions.
#pragma once

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

} // namespace rtos
