// SPDX-License-Identifier: BSD-3-Clause
// rtlat: how late an RT interrupt and its thread are, measured and streamed to Linux (rtmux/rtlat.h).
#pragma once

#include <rtmux/rtlat.h>
#include <rtos/latency_meter.hpp>

namespace rtlat {

extern rtos::LatencyMeter meter;

// stream.cpp: the channel, and a thread on it below all measured ones, which answers Linux and sends samples.
// Thread context, after vbus::start.
rtos::Status start_stream();
// Begin a run from whichever side; RTLAT_*. Thread context.
rtlat_result start_run(const rtlat_run &run);

} // namespace rtlat
