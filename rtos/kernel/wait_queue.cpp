// SPDX-License-Identifier: BSD-3-Clause
#include "wait_queue.hpp"

#include <rtos/assert.hpp>

namespace rtos {

Status WaitQueue::wait(const IrqLock &lock, Time deadline, void *data) {
    if (deadline == Time::past())
        return Status::timeout;
    const bool may_block = !lock.was_masked() && scheduler.lock_depth() == 0;
    RTOS_ASSERT(may_block);
    return may_block ? scheduler.wait(this, deadline, data) : Status::would_block;
}

Status WaitQueue::wait_and_open(bool was_masked, Time deadline, void *data) {
    const bool may_block = !was_masked && scheduler.lock_depth() == 0;
    if (deadline != Time::past() && may_block) [[likely]]
        return scheduler.wait_and_open(this, deadline, data);
    RTOS_ASSERT(deadline == Time::past());
    if (!was_masked)
        port::irq_enable();
    return deadline == Time::past() ? Status::timeout : Status::would_block;
}

Thread *WaitQueue::first() const {
    return empty() ? nullptr : &Scheduler::thread_of(*waiters_.next());
}

Thread *WaitQueue::next(const Thread &t) const {
    Link *const next = static_cast<const Link &>(t).next();
    return next == &waiters_ ? nullptr : &Scheduler::thread_of(*next);
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

unsigned WaitQueue::wake_all(const IrqLock &lock, Status result) {
    unsigned n = 0;
    while (wake_first(result)) {
        ++n;
        if (lock.was_masked() || empty())
            continue;
        ++scheduler.lock_depth_; // need_resched stays as it is: lock switches
        port::irq_enable();
        port::irq_save();
        --scheduler.lock_depth_;
    }
    return n;
}

unsigned WaitQueue::count() const {
    unsigned n = 0;
    for (const Thread *t = first(); t; t = next(*t))
        ++n;
    return n;
}

} // namespace rtos
