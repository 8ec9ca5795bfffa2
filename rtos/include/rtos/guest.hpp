// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdint.h>

namespace rtos {

// State of the guest, RTMUX_GUEST_* of rtmux/abi/rtos.h. Any context.
uint32_t guest_state();

// Called when the guest rings the V-Bus doorbell, from now on: as an ISR, IRQs masked.
void guest_doorbell_attach(void (*handler)(void *argument), void *argument);
// Raise the guest's V-Bus line. Any context.
void guest_notify();

struct SharedMemory {
    uint8_t *base;
    uint32_t size;
};
// The V-Bus memory, shared with the guest.
SharedMemory guest_shared_memory();

} // namespace rtos
