// SPDX-License-Identifier: BSD-3-Clause
// msh, the shell: docs/rtos.md. Commands of an application: MSH_CMD_EXPORT of finsh.h.
#pragma once

#include <rtos/status.hpp>

namespace rtos::shell {

// What a shell lets whoever is at its terminal do. observe: look at threads, objects, memory, counters and
// the guest, nothing more. all: the commands that do something too, latency and those of the application.
enum class Access { observe, all };

// Start the shell on the RT console; it waits silently for the first key. Thread context.
// invalid: started before; no_memory.
Status start();

} // namespace rtos::shell
