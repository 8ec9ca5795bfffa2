// SPDX-License-Identifier: BSD-3-Clause
// The console that the executive shares with the RTOS: a terminal of its own, not Linux's. The log writes
// to it, the shell talks over it.
#pragma once

#include <stddef.h>

#include <rtos/time.hpp>

namespace rtos {

// Append text without waiting. Returns how many of its bytes were taken, from its start. Any context.
size_t console_try_write(const char *text, size_t length);
// Append all of it, waiting for room: a slow terminal delays the caller and nobody else. Where nothing may
// block, what does not fit is lost. Any context.
void console_write(const char *text, size_t length);

// Read what was typed: at least one character, or none at the deadline. What nobody reads waits in the UART:
// its interrupts cost threads above the reader no more than one. Thread context, one thread at a time.
size_t console_read(char *buffer, size_t size, Time deadline = Time::never());
// How many characters wait to be read, as far as they have been taken from the UART. Any context.
size_t console_available();
// Call this when characters have come, and not again before they are read: as in an ISR, with IRQs masked.
// (RT-Thread: rx_indicate.)
void console_on_input(void (*handler)(void *argument), void *argument);

// A person is at the terminal: lines of the log make room for themselves from now on.
void console_in_use();
// While set, a line of the log is followed by a typed ^R (readline: redraw-current-line).
void console_editing(bool on);

} // namespace rtos
