// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <rtos/wait_queue.hpp>

namespace rtos {

// A counting semaphore. A release hands its unit to the first waiter directly, so nobody can take it
// in between.
class Semaphore {
  public:
    constexpr explicit Semaphore(uint32_t count = 0, uint32_t maximum = UINT32_MAX,
                                 WaitOrder order = WaitOrder::priority)
        : count_(count), maximum_(maximum), waiters_(order) {}

    // Take a unit, or wait for one until the deadline. Thread context. timeout, would_block,
    // interrupted, deleted. (POSIX: sem_wait, sem_timedwait on the monotonic clock.)
    Status take(Time deadline = Time::never()) { return try_take() ? Status::ok : take_masked(deadline); }
    Status take_for(Duration limit) { return take(after(limit)); }
    // Take a unit if there is one. Any context. (POSIX: sem_trywait.)
    bool try_take() {
        for (;;) {
            const uint32_t count = port::load_exclusive(count_);
            if (count == 0) [[unlikely]]
                return false;
            if (port::store_exclusive(count_, count - 1)) [[likely]]
                return true;
        }
    }
    // Give a unit. Any context, ISRs included. full: the count is at its maximum. (POSIX: sem_post.)
    Status release() {
        const Status tried = try_release();
        return tried == Status::busy ? release_masked() : tried;
    }
    // The same if nobody waits; else nothing. busy.
    Status try_release() {
        for (;;) {
            const uint32_t count = port::load_exclusive(count_);
            if (!waiters_.empty()) [[unlikely]]
                return Status::busy;
            if (count >= maximum_) [[unlikely]]
                return Status::full;
            if (port::store_exclusive(count_, count + 1)) [[likely]]
                return Status::ok;
        }
    }
    // What release does when somebody waits: returns 0, or full where the count is at its maximum.
    [[gnu::always_inline]] int release_to_waiter(int full) {
        const bool was_masked = port::irq_save();
        if (!waiters_.empty()) [[likely]]
            return static_cast<int>(waiters_.wake_first_and_open(was_masked)); // ok
        return count_up_and_open(full, was_masked);
    }
    // Set the count and end all waits with result (RT-Thread: RT_IPC_CMD_RESET). Any context.
    void reset(uint32_t count, Status result);
    // End all waits with deleted. Thread context.
    void close() { reset(0, Status::deleted); }

    uint32_t count() const { return count_; }
    const WaitQueue &waiters() const { return waiters_; }

  private:
    friend struct RtThreadView;

    int count_up_and_open(int full, bool was_masked);
    Status take_masked(Time deadline);
    Status release_masked();

    // Changed by an exclusive pair, without masking IRQs, as long as nobody waits: then it is not 0, or
    // nobody wants it. Whoever comes in between, an ISR or a thread, makes the store fail.
    volatile uint32_t count_;
    const uint32_t maximum_;
    WaitQueue waiters_;
};

} // namespace rtos
