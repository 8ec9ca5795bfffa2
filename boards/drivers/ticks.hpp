// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstdint>

namespace drivers {

// Ticks of the RT counter as ticks of a timer that is an exact fraction of it:
// rounded up, because a timer must not expire early; at least 1, because 0
// means "never" or "at once" to hardware. Cannot overflow. The divisor is a
// constant, so this is a multiplication and a shift.
template <uint32_t counter_hz, uint32_t timer_hz> constexpr uint32_t to_timer_ticks(uint32_t counter_ticks) {
    static_assert(timer_hz != 0 && counter_hz % timer_hz == 0);
    const uint32_t one_less = counter_ticks == 0 ? 0 : counter_ticks - 1;
    return one_less / (counter_hz / timer_hz) + 1;
}

} // namespace drivers
