// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <rtmux/abi/life.h>
#include <rtmux/abi/rtos.h>
#include <rtos/status.hpp>
#include <rtos/time.hpp>
#include <stddef.h>

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

// -- Its life. Any context but where said. rtguest.h is the same in C.

// What is done when it ends by one of the first RTMUX_POLICIES causes (RTMUX_CAUSE_*): RTMUX_AFTER_*. At first
// as the image says. invalid: no such cause or action.
Status guest_set_policy(uint32_t cause, uint32_t after);
uint32_t guest_policy(uint32_t cause);

// Boot it. invalid: it runs.
Status guest_start();
// Stop it, and let it be down; or boot it anew. What runs is stopped before this returns to it; while it boots, as
// soon as that is done. invalid: it does not run, nor boots.
Status guest_stop();
Status guest_restart();

// From its next start on it has to call within this time, and then within what it says itself. 0: it need not
// begin. invalid: more than an hour.
Status guest_set_watchdog(Duration first);

// How often it ended by a cause since the board's start, and how often it began to run.
uint32_t guest_ends(uint32_t cause);
uint32_t guest_lives();
// The cause of its last end; RTMUX_CAUSES: it has not ended yet.
uint32_t guest_last_cause();
// "panic" and so on; "?" if there is no such cause.
const char *guest_cause_name(uint32_t cause);

// A piece of the report of its last end, a text without final 0: copies up to size bytes from offset on, returns
// how many; 0: there are no more, or it is being made.
size_t guest_report(size_t offset, void *to, size_t size);

} // namespace rtos
