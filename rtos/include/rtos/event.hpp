// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdint.h>

#include <rtos/wait_queue.hpp>

namespace rtos {

// 32 flags that threads wait for, any or all of a set.
class Event {
  public:
    enum class Match : uint8_t { any, all };

    constexpr explicit Event(uint32_t flags = 0, WaitOrder order = WaitOrder::priority)
        : flags_(flags), waiters_(order) {}
    ~Event() { close(); }

    // Wait until the flags of mask are set, any or all of them, and take those of them that are
    // into got. consume: clear them. Thread context. timeout, would_block, invalid: mask is 0,
    // interrupted, deleted.
    Status wait(uint32_t mask, Match match, bool consume, uint32_t &got, Time deadline = Time::never());
    // The same without waiting. Any context. empty: not set.
    Status try_wait(uint32_t mask, Match match, bool consume, uint32_t &got);

    // Set flags, and end the waits that are now fulfilled: every waiter sees the flags, then those that
    // one of them consumes are cleared. Any context; masks IRQs for a few instructions per waiter.
    void set(uint32_t flags);
    void clear(uint32_t flags);

    // Back to no flags; waits end with result (RT-Thread: RT_IPC_CMD_RESET). Thread context.
    void reset(Status result = Status::interrupted);
    // Nobody must begin to use it any more; waits end with deleted. Thread context.
    void close() { reset(Status::deleted); }

    uint32_t flags() const { return flags_; }
    WaitQueue &waiters() { return waiters_; }

  private:
    friend struct RtThreadView;

    struct Wanted;

    volatile uint32_t flags_;
    WaitQueue waiters_;
};

} // namespace rtos
