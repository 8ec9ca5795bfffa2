// SPDX-License-Identifier: BSD-3-Clause
// free, irq, stat, trace: what kernel and executive know of themselves.
#include <rtmux/abi/trace.h>
#include <rtos/guest.hpp>
#include <rtos/heap.hpp>
#include <rtos/interrupt.hpp>
#include <rtos/log.hpp>

#include "shell.hpp"

namespace rtos::shell {

namespace {

uint32_t nanoseconds(uint32_t ticks) {
    return static_cast<uint32_t>(Duration{ticks}.nanoseconds());
}

} // namespace

int free_memory(Shell &shell, int, char **) {
    const Heap::Statistics s = system_heap().statistics();
    shell.print("             total       used    maximum  bytes\n");
    shell.print("heap    %10u %10u %10u\n", s.total, s.used, s.maximum);
    shell.print("behind the image, for heap and stacks: %u bytes\n", executive().heap_size);
    return 0;
}

int irq(Shell &shell, int, char **) {
    static constexpr const char *owners[] = {"nobody", "RT", "guest", "executive"};
    shell.print("line  owner           count\n");
    rtmux_irq i;
    for (uint32_t line = 0; executive().irq_line(line, &i) == 0; ++line)
        if (i.count != 0)
            shell.print("%4u  %-9s  %10u\n", line, owners[i.owner], i.count);
    shell.print("RT without a handler: %u\n", interrupts_unexpected());
    return 0;
}

int stat(Shell &shell, int, char **) {
    rtmux_statistics s;
    executive().statistics(&s);
    shell.print("world switches %u, guest boots %u\n", s.world_switches, s.boots);
    shell.print("interrupts: RT %u, guest %u, delivered to it %u, spurious %u\n", s.rt_irqs, s.guest_irqs,
                s.delivered_irqs, s.spurious_irqs);
    shell.print("longest masked stretch of the executive: %u ns\n", nanoseconds(s.longest_masked));
    shell.print("guest: system calls %u, hypercalls %u, emulated instructions %u, unknown hypercalls %u\n",
                s.system_calls, s.hypercalls, s.emulated, s.bad_hypercalls);
    shell.print("guest exits: svc %u, undefined %u, prefetch abort %u, data abort %u, irq %u\n",
                s.exits[RTMUX_EXIT_SVC], s.exits[RTMUX_EXIT_UNDEFINED], s.exits[RTMUX_EXIT_PREFETCH_ABORT],
                s.exits[RTMUX_EXIT_DATA_ABORT], s.exits[RTMUX_EXIT_IRQ]);
    shell.print("reflected: data abort %u, prefetch abort %u, undefined %u; FP switches %u\n",
                s.reflected_data, s.reflected_prefetch, s.reflected_undefined, s.fp_switches);
    shell.print("shadow: fills %u, faults %u, tables %u, evictions %u, flushes %u\n", s.shadow_fills,
                s.shadow_faults, s.shadow_tables, s.shadow_evictions, s.shadow_flushes);
    shell.print("address spaces: switches %u, of those cold %u\n", s.space_switches, s.cold_space_switches);
    shell.print("device registers: guest writes %u, refused %u; imprecise aborts %u\n", s.device_writes,
                s.device_writes_refused, s.imprecise_aborts);
    shell.print("console: received %u, lost records %u; log lines lost %u\n", s.console_received,
                s.console_dropped, log_dropped());
    return 0;
}

int trace(Shell &shell, int count, char **words) {
    rtmux_trace *const ring = executive().trace;
    const bool on = count == 2 && __builtin_strcmp(words[1], "on") == 0;
    if (count > 2 || (count == 2 && !on && __builtin_strcmp(words[1], "off") != 0)) {
        shell.print("trace [on | off]\n");
        return 1;
    }
    if (!ring) {
        shell.print("this executive was built without a trace: RTMUX_TRACE\n");
        return 1;
    }
    if (count == 2)
        ring->enabled = on;
    shell.print("trace %s, %u events so far, of which it keeps %u\n", ring->enabled ? "on" : "off",
                ring->next, RTMUX_TRACE_RECORDS);
    return 0;
}

} // namespace rtos::shell
