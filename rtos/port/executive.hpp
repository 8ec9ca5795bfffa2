// SPDX-License-Identifier: BSD-3-Clause
// The running port's own state, shared by its files.
#pragma once

#include <rtmux/abi/rtos.h>
#include <rtos/thread.hpp>

namespace rtos::port {

extern const rtmux_exec *exec;
extern Thread idle_thread;
extern volatile uint32_t guest_state;

// The end of the interrupt stack, and a test whether an address is in it.
bool begin_isr_stack();
bool in_isr_stack(uint32_t address);

// rtmux_rtos_ops::fault.
int fault(rtmux_fault *f);

} // namespace rtos::port
