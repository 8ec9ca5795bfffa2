// SPDX-License-Identifier: BSD-3-Clause
// Between the port's idle thread, which runs the guest, and what looks after the guest's life. The functions
// are weak references there: an image without them boots the guest again when it asks for that, and that is
// all.
#pragma once

#include <stdint.h>

extern "C" {
[[gnu::weak]] bool rtos_guest_ended();
[[gnu::weak]] void rtos_guest_changed(uint32_t state);
[[gnu::weak]] uint32_t rtos_guest_call(uint32_t number, uint32_t *r);
}

namespace rtos::port {

// The idle thread waits, and boots the guest when this is false again. Written with IRQs masked.
extern volatile bool guest_down;

} // namespace rtos::port
