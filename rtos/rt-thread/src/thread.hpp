// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "kernel_object.hpp"

namespace rt {

// RT-Thread's object of a thread. One that another interface made gets one the first time somebody asks,
// until it ends; null: no memory for that.
rt_thread_t adopt(rtos::Thread &t);
inline rt_thread_t thread_of(rtos::Thread &t) {
    return t.rt_thread ? static_cast<rt_thread_t>(t.rt_thread) : adopt(t);
}

// Its signals end with the thread.
void free_signals(rt_thread &t);

} // namespace rt
