// SPDX-License-Identifier: BSD-3-Clause
// The mutex's inline functions.
#pragma once

#include "scheduler.hpp"

#include <rtos/mutex.hpp>

namespace rtos {

[[gnu::always_inline]] inline void Mutex::own(Thread &t) {
    owner_ = &t;
    holds_ = 1;
    t.held_.insert_after(*this);
}

[[gnu::always_inline]] inline bool Mutex::lock_shortly() {
    const bool was_masked = port::irq_save();
    const bool may = !owner_ && !was_masked && protocol_ != Protocol::ceiling;
    if (may) [[likely]]
        own(scheduler.current());
    if (!was_masked)
        port::irq_enable();
    return may;
}

[[gnu::always_inline]] inline bool Mutex::unlock_shortly() {
    const bool was_masked = port::irq_save();
    const bool may = owner_ == &scheduler.current() && holds_ == 1 && waiters_.empty() && !was_masked &&
                     protocol_ != Protocol::ceiling;
    if (may) [[likely]] {
        remove();
        owner_ = nullptr;
    }
    if (!was_masked)
        port::irq_enable();
    return may;
}

} // namespace rtos
