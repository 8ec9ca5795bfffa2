// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <rtos/soft_timer.hpp>
#include <rtos/wait_queue.hpp>

namespace rtos {

struct TimerThread {
    Link expired; // timers that its handlers are to be called for
    WaitQueue waits;
};

extern TimerThread timer_thread;

} // namespace rtos
