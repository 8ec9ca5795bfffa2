// SPDX-License-Identifier: GPL-2.0-only
//
// What happened since boot. Plain counters that wrap; written from the guest's
// context (irqs: from interrupts), read by anybody.
#pragma once

#include "guest/vcpu_offsets.h"
#include "rtmux/abi/guest.h"

#include <cstdint>

namespace rtmux {

struct Statistics {
    uint32_t exits[EXIT_REASONS]; // by reason, without those the fast paths took
    uint32_t fast_svc; // system calls that took the fast path
    uint32_t hypercalls[RTMUX_NR_CALLS];
    uint32_t bad_hypercalls;
    uint32_t reflected_data, reflected_prefetch, reflected_undefined;
    uint32_t emulated;
    uint32_t mediated_writes, refused_writes; // of device registers that the guest only reads
    uint32_t injected_irqs;
    uint32_t fp_switches; // to the guest
    uint32_t rt_irqs, guest_irqs, spurious_irqs;
    uint32_t boots; // of the guest
    uint32_t console_dropped; // records that the console had no room for
    // The longest stretch with IRQs masked that the executive saw of itself, in
    // ticks of the RT clock: deliveries of virtual interrupts, and interrupts up to
    // their end. What is not timed is entry and exit, a constant (docs/latency.md).
    uint32_t longest_masked;

    void note_masked(uint32_t ticks) {
        if (ticks > longest_masked)
            longest_masked = ticks;
    }
};

extern Statistics statistics;

// Three lines on the console: when the guest is stopped.
void log_statistics();

} // namespace rtmux
