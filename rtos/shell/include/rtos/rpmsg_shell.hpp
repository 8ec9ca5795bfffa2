// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <rpmsg.hpp>
#include <rtos/status.hpp>

namespace rtos::shell {

// A shell for Linux, on the rpmsg service "rpmsg-tty": its terminal there is /dev/ttyRPMSG0. Once; thread
// context.
Status start(vbus::rpmsg::Bus &bus);

} // namespace rtos::shell
