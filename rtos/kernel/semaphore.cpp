// SPDX-License-Identifier: BSD-3-Clause
#include <rtos/semaphore.hpp>

namespace rtos {

Status Semaphore::take(Time deadline) {
    const IrqLock lock;
    if (count_ > 0) {
        count_ = count_ - 1;
        return Status::ok;
    }
    return waiters_.wait(lock, deadline);
}

Status Semaphore::release_to_waiter() {
    const IrqLock lock;
    if (waiters_.wake_first())
        return Status::ok;
    if (count_ >= maximum_)
        return Status::full;
    count_ = count_ + 1;
    return Status::ok;
}

void Semaphore::reset(uint32_t count, Status result) {
    const IrqLock lock;
    count_ = count;
    waiters_.wake_all(lock, result);
}

} // namespace rtos
