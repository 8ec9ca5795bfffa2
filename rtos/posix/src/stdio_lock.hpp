// SPDX-License-Identifier: BSD-3-Clause
#pragma once

struct _reent;

namespace rtos::posix {

// Give the streams that all threads share their locks. Before the first thread of the application.
void stdio_locks_begin();

// Write out what the running thread's own standard streams hold.
void flush_own_streams(_reent &r);
// Give back what newlib has allocated for a thread that has ended. (_reclaim_reent alone would close the
// descriptors of the standard streams, which are everybody's.)
void reclaim(_reent &r);

} // namespace rtos::posix
