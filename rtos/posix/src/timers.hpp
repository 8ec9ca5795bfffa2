// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace rtos::posix {

// Delete all of them: the process ends.
void remove_timers();

} // namespace rtos::posix
