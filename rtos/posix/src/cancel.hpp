// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace rtos::posix {

// AsyncCall of a cancellation request, in the thread's own context.
void cancel_in_thread(void *control);
// Timer::Handler: end the wait of a thread that was at a cancellation point but did not wait yet when the
// request came.
void cancel_wait(void *control);

} // namespace rtos::posix
