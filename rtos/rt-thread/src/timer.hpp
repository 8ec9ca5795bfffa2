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

// IRQs masked in the rest.
inline void start_at(rt_timer &t, rtos::Time deadline) {
    // A period of 0 would be an interrupt that never ends.
    const rtos::Duration period = is_periodic(t) ? ticks(t.init_tick ? t.init_tick : 1) : rtos::Duration{};
    if (is_soft(t))
        soft(t).start(deadline, period);
    else if (is_periodic(t))
        hard(t).start(deadline, period);
    else
        hard(t).start(deadline);
}

inline void stop(rt_timer &t) {
    if (is_soft(t))
        (void)soft(t).stop();
    else
        (void)hard(t).stop();
    t.parent.flag &= ~RT_TIMER_FLAG_ACTIVATED;
}

} // namespace rt::timer
