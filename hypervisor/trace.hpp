// SPDX-License-Identifier: GPL-2.0-only
//
// The trace ring (RTMUX_TRACE, off by default: then none of this is there). An event costs the same whatever
// happens: a reading of the clock and five stores, in order; with the run-time switch off, a load and a
// branch.
#pragma once

#include "board.hpp"
#include "rtmux/abi/trace.h"

#include <cstdint>

namespace rtmux {

#ifdef RTMUX_TRACE
extern "C" rtmux_trace trace_ring;

// From anywhere: an interrupt may come between any two steps, and then its record has the next place. A
// thread that reads then knows this one by its number as not complete.
inline void trace(uint32_t event, uint32_t a = 0, uint32_t b = 0) {
    if (__atomic_load_n(&trace_ring.enabled, __ATOMIC_RELAXED) == 0)
        return;
    const uint32_t number = __atomic_fetch_add(&trace_ring.next, 1, __ATOMIC_RELAXED);
    rtmux_trace_record &record = trace_ring.record[number % RTMUX_TRACE_RECORDS];
    record.time = board::Counter::read();
    record.a = a;
    record.b = b;
    __atomic_signal_fence(__ATOMIC_RELEASE);
    __atomic_store_n(&record.event, event | number << 8, __ATOMIC_RELAXED);
}
void begin_trace();

// Which world has the processor: an event where that changes.
inline bool rt_runs = true;
inline void trace_world(bool rt) {
    if (rt == rt_runs)
        return;
    rt_runs = rt;
    trace(rt ? RTMUX_TRACE_TO_RT : RTMUX_TRACE_TO_GUEST);
}
constexpr rtmux_trace *trace_memory() {
    return &trace_ring;
}
#else
inline void trace_world(bool) {}
inline void trace(uint32_t, uint32_t = 0, uint32_t = 0) {}
inline void begin_trace() {}
constexpr rtmux_trace *trace_memory() {
    return nullptr;
}
#endif

} // namespace rtmux
