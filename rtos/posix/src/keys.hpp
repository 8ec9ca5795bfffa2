// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace rtos::posix {

struct ThreadControl;

// Call the destructors of the values that an ending thread leaves.
void destroy_specific(ThreadControl &c);

} // namespace rtos::posix
