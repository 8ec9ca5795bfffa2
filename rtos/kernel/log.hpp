// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <rtos/log.hpp>
#include <rtos/status.hpp>

namespace rtos {

// Start the thread that formats the records and writes them to port::console.
Status log_start();

} // namespace rtos
