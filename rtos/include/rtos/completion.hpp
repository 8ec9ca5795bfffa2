// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <rtos/wait_queue.hpp>

namespace rtos {

// Something that comes to an end once, or once at a time: a wait consumes it.
class Completion {
  public:
    constexpr Completion() = default;
    ~Completion() { close(); }

    // Wait until it is complete, which it is no more then. Thread context. timeout, would_block,
    // interrupted, deleted.
    Status wait(Time deadline = Time::never());
    // The same without waiting. Any context.
    bool try_wait();
    // End the first wait, or the next one. Any context. Completing what is complete changes nothing.
    void complete();
    // Not complete. Any context.
    void reset();
    // Nobody must begin to use it any more; waits end with deleted. Thread context.
    void close();

    bool done() const { return done_; }
    WaitQueue &waiters() { return waiters_; }

  private:
    volatile bool done_ = false;
    WaitQueue waiters_;
};

} // namespace rtos
