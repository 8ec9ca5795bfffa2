// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <rpmsg.hpp>
#include <rtos/shell.hpp>
#include <rtos/status.hpp>

namespace rtos::shell {

// A shell for Linux, on the rpmsg service "rpmsg-tty": its terminal there is /dev/ttyRPMSG0. Once; thread
// context. With Access::all whoever has Linux has RT: a command may run above all RT threads (latency -p 0),
// or do whatever the application exports. Only for a Linux that is trusted with that.
Status start(vbus::rpmsg::Bus &bus, Access access = Access::observe);

} // namespace rtos::shell
