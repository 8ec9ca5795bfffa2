// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "rpmsg.hpp"

namespace vbus {

// Offer the RTOS's log to the guest, as rtmux/vbus_log.h says. What nobody reads is kept in 8 KiB, the
// oldest lines are dropped for new ones. Once. Lines take their way in the log's own thread, so whoever logs,
// and the RT side as a whole, is not slowed by a reader or by its absence.
rtos::Status start_log_service(rpmsg::Bus &bus);

} // namespace vbus
