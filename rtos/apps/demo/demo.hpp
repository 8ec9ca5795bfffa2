// SPDX-License-Identifier: BSD-3-Clause
// The demo: a control loop on a hardware timer, a filter that uses floating point, and a
// service that answers Linux over V-Bus.
#pragma once

#include <rtmux/measurement.h>
#include <rtos/status.hpp>

namespace demo {

// control.cpp: a thread of priority 0, released every 500 us.
rtos::Status start_control();
// A consistent copy of what it measured since the start; of 4 KiB, so not on a small stack.
void measurement(rtmux_measurement &copy);

// filter.cpp: a thread of low priority that computes with VFP and NEON.
rtos::Status start_filter();
struct FilterResult {
    uint32_t rounds;   // complete so far
    uint32_t checksum; // of a round's output; every round's is the same
    uint32_t mismatches;
};
FilterResult filter_result();

// vbus_service.cpp: answers the records of channel "demo".
rtos::Status start_vbus_service();

} // namespace demo
