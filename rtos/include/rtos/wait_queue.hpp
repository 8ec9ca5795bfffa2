// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <rtos/irq_lock.hpp>
#include <rtos/list.hpp>
#include <rtos/status.hpp>
#include <rtos/time.hpp>

namespace rtos {

class Thread;

// By priority and then in order of arrival, or in order of arrival alone.
enum class WaitOrder : uint8_t { priority, fifo };

// The threads that wait for something: what every blocking object is made of. All functions are
// called with IRQs masked. An object's call looks like this:
//
//     Status Object::take(Time deadline) {
//         const IrqLock lock;
//         if (available) { ... return Status::ok; }
//         return waiters_.wait(lock, deadline);
//     }
//     void Object::give() {
//         const IrqLock lock; // switches on its way out, if a better thread was woken
//         if (!waiters_.wake_first())
//             available = true;
//     }
class WaitQueue {
  public:
    constexpr explicit WaitQueue(WaitOrder order = WaitOrder::priority) : order_(order) {}

    // The running thread waits until somebody wakes it: returns that one's status. Or at once:
    // would_block (lock is not the outermost, or the scheduler is locked), timeout (the deadline has
    // passed). While it waits: timeout, interrupted.
    // data: what the waking side needs to know, read with data_of(): a mask, a place for a message.
    // IRQs are masked again on return but were open, so the object may have changed; but nobody else
    // wakes it between the wake and the return.
    Status wait(const IrqLock &lock, Time deadline, void *data = nullptr);

    // The same at the end of the outermost masked stretch: was_masked is what port::irq_save() returned,
    // and IRQs are as they were before that on return.
    Status wait_and_open(bool was_masked, Time deadline, void *data = nullptr);

    bool empty() const { return !waiters_.linked(); }
    Thread *first() const;
    // The waiter behind t, or null.
    Thread *next(const Thread &t) const;
    static void *data_of(const Thread &t);
    static void set_data(Thread &t, void *data);

    // End a wait. Any context. first: null when there was none.
    Thread *wake_first(Status result = Status::ok);
    // The same with ok at the end of a masked stretch, see wait_and_open. There must be a waiter.
    Status wake_first_and_open(bool was_masked) { return scheduler.wake_and_open(waiters_, was_masked); }
    void wake(Thread &t, Status result = Status::ok);
    // End all waits. IRQs may open between two of them if lock is the outermost: interrupts are served,
    // no thread runs. Returns how many.
    unsigned wake_all(const IrqLock &lock, Status result);
    // End all waits with deleted. IRQs not masked by the caller.
    void close() {
        const IrqLock lock;
        wake_all(lock, Status::deleted);
    }

    unsigned count() const;
    WaitOrder order() const { return order_; }

  private:
    friend class Inspector; // of the unit tests
    friend class Scheduler;

    void enter(Thread &t);

    Link waiters_;
    const WaitOrder order_;
};

} // namespace rtos
