// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "thread_control.hpp"

namespace rtos::posix {

// Give a thread its handle. False: PTHREAD_THREADS_MAX are there.
bool enter_table(ThreadControl &c);
// Its handle is nobody's from now on.
void leave_table(ThreadControl &c);

ThreadControl *adopt(Thread &t);

// newlib's _impure_ptr, which the scheduler switches: set it for the running thread.
void use_c_library(Thread &t);

// Time on the processor of threads that have ended.
extern int64_t ended_run_ticks;

} // namespace rtos::posix
