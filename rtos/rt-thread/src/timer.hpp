// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "check.hpp"
#include "kernel_object.hpp"
#include "tick.hpp"

#include <rtos/soft_timer.hpp>

namespace rt::timer {

inline bool usable(const rt_timer_t timer) {
    return is_object(object_of(timer), RT_Object_Class_Timer);
}
inline bool is_soft(const rt_timer &t) {
    return t.parent.flag & RT_TIMER_FLAG_SOFT_TIMER;
}
inline bool is_periodic(const rt_timer &t) {
    return t.parent.flag & RT_TIMER_FLAG_PERIODIC;
}
inline bool is_active(const rt_timer &t) {
    return t.parent.flag & RT_TIMER_FLAG_ACTIVATED;
}
inline rtos::Timer &hard(rt_timer &t) {
    return kernel_object<rtos::Timer>(t.kernel);
}
inline rtos::SoftTimer &soft(rt_timer &t) {
    return kernel_object<rtos::SoftTimer>(t.kernel);
}

// The timers whose functions run right now, in the interrupt and in the timer thread: once called they may be
// deleted by their own functions. hooked: there is a hook for expiries.
struct Running {
    const rt_timer *in_interrupt;
    const rt_timer *in_thread;
    bool hooked;
};
extern Running running;
void expire_hard(void *timer);
void call_hooked(rt_timer &t);

// IRQs masked.
void start_at(rt_timer &t, rtos::Time deadline);

// All that rt_timer_start and _stop do.
rt_err_t start(rt_timer_t timer);
rt_err_t stop(rt_timer_t timer);

} // namespace rt::timer
