// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace rtos::posix {

// Give the streams that all threads share their locks. Before the first thread of the application.
void stdio_locks_begin();

} // namespace rtos::posix
