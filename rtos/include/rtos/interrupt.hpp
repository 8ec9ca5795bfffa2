// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <rtos/status.hpp>
#include <stdint.h>

namespace rtos {

// An ISR: IRQs masked, on the interrupt stack, no blocking, no floating point.
using InterruptHandler = void (*)(void *argument);

// Serve an RT line of the board with handler and unmask it. Thread context.
// invalid: no such line, line already served, or not an RT line.
Status interrupt_attach(uint32_t line, InterruptHandler handler, void *argument);
// In an ISR, or a call from the executive on behalf of the guest.
bool in_interrupt();
// Interrupts of lines without a handler so far; each such line is masked when it comes.
uint32_t interrupts_unexpected();

} // namespace rtos
