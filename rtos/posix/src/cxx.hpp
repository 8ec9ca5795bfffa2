// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace rtos::posix {

struct ThreadControl;

// Of an ending thread: run the destructors of its thread_local objects.
void destroy_thread_locals(ThreadControl &c);

} // namespace rtos::posix
