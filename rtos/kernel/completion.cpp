// SPDX-License-Identifier: BSD-3-Clause
#include <rtos/completion.hpp>

namespace rtos {

Status Completion::wait(Time deadline) {
    const IrqLock lock;
    if (done_) {
        done_ = false;
        return Status::ok;
    }
    return waiters_.wait(lock, deadline);
}

bool Completion::try_wait() {
    const IrqMask masked;
    const bool was = done_;
    done_ = false;
    return was;
}

void Completion::complete() {
    const IrqLock lock;
    if (!waiters_.wake_first())
        done_ = true;
}

void Completion::reset() {
    done_ = false;
}

void Completion::close() {
    const IrqLock lock;
    done_ = false;
    waiters_.wake_all(lock, Status::deleted);
}

} // namespace rtos
