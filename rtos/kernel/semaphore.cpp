// SPDX-License-Identifier: BSD-3-Clause
#include <rtos/semaphore.hpp>

namespace rtos {

void Semaphore::reset(uint32_t count, Status result) {
    const IrqLock lock;
    count_ = count;
    waiters_.wake_all(lock, result);
}

} // namespace rtos
