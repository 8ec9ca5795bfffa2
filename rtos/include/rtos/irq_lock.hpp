// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <rtos/scheduler.hpp>

#include "port.hpp"

namespace rtos {

// Masks IRQs for its lifetime; nests. The outermost lock of a thread switches to a
// better thread, if one became ready, before it opens IRQs again. Nothing may block under it.
// Keep it short: it is part of every RT latency.
class [[nodiscard]] IrqLock {
  public:
    IrqLock() : was_masked_(port::irq_save()) {}
    // Takes over from a port::irq_save() that returned this.
    explicit IrqLock(bool was_masked) : was_masked_(was_masked) {}
    IrqLock(const IrqLock &) = delete;
    IrqLock &operator=(const IrqLock &) = delete;
    ~IrqLock() {
        if (!was_masked_) {
            if (scheduler.need_resched())
                scheduler.reschedule();
            port::irq_enable();
        }
    }

    // IRQs were masked already: an ISR, or a lock further out.
    bool was_masked() const { return was_masked_; }

  private:
    const bool was_masked_;
};

// Masks IRQs for its lifetime; nests. For what makes no thread ready: it does not look for a better one.
class [[nodiscard]] IrqMask {
  public:
    IrqMask() : was_masked_(port::irq_save()) {}
    IrqMask(const IrqMask &) = delete;
    IrqMask &operator=(const IrqMask &) = delete;
    ~IrqMask() {
        if (!was_masked_)
            port::irq_enable();
    }

  private:
    const bool was_masked_;
};

} // namespace rtos
