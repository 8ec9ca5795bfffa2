// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <time.h>

#include "time_convert.hpp"

namespace rtos::posix {

int64_t monotonic_ns();
int64_t realtime_ns();
// What CLOCK_REALTIME is ahead of CLOCK_MONOTONIC.
int64_t realtime_offset_ns();

// The deadline of an absolute time on CLOCK_REALTIME or CLOCK_MONOTONIC, as the clocks stand now.
Time deadline_of(clockid_t clock, const timespec &t);

// CLOCK_REALTIME has been set: absolute timers on it move.
void realtime_was_set();
// clock_nanosleep's waiters on CLOCK_REALTIME, to compute their deadlines again.
void wake_realtime_sleepers();

} // namespace rtos::posix
