// SPDX-License-Identifier: GPL-2.0-only
#include "trace.hpp"

#ifdef RTMUX_TRACE
namespace rtmux {

rtmux_trace trace_ring; // its records are not part of the image: see begin_trace

void begin_trace() {
    trace_ring.magic = RTMUX_TRACE_MAGIC;
    trace_ring.version = RTMUX_TRACE_VERSION;
    trace_ring.clock_hz = BOARD_COUNTER_HZ;
    trace_ring.enabled = 1;
}

} // namespace rtmux
#endif
