// SPDX-License-Identifier: BSD-3-Clause
#include <rtos/semaphore.hpp>

#include "scheduler.hpp"
#include "timer_queue.hpp"

namespace rtos {

Status Semaphore::take(Time deadline) {
    const IrqLock lock;
    if (count_ > 0) {
        count_ = count_ - 1;
        return Status::ok;
    }
    if (lock.was_masked())
        return Status::would_block;
    if (deadline <= timer_queue.now())
        return Status::timeout;
    return scheduler.wait(&waiters_, deadline);
}

bool Semaphore::try_take() {
    const IrqLock lock;
    if (count_ == 0)
        return false;
    count_ = count_ - 1;
    return true;
}

Status Semaphore::release() {
    const IrqLock lock;
    if (waiters_.linked()) {
        scheduler.wake(Scheduler::thread_of(*waiters_.next()), Status::ok);
        return Status::ok;
    }
    if (count_ == UINT32_MAX)
        return Status::invalid;
    count_ = count_ + 1;
    return Status::ok;
}

} // namespace rtos
