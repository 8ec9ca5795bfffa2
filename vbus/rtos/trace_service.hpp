// SPDX-License-Identifier: BSD-3-Clause
// The executive's trace, as the rpmsg service "rtmux-trace" (rtmux/vbus_trace.h).
#pragma once

#include "rpmsg.hpp"

namespace vbus {

// Once; thread context. A request is served in the bus's thread: it is answered also without a trace, and
// then says so.
rtos::Status start_trace_service(rpmsg::Bus &bus);

} // namespace vbus
