// SPDX-License-Identifier: BSD-3-Clause
// The inline functions of waits.
#pragma once

#include "scheduler.hpp"
#include "timer_queue.hpp"

namespace rtos {

// Behind the last waiter that is at least as important; mostly that is the last of all.
[[gnu::always_inline]] inline void WaitQueue::enter(Thread &t) {
    Link *after = waiters_.prev();
    if (order_ == WaitOrder::priority)
        while (after != &waiters_ && Scheduler::thread_of(*after).priority() > t.priority())
            after = after->prev();
    after->insert_after(t);
}

// The running thread is not ready any more. False: the deadline has passed, and it is.
[[gnu::always_inline]] inline bool Scheduler::begin_wait(WaitQueue *queue, Time deadline, void *data) {
    Thread &self = *current_;
    if (deadline != Time::never()) {
        if (deadline <= timer_queue.now())
            return false;
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
    return true;
}

} // namespace rtos
