// SPDX-License-Identifier: GPL-2.0-only
#include "bench.h"

#include <new>

#include <rtos/irq_lock.hpp>
#include <rtos/timer.hpp>

rt_uint32_t bench_counter(void) {
    return rtos::port::counter();
}

rt_uint32_t bench_expiry(void) {
    return rtos::timer_interrupt().expiry;
}

rt_uint32_t bench_interrupt_after_us(rt_uint32_t us, void (*isr)(void *)) {
    static rtos::Timer timer{isr, nullptr};
    timer.~Timer();
    new (&timer) rtos::Timer{isr, nullptr};
    const rtos::IrqMask masked;
    timer.start_after(rtos::microseconds(us));
    const rt_uint32_t expiry = rtos::timer_interrupt().expiry;
    const rt_uint32_t late = expiry - static_cast<rt_uint32_t>(timer.deadline().ticks);
    return late <= rtos::microseconds(1).ticks ? expiry : 0;
}

rt_uint32_t bench_centi_ns(rt_uint64_t ticks) {
    return static_cast<rt_uint32_t>(ticks * 100'000 / (rtos::port::counter_hz / 1'000'000));
}
