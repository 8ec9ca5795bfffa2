// SPDX-License-Identifier: BSD-3-Clause
#include <rtos/interrupt.hpp>

#include "scheduler.hpp"

namespace rtos {

struct Service {
    InterruptHandler handler;
    void *argument;
};

static constinit Service services[port::irq_lines] = {};
static constinit volatile uint32_t unexpected;

Status interrupt_attach(uint32_t line, InterruptHandler handler, void *argument) {
    if (line >= port::irq_lines || !handler)
        return Status::invalid;
    const IrqLock lock;
    if (services[line].handler)
        return Status::invalid;
    services[line] = {handler, argument};
    if (!port::line_enable(line)) {
        services[line] = {};
        return Status::invalid;
    }
    return Status::ok;
}

bool in_interrupt() {
    const IrqLock lock;
    return lock.was_masked() && (port::in_isr() || scheduler.idle_running());
}

uint32_t interrupts_unexpected() {
    return unexpected;
}

// Called by the port for every RT interrupt, IRQs masked.
extern "C" void rtos_interrupt(uint32_t line) {
    port::masked_begin();
    if (line < port::irq_lines && services[line].handler) [[likely]] {
        services[line].handler(services[line].argument);
    } else {
        unexpected = unexpected + 1;
        port::line_disable(line);
    }
    port::masked_end();
}

} // namespace rtos
