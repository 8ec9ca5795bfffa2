// SPDX-License-Identifier: GPL-2.0-only
#include "statistics.hpp"

#include "board.h"
#include "console.hpp"
#include "guest/vcpu.hpp"
#include "mmu/guest_shadow.hpp"

namespace rtmux {

Statistics statistics;

void log_statistics() {
    const Statistics &s = statistics;
    const mmu::ShadowStatistics &m = shadow.statistics();
    uint32_t hypercalls = s.bad_hypercalls;
    for (const uint32_t count : s.hypercalls)
        hypercalls += count;
    console::log("guest: system calls %u, hypercalls %u, emulated %u", vcpu.fast_svc, hypercalls, s.emulated);
    console::log("guest: exits svc %u und %u pabt %u dabt %u irq %u", s.exits[EXIT_SVC],
                 s.exits[EXIT_UNDEFINED], s.exits[EXIT_PREFETCH_ABORT], s.exits[EXIT_DATA_ABORT],
                 s.exits[EXIT_IRQ]);
    console::log(
        "shadow: fills %u faults %u switches %u flushes %u, evictions %u", m.fills, m.faults, m.switches,
        m.flushes_all + m.flushes_asid + m.flushes_page + m.flushes_user_range + m.flushes_kernel_range,
        m.space_evictions + m.table_evictions + m.slot_overflows);
    console::log("interrupts: RT %u, guest %u, delivered %u", s.rt_irqs, s.guest_irqs, s.injected_irqs);
    console::log("longest masked stretch %u ns; %u console records lost",
                 s.longest_masked * 1000 / (BOARD_COUNTER_HZ / 1'000'000), console::dropped());
}

} // namespace rtmux
