// SPDX-License-Identifier: BSD-3-Clause
#include <rtos/semaphore.hpp>

namespace rtos {

[[gnu::hot]] Status Semaphore::take_masked(Time deadline) {
    const bool was_masked = port::irq_save();
    const uint32_t count = count_;
    if (count == 0) [[likely]]
        return waiters_.wait_and_open(was_masked, deadline);
    count_ = count - 1;
    if (!was_masked)
        port::irq_enable();
    return Status::ok;
}

[[gnu::hot]] Status Semaphore::release_masked() {
    static_assert(static_cast<int>(Status::ok) == 0);
    return static_cast<Status>(release_to_waiter(static_cast<int>(Status::full)));
}

// Nobody waits.
int Semaphore::count_up_and_open(int full, bool was_masked) {
    const bool is_full = count_ >= maximum_;
    if (!is_full)
        count_ = count_ + 1;
    if (!was_masked)
        port::irq_enable();
    return is_full ? full : 0;
}

void Semaphore::reset(uint32_t count, Status result) {
    const IrqLock lock;
    count_ = count;
    waiters_.wake_all(lock, result);
}

} // namespace rtos
