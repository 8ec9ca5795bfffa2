// SPDX-License-Identifier: GPL-2.0-only
//
// The trace ring (RTMUX_TRACE, off by default: then none of this is there). An event costs the same whatever
// happens: a reading of the clock and five stores; with the run-time switch off, a load and a branch.
#pragma once

#include "board.hpp"
#include "rtmux/abi/trace.h"

#include <cstdint>

namespace rtmux {

#ifdef RTMUX_TRACE
extern "C" rtmux_trace trace_ring;

// From anywhere: an interrupt may come between any two steps, and then its record has the next place.
inline void trace(uint32_t event, uint32_t a = 0, uint32_t b = 0) {
    if (trace_ring.enabled == 0)
        return;
    const uint32_t place = __atomic_fetch_add(&trace_ring.next, 1, __ATOMIC_RELAXED) % RTMUX_TRACE_RECORDS;
    trace_ring.record[place] = {board::Counter::read(), event, a, b};
}
void begin_trace();
#else
inline void trace(uint32_t, uint32_t = 0, uint32_t = 0) {}
inline void begin_trace() {}
#endif

} // namespace rtmux
