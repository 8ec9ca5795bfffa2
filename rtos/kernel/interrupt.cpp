// SPDX-License-Identifier: BSD-3-Clause
#include <rtos/interrupt.hpp>

#include "scheduler.hpp"

namespace rtos {

struct alignas(2 * sizeof(void *)) Service { // loaded by one instruction
    void *argument;
    InterruptHandler handler;
};
static constinit volatile uint32_t unexpected;

// Lines that nobody serves have this handler, with their own place in the table as argument.
struct Services {
    Service line[port::irq_lines];

    constexpr Services() {
        for (Service &s : line)
            s = {&s, refuse};
    }
    static void refuse(void *service);
    bool served(const Service &s) const { return s.handler != refuse; }
};
alignas(64) [[gnu::section(".data.hot")]] static constinit Services services;

void Services::refuse(void *service) {
    unexpected = unexpected + 1;
    port::line_disable(static_cast<uint32_t>(static_cast<Service *>(service) - services.line));
}

Status interrupt_attach(uint32_t line, InterruptHandler handler, void *argument) {
    if (line >= port::irq_lines || !handler)
        return Status::invalid;
    const IrqLock lock;
    Service &service = services.line[line];
    if (services.served(service))
        return Status::invalid;
    service = {argument, handler};
    if (!port::line_enable(line)) {
        service = {&service, Services::refuse};
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

// Called by the port for every RT interrupt, IRQs masked. The executive knows no other lines than the
// board's.
extern "C" [[gnu::hot]] void rtos_interrupt(uint32_t line, Scheduler &of) {
    port::masked_begin();
    of.interrupted();
    const Service service = services.line[line];
    service.handler(service.argument);
    port::masked_end();
}

} // namespace rtos
