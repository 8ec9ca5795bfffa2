// SPDX-License-Identifier: BSD-3-Clause
// Ticks are computed from the RT clock: there is no tick interrupt.
#include "tick.hpp"

#include <rtos/irq_lock.hpp>

namespace rt {

// Some tick's begin and number, moved on now and then so that the division below is one of 32 bits.
struct Reference {
    rtos::Time begin;
    rt_tick_t tick;
};
static constinit Reference reference = {{0}, 0};

rt_tick_t tick_at(rtos::Time time) {
    const rtos::IrqMask masked;
    const uint64_t since = static_cast<uint64_t>((time - reference.begin).ticks);
    if (since <= UINT32_MAX)
        return reference.tick + static_cast<uint32_t>(since) / tick_length;
    const bool before = static_cast<int64_t>(since) < 0;
    const auto distance = static_cast<rt_tick_t>((before ? 0 - since : since) / tick_length);
    return before ? reference.tick - distance : reference.tick + distance;
}

rtos::Time begin_of(rt_tick_t tick) {
    const rt_tick_t now = rt_tick_get();
    const rtos::IrqMask masked;
    // Half of all ticks are in the past.
    const int32_t ahead = static_cast<int32_t>(tick - now);
    const uint32_t to_now = now - reference.tick;
    return reference.begin + ticks(to_now) + rtos::Duration{int64_t{ahead} * tick_length};
}

} // namespace rt

extern "C" {

rt_tick_t rt_tick_get(void) {
    const rtos::IrqMask masked;
    const rtos::Time now = rtos::now();
    const rt_tick_t tick = rt::tick_at(now);
    if (static_cast<uint64_t>((now - rt::reference.begin).ticks) > UINT32_MAX / 2) {
        rt::reference.begin = rt::reference.begin + rt::ticks(tick - rt::reference.tick);
        rt::reference.tick = tick;
    }
    return tick;
}

void rt_tick_set(rt_tick_t tick) {
    const rt_tick_t now = rt_tick_get();
    const rtos::IrqMask masked;
    rt::reference.tick += tick - now;
}

rt_tick_t rt_tick_from_millisecond(rt_int32_t ms) {
    if (ms < 0)
        return static_cast<rt_tick_t>(RT_WAITING_FOREVER);
    if constexpr (RT_TICK_PER_SECOND == 1000)
        return static_cast<rt_tick_t>(ms);
    return static_cast<rt_tick_t>((static_cast<uint64_t>(ms) * RT_TICK_PER_SECOND + 999) / 1000);
}

rt_tick_t rt_tick_get_millisecond(void) {
    return rt_tick_get() * (1000 / RT_TICK_PER_SECOND);
}
}
