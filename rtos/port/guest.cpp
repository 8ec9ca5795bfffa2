// SPDX-License-Identifier: BSD-3-Clause
// The guest as the RTOS sees it: the work of its idle thread, and two calls from it.
#include <rtos/guest.hpp>
#include <rtos/irq_lock.hpp>
#include <rtos/log.hpp>

#include "executive.hpp"
#include "guest/life.hpp"

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
constinit volatile bool guest_down = false;

static const char *state_name(uint32_t state) {
    static constexpr const char *names[] = {"stopped", "running", "failed", "powered off", "to be restarted"};
    return state < sizeof(names) / sizeof(names[0]) ? names[state] : "in an unknown state";
}

// Masked between test and WFI, which wakes on a masked interrupt all the same, so a change that an
// interrupt brings is not slept through (Arm ARM B1.8.14).
static void wait_while_down() {
    for (;;) {
        irq_save();
        if (!guest_down)
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
        log("guest %s", state_name(guest_state));
        if (!(rtos_guest_ended ? rtos_guest_ended() : guest_state == RTMUX_GUEST_RESTART)) {
            if (!rtos_guest_ended)
                guest_down = true;
            wait_while_down();
        }
    }
}

uint32_t guest_call(uint32_t number, uint32_t *r) {
    return rtos_guest_call ? rtos_guest_call(number, r) : static_cast<uint32_t>(-38); // -ENOSYS of Linux
}

void guest_doorbell(uint32_t channel) {
    scheduler.interrupted();
    handlers.doorbell(channel);
}

void guest_changed(uint32_t state) {
    scheduler.interrupted();
    guest_state = state;
    since = now();
    if (rtos_guest_changed)
        rtos_guest_changed(state);
    handlers.state(state);
}

} // namespace rtos::port
