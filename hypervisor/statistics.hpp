// SPDX-License-Identifier: GPL-2.0-only
//
// What happened since boot. Plain counters that wrap; written from the guest's
// context (irqs: from interrupts), read by anybody.
#pragma once

#include "arm/cpu.hpp"
#include "board.hpp"
#include "guest/vcpu_offsets.h"
#include "rtmux/abi/guest.h"
#include "rtmux/abi/rtos.h"

#include <cstdint>

namespace rtmux {

struct Statistics {
    uint32_t hypercalls[RTMUX_NR_CALLS];
    uint64_t recent_calls; // a byte each, the newest the lowest
    uint32_t bad_hypercalls;
    uint32_t reflected_data, reflected_prefetch, reflected_undefined;
    uint32_t emulated;
    uint32_t mediated_writes, refused_writes; // of device registers that the guest only reads
    uint32_t injected_irqs;
    uint32_t fp_switches; // to the guest
    uint32_t guest_irqs, spurious_irqs;
    uint32_t imprecise_aborts; // that arrived in privileged code
    uint32_t boots;            // of the guest
    uint32_t world_switches;   // counted when the guest's context comes back
    // The longest stretch with IRQs masked that the executive saw of itself, in
    // ticks of the RT clock: interrupts up to their end, deliveries of virtual ones,
    // calls of the RTOS, and FP registers given to the guest. What is not timed is entry and exit, a constant
    // (docs/latency.md).
    uint32_t longest_masked;

    void note_masked(uint32_t ticks) {
        if (ticks > longest_masked)
            longest_masked = ticks;
    }
};

extern Statistics statistics;

// What each interrupt needs: the RTOS's functions, and of each line whose it is and how often it came (RT's
// and the executive's). Together, so that they are few lines of the cache.
struct Dispatch {
    struct Line {
        uint32_t irqs;
        uint32_t owner; // board::LineClass
    };
    Line line[board::line_count];
    rtmux_rtos_ops rtos; // filled by the RTOS before it opens IRQs
};
extern Dispatch dispatch;

// IRQs masked for a scope, or until end(), and timed.
class MaskedStretch {
  public:
    MaskedStretch() : saved{cpu::irq_save()}, since{board::Counter::read()} {}
    ~MaskedStretch() {
        end();
        cpu::irq_restore(saved);
    }
    // The time counts up to here: what follows may be another thread's.
    void end() {
        if (running)
            statistics.note_masked(board::Counter::read() - since);
        running = false;
    }
    MaskedStretch(const MaskedStretch &) = delete;
    MaskedStretch &operator=(const MaskedStretch &) = delete;

  private:
    uint32_t saved, since;
    bool running = true;
};

// rtmux_exec::statistics.
void copy_statistics(rtmux_statistics *copy);

// A few lines on the console: when the guest is stopped.
void log_statistics();

} // namespace rtmux
