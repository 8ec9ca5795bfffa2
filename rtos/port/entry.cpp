// SPDX-License-Identifier: BSD-3-Clause
// From the executive's call to the first thread, and the calls back from the executive.
#include "executive.hpp"
#include "kernel/log.hpp"
#include "kernel/scheduler.hpp"
#include "kernel/system_thread.hpp"
#include "kernel/timer_queue.hpp"

#include <rtos/interrupt.hpp>

int main();
// INIT_*_EXPORT of RT-Thread, if its layer is in the image.
extern "C" [[gnu::weak]] void rtos_before_main();

namespace rtos {
// If somebody uses soft timers.
[[gnu::weak]] Status soft_timers_start();
} // namespace rtos

namespace rtos::port {

constinit const rtmux_exec *exec;
constinit void (*hold_guest_irqs)(int hold);

// The executive has its own stack for the guest.
static constexpr size_t idle_stack = 4096;
static constexpr size_t main_stack = 8192;
static constexpr unsigned main_priority = priorities / 2;

alignas(64) [[gnu::section(".data.hot")]] constinit Thread idle_thread{"idle", idle_priority, idle_entry};
static void run_main(void *) {
    if (rtos_before_main)
        rtos_before_main();
    main();
}
static constinit Thread main_thread{"main", main_priority, run_main};

bool line_enable(uint32_t line) {
    return exec->irq_enable(line) == 0;
}
void line_disable(uint32_t line) {
    exec->irq_disable(line);
}

template <size_t size> static void refuse(const char (&why)[size]) {
    (void)exec->log(why, size - 1);
}

extern "C" {
uint32_t rtos_isr(uint32_t line);

using Constructor = void (*)();
extern const Constructor __init_array_start[];
extern const Constructor __init_array_end[];
}

static void fill(rtmux_rtos_ops &ops) {
    ops.isr = rtos_isr;
    ops.need_resched = &scheduler.need_resched();
    ops.preempt = Scheduler::preempt;
    ops.doorbell = guest_doorbell;
    ops.fp_guest = [] { fp_take(Scheduler::context_of(idle_thread)); };
    ops.fault = fault;
    ops.guest_call = guest_call;
    ops.guest_state = guest_changed;
    ops.console_rx = console_received;
    ops.version = RTMUX_RTOS_ABI_VERSION;
}

// Returns only when the RTOS cannot start, with the reason logged.
extern "C" void rtos_entry(const rtmux_exec *executive) {
    // Of a table with another version not even log's place is known.
    if (executive->version != RTMUX_RTOS_ABI_VERSION || executive->size < sizeof(rtmux_exec))
        return;
    exec = executive;
    begin_memory();
    hold_guest_irqs = exec->hold_guest_irqs;
    for (const Constructor *c = __init_array_start; c != __init_array_end; ++c)
        (*c)();
    board::RtTimer::init();
    timer_queue.begin();
    if (!begin_isr_stack() || idle_thread.start(idle_stack) != Status::ok ||
        main_thread.start(main_stack) != Status::ok || log_start() != Status::ok ||
        system_thread.start() != Status::ok || (soft_timers_start && soft_timers_start() != Status::ok))
        return refuse("[rt] no memory for the first threads\n");
    fp_begin(Scheduler::context_of(idle_thread));
    if (interrupt_attach(BOARD_RT_TIMER_IRQ, TimerQueue::interrupt, &timer_queue) != Status::ok)
        return refuse("[rt] the executive refuses the timer's line\n");
    fill(*exec->ops);
    scheduler.begin(idle_thread);
}

} // namespace rtos::port
