// SPDX-License-Identifier: BSD-3-Clause
// The running port's own state, shared by its files.
#pragma once

#include <rtmux/abi/rtos.h>
#include <rtos/thread.hpp>

namespace rtos::port {

extern const rtmux_exec *exec;
extern Thread idle_thread;
extern volatile uint32_t guest_state;

// Before any allocation.
void begin_memory();
// False: no memory for the interrupt stack.
bool begin_isr_stack();
// Whether an address is in the interrupt stack, or in the guard page below it.
bool in_isr_stack(uint32_t address);

// Of rtmux_rtos_ops.
int fault(rtmux_fault *f);
uint32_t guest_call(uint32_t number, uint32_t *r);
void guest_doorbell(uint32_t channel);
void guest_changed(uint32_t state);
void console_received();

} // namespace rtos::port
