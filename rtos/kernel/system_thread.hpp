// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <rtos/thread.hpp>

namespace rtos {

// The thread just above the guest's: it makes deferred calls, and reaps threads that have ended.
class SystemThread {
  public:
    Status start();
    bool defer(AsyncCall &call);
    // A thread that somebody must reap. IRQs masked.
    void ended(Thread &t);

  private:
    static constexpr unsigned priority = idle_priority - 1;
    static constexpr size_t stack = 4096;

    static void work(void *self);

    CallQueue deferred_;
    Link ended_;
    WaitQueue out_of_work_;
    Thread thread_{"system", priority, work, this};
};

extern SystemThread system_thread;

} // namespace rtos
