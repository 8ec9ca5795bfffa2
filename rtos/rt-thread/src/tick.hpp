// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <rtos/time.hpp>
#include <rtthread.h>

namespace rt {

// Counter ticks of an RT-Thread tick.
inline constexpr uint32_t tick_length = rtos::port::counter_hz / RT_TICK_PER_SECOND;
static_assert(tick_length * RT_TICK_PER_SECOND == rtos::port::counter_hz);

constexpr rtos::Duration ticks(rt_tick_t n) {
    return {static_cast<int64_t>(uint64_t{n} * tick_length)};
}

inline rtos::Time deadline_in(rt_tick_t n) {
    return rtos::now() + ticks(n);
}
// Of a call with a timeout: 0 does not wait, a negative one waits for ever.
inline rtos::Time deadline_of(rt_int32_t timeout) {
    if (timeout == 0)
        return rtos::Time::past();
    return timeout < 0 ? rtos::Time::never() : deadline_in(static_cast<rt_tick_t>(timeout));
}

// When rt_tick_get() begins to return tick, the next time it does.
rtos::Time begin_of(rt_tick_t tick);
// What rt_tick_get() returns at that time.
rt_tick_t tick_at(rtos::Time time);

} // namespace rt
