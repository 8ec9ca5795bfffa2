// SPDX-License-Identifier: GPL-2.0-only
#include "statistics.hpp"

#include "board.h"
#include "console.hpp"
#include "guest/vcpu.hpp"
#include "mmu/guest_shadow.hpp"

namespace rtmux {

Statistics statistics;

static constexpr Dispatch with_lines() {
    Dispatch d{};
    for (uint32_t line = 0; line < board::line_count; line++)
        d.line[line].owner = static_cast<uint32_t>(board::line_class(line));
    return d;
}
alignas(64) [[gnu::section(".data.hot")]] constinit Dispatch dispatch = with_lines();

static_assert(EXIT_SVC == RTMUX_EXIT_SVC && EXIT_UNDEFINED == RTMUX_EXIT_UNDEFINED &&
              EXIT_PREFETCH_ABORT == RTMUX_EXIT_PREFETCH_ABORT && EXIT_DATA_ABORT == RTMUX_EXIT_DATA_ABORT &&
              EXIT_IRQ == RTMUX_EXIT_IRQ && EXIT_BOOT == RTMUX_EXIT_BOOT &&
              EXIT_REASONS == RTMUX_EXIT_REASONS);

void copy_statistics(rtmux_statistics *copy) {
    const Statistics &s = statistics;
    const mmu::ShadowStatistics &m = shadow.statistics();
    uint32_t hypercalls = s.bad_hypercalls;
    for (const uint32_t count : s.hypercalls)
        hypercalls += count;
    uint32_t rt_irqs = 0;
    for (uint32_t line = 0; line < board::line_count; line++)
        if (board::line_class(line) == board::LineClass::rt)
            rt_irqs += dispatch.line[line].irqs;
    *copy = {
        .size = sizeof *copy,
        .boots = s.boots,
        .world_switches = s.world_switches,
        .system_calls = vcpu.fast_svc,
        .exits = {vcpu.exits[0], vcpu.exits[1], vcpu.exits[2], vcpu.exits[3], vcpu.exits[4]},
        .hypercalls = hypercalls,
        .bad_hypercalls = s.bad_hypercalls,
        .emulated = s.emulated,
        .reflected_data = s.reflected_data,
        .reflected_prefetch = s.reflected_prefetch,
        .reflected_undefined = s.reflected_undefined,
        .device_writes = s.mediated_writes,
        .device_writes_refused = s.refused_writes,
        .fp_switches = s.fp_switches,
        .rt_irqs = rt_irqs,
        .guest_irqs = s.guest_irqs,
        .spurious_irqs = s.spurious_irqs,
        .delivered_irqs = s.injected_irqs,
        .imprecise_aborts = s.imprecise_aborts,
        .longest_masked = s.longest_masked,
        .shadow_fills = m.fills,
        .shadow_faults = m.faults,
        .shadow_tables = m.tables,
        .shadow_evictions = m.space_evictions + m.table_evictions + m.slot_overflows,
        .space_switches = m.switches,
        .cold_space_switches = m.cold_switches,
        .shadow_flushes =
            m.flushes_all + m.flushes_asid + m.flushes_page + m.flushes_user_range + m.flushes_kernel_range,
        .console_dropped = console::dropped(),
        .console_received = console::received(),
    };
}

void log_statistics() {
    rtmux_statistics s;
    copy_statistics(&s);
    console::log("guest: system calls %u, hypercalls %u, emulated %u", s.system_calls, s.hypercalls,
                 s.emulated);
    console::log("guest: exits svc %u und %u pabt %u dabt %u irq %u", vcpu.exits[EXIT_SVC],
                 vcpu.exits[EXIT_UNDEFINED], vcpu.exits[EXIT_PREFETCH_ABORT], vcpu.exits[EXIT_DATA_ABORT],
                 vcpu.exits[EXIT_IRQ]);
    console::log("shadow: fills %u faults %u switches %u flushes %u, evictions %u", s.shadow_fills,
                 s.shadow_faults, s.space_switches, s.shadow_flushes, s.shadow_evictions);
    console::log("interrupts: RT %u, guest %u, delivered %u", s.rt_irqs, s.guest_irqs, s.delivered_irqs);
    console::log("longest masked stretch %u ns; %u console records lost",
                 s.longest_masked * 1000 / (BOARD_COUNTER_HZ / 1'000'000), s.console_dropped);
}

} // namespace rtmux
