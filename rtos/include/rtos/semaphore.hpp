// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <rtos/list.hpp>
#include <rtos/status.hpp>
#include <rtos/time.hpp>

namespace rtos {

// A counting semaphore. Waiters are served by priority, then in order of arrival; a release
// hands its unit to the waiter directly, so nobody can take it in between.
class Semaphore {
  public:
    constexpr explicit Semaphore(uint32_t count = 0) : count_(count) {}

    // Take a unit, or wait for one until the deadline. Thread context. timeout, would_block.
    // (POSIX: sem_wait, sem_timedwait on the monotonic clock.)
    Status take(Time deadline = Time::never());
    Status take_for(Duration limit) { return take(now() + limit); }
    // Take a unit if there is one. Any context. (POSIX: sem_trywait.)
    bool try_take();
    // Give a unit. Any context, ISRs included. invalid: the count is at its maximum. (POSIX: sem_post.)
    Status release();

    uint32_t count() const { return count_; }

  private:
    volatile uint32_t count_;
    Link waiters_;
};

} // namespace rtos
