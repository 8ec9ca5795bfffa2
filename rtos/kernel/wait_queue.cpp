// SPDX-License-Identifier: BSD-3-Clause
#include <rtos/wait_queue.hpp>

#include "scheduler.hpp"
#include "timer_queue.hpp"

namespace rtos {

Status WaitQueue::wait(const IrqLock &lock, Time deadline, void *data) {
    if (lock.was_masked())
        return Status::would_block;
    if (deadline <= timer_queue.now())
        return Status::timeout;
    scheduler.current().wait_data_ = data;
    return scheduler.wait(&waiters_, deadline);
}

Thread *WaitQueue::first() const {
    return empty() ? nullptr : &Scheduler::thread_of(*waiters_.next());
}

Thread *WaitQueue::next(const Thread &t) const {
    return t.next() == &waiters_ ? nullptr : &Scheduler::thread_of(*t.next());
}

void *WaitQueue::data_of(const Thread &t) {
    return t.wait_data_;
}
void WaitQueue::set_data(Thread &t, void *data) {
    t.wait_data_ = data;
}

Thread *WaitQueue::wake_first(Status result) {
    Thread *const t = first();
    if (t)
        scheduler.wake(*t, result);
    return t;
}

void WaitQueue::wake(Thread &t, Status result) {
    scheduler.wake(t, result);
}

unsigned WaitQueue::wake_all(const IrqLock &, Status result) {
    unsigned n = 0;
    while (wake_first(result))
        ++n;
    return n;
}

unsigned WaitQueue::count() const {
    unsigned n = 0;
    for (const Thread *t = first(); t; t = next(*t))
        ++n;
    return n;
}

} // namespace rtos
