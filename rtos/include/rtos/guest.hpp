// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <rtmux/abi/rtos.h>
#include <rtos/time.hpp>

namespace rtos {

// The executive's call table; who may call what when, see rtmux/abi/rtos.h.
const rtmux_exec &executive();

// State of the guest, RTMUX_GUEST_*. Any context.
uint32_t guest_state();
// When that last changed; the start of the RTOS if it never did.
Time guest_since();

// What to call when the guest rings the V-Bus doorbell (for which channel, as it says), and when its state
// changes: as in an ISR, with IRQs masked. One set, attached once.
struct GuestHandlers {
    void (*doorbell)(uint32_t channel);
    void (*state)(uint32_t state);
};
void guest_attach(const GuestHandlers &handlers);

} // namespace rtos
