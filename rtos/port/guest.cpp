// SPDX-License-Identifier: BSD-3-Clause
// The guest as the RTOS sees it: the work of its idle thread, and two calls from it.
#include <rtos/guest.hpp>
#include <rtos/irq_lock.hpp>
#include <rtos/log.hpp>

#include "executive.hpp"

namespace rtos {

static constinit Time since{};
static constinit GuestHandlers handlers = {[](uint32_t) {}, [](uint32_t) {}};

const rtmux_exec &executive() {
    return *port::exec;
}

uint32_t guest_state() {
    return port::guest_state;
}

Time guest_since() {
    const IrqMask masked;
    return since;
}

void guest_attach(const GuestHandlers &attached) {
    const IrqLock lock;
    handlers = attached;
}

} // namespace rtos

namespace rtos::port {

constinit volatile uint32_t guest_state = RTMUX_GUEST_STOPPED;

static const char *state_name(uint32_t state) {
    switch (state) {
    case RTMUX_GUEST_STOPPED:
        return "stopped";
    case RTMUX_GUEST_RUNNING:
        return "running";
    case RTMUX_GUEST_FAILED:
        return "failed";
    case RTMUX_GUEST_OFF:
        return "powered off";
    default:
        return "in an unknown state";
    }
}

// Wait until guest_state changes. Masked between test and WFI, which wakes on a masked interrupt
// all the same, so a change that an interrupt brings is not slept through (Arm ARM B1.8.14).
static void wait_for_change(uint32_t seen) {
    for (;;) {
        irq_save();
        if (guest_state != seen)
            break;
        asm volatile("dsb\n\twfi" ::: "memory");
        masked_begin(); // asleep, it delays nobody
        irq_enable();
        asm volatile("isb" ::: "memory"); // the interrupt is taken here
    }
    irq_enable();
}

void idle_entry(void *) {
    for (;;) {
        exec->run_guest();
        const uint32_t seen = guest_state;
        log("guest %s", state_name(seen));
        wait_for_change(seen);
    }
}

void guest_doorbell(uint32_t channel) {
    handlers.doorbell(channel);
}

void guest_changed(uint32_t state) {
    guest_state = state;
    since = now();
    handlers.state(state);
}

} // namespace rtos::port
