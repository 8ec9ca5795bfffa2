// SPDX-License-Identifier: BSD-3-Clause
#include <rtos/assert.hpp>

#include "scheduler.hpp"

#include <rtos/interrupt.hpp>
#include <rtos/log.hpp>

namespace rtos {

void assertion_failed(const char *condition, const char *function, const char *file, int line) {
    static constexpr char text[] = "thread %s: assertion %s failed in %s, %s:%d";
    if (Thread::may_block()) // its name need not live on
        log_now(text, Thread::current().name(), condition, function, file, line);
    else
        log(text, in_interrupt() ? "(interrupt)" : Thread::current().name(), condition, function, file, line);
    port::log_backtrace();
}

} // namespace rtos
