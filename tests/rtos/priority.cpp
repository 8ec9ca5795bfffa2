// SPDX-License-Identifier: GPL-2.0-only
#include <rtos/thread.hpp>

extern "C" {
#include "suite.h"

int suite_priority_of(rt_thread_t thread) {
    return static_cast<int>(reinterpret_cast<rtos::Thread *>(thread->kernel)->priority());
}
}
