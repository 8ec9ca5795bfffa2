// SPDX-License-Identifier: BSD-3-Clause
// The inline functions of wait queues.
#pragma once

#include "scheduler.hpp"

namespace rtos {

// Behind the last waiter that is at least as important; mostly that is the last of all.
[[gnu::always_inline]] inline void WaitQueue::enter(Thread &t) {
    Link *after = waiters_.prev();
    if (order_ == WaitOrder::priority)
        while (after != &waiters_ && Scheduler::thread_of(*after).priority() > t.priority())
            after = after->prev();
    after->insert_after(t);
}

} // namespace rtos
