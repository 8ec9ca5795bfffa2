// SPDX-License-Identifier: BSD-3-Clause
#include "interrupt.hpp"

#include "check.hpp"

#include <rthw.h>

#include <rtos/interrupt.hpp>
#include <rtos/irq_lock.hpp>
#include <rtos/log.hpp>

static void (*enter_hook)();
static void (*leave_hook)();
static constinit uint8_t nest;

static constinit rt_irq_desc services[rtos::port::irq_lines] = {};
static constinit bool attached[rtos::port::irq_lines] = {};

static void serve(void *service) {
    const rt::InterruptNesting nesting;
    auto &s = *static_cast<rt_irq_desc *>(service);
    s.counter = s.counter + 1;
    s.handler(static_cast<int>(&s - services), s.param);
}

static bool is_line(int vector) {
    return vector >= 0 && vector < static_cast<int>(rtos::port::irq_lines);
}

extern "C" {

rt_isr_handler_t rt_hw_interrupt_install(int vector, rt_isr_handler_t handler, void *param,
                                         const char *name) {
    RT_REQUIRE(is_line(vector) && handler, nullptr);
    const rtos::IrqMask masked;
    rt_irq_desc &s = services[vector];
    const rt_isr_handler_t before = s.handler;
    s.handler = handler;
    s.param = param;
    s.counter = 0;
    rt_strncpy(s.name, name ? name : "", RT_NAME_MAX - 1);
    return before;
}

// The kernel takes a line when it is first unmasked.
void rt_hw_interrupt_umask(int vector) {
    RT_REQUIRE(is_line(vector) && services[vector].handler, );
    const uint32_t line = static_cast<uint32_t>(vector);
    if (attached[vector])
        (void)rtos::port::line_enable(line);
    else if (rtos::interrupt_attach(line, serve, &services[vector]) == rtos::Status::ok)
        attached[vector] = true;
    else
        rtos::log("rt_hw_interrupt_umask: %u is not an RT line, or taken", line);
}

void rt_hw_interrupt_mask(int vector) {
    RT_REQUIRE(is_line(vector), );
    if (attached[vector])
        rtos::port::line_disable(static_cast<uint32_t>(vector));
}

void rt_interrupt_enter(void) {
    const rtos::IrqMask masked;
    ++nest;
    if (enter_hook)
        enter_hook();
}

void rt_interrupt_leave(void) {
    const rtos::IrqMask masked;
    if (leave_hook)
        leave_hook();
    --nest;
}

rt_uint8_t rt_interrupt_get_nest(void) {
    return nest ? nest : rtos::in_interrupt();
}

void rt_interrupt_enter_sethook(void (*hook)(void)) {
    enter_hook = hook;
}
void rt_interrupt_leave_sethook(void (*hook)(void)) {
    leave_hook = hook;
}
}
