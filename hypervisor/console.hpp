// SPDX-License-Identifier: GPL-2.0-only
//
// The console of executive and RTOS. Writing never waits: text goes in short
// records into a bounded queue with many producers (threads, ISRs, the
// executive, each able to interrupt the other), and from there to the UART, in
// the time of the guest. What does not fit is dropped and counted, or, of the
// RTOS's, refused. Of what is typed the RTOS is told at once: the UART's line is
// as urgent as its own. Two lines, so that a transmitter is no RT interrupt:
//
//     BOARD_UART_IRQ      characters came      ──►  rtos::console_rx(), once; read()
//                         the UART has room    ──►  BOARD_CONSOLE_IRQ
//     BOARD_CONSOLE_IRQ   held with the guest's lines; drain() when it comes
#pragma once

#include "rtmux/abi/rtos.h"

#include <cstddef>
#include <cstdint>

namespace rtmux::console {

void init();

// Appends text, in records of at most `record_text` bytes that may be
// interleaved with those of others; a line that fits one record stays whole.
// Callable from anywhere; constant time per record. rtmux_exec::log.
constexpr uint32_t record_text = RTMUX_CONSOLE_RECORD;
int write(const char *text, uint32_t length);

// What log() prints: a number or a text.
class Argument {
  public:
    Argument(unsigned long value) : number{static_cast<uint32_t>(value)} {}
    Argument(unsigned value) : number{value} {}
    Argument(int value) : number{static_cast<uint32_t>(value)} {}
    Argument(const char *value) : text{value} {}

    const char *text = nullptr; // nullptr: a number
    uint32_t number = 0;
};

// "[exec] " + the formatted text + newline, in one record (cut if too long).
// %u and %x with an optional width and leading 0, %s; each takes the next argument.
void log_arguments(const char *format, const Argument *arguments, uint32_t count);
inline void log(const char *text) {
    log_arguments(text, nullptr, 0);
}
template <class... Arguments> void log(const char *format, Arguments... arguments) {
    const Argument list[] = {Argument(arguments)...};
    log_arguments(format, list, sizeof...(arguments));
}

// Moves at most `budget` characters to the UART, until that is full or the
// queue is empty, and turns its interrupt on if there are more. One at a time:
// the guest's context while it runs, with IRQs open; else with IRQs masked.
void drain(uint32_t budget);
constexpr uint32_t fifo = 16;
constexpr uint32_t masked_budget = 2; // with IRQs masked
// The same, waiting for the UART, and whatever the state of the queue: only
// when nothing else is left to do.
void drain_all();

// The UART's interrupt, IRQs masked.
void interrupt();

// Takes up to `size` characters, and listens for more. From one context at a
// time. rtmux_exec::console_read.
uint32_t read(char *buffer, uint32_t size);

// The executive's records that were dropped, and characters received, since boot.
uint32_t dropped();
uint32_t received();

} // namespace rtmux::console
