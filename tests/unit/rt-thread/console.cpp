// SPDX-License-Identifier: GPL-2.0-only
// The console of rtos/port, into the machine's record.
#include "machine.hpp"

#include <rtos/console.hpp>

void rtos::console_write(const char *text, size_t length) {
    machine::record().console.append(text, length);
}
