// SPDX-License-Identifier: GPL-2.0-only
#include <rtos/thread.hpp>

extern "C" {
#include "suite.h"

int suite_priority_of(rt_thread_t thread) {
    return thread ? static_cast<int>(static_cast<rtos::Thread *>(thread->thread)->priority()) : -1;
}
}
