// SPDX-License-Identifier: BSD-3-Clause
// Without other threads, without interrupts.
#include "check.hpp"

#include <rthw.h>

#include <rtos/irq_lock.hpp>
#include <rtos/scheduler_lock.hpp>

extern "C" {

void rt_schedule(void) {
    const rtos::IrqLock lock; // its end does it
}

rt_base_t rt_enter_critical(void) {
    rtos::SchedulerLock::lock();
    return static_cast<rt_base_t>(rtos::SchedulerLock::depth());
}

void rt_exit_critical(void) {
    rtos::SchedulerLock::unlock();
}

void rt_exit_critical_safe(rt_base_t critical_level) {
    RT_REQUIRE(critical_level == static_cast<rt_base_t>(rtos::SchedulerLock::depth()), );
    rtos::SchedulerLock::unlock();
}

rt_uint16_t rt_critical_level(void) {
    return static_cast<rt_uint16_t>(rtos::SchedulerLock::depth());
}

rt_base_t rt_hw_interrupt_disable(void) {
    return rtos::port::irq_save();
}

void rt_hw_interrupt_enable(rt_base_t level) {
    if (level)
        return;
    if (rtos::scheduler.need_resched())
        rtos::scheduler.reschedule();
    rtos::port::irq_enable();
}

rt_bool_t rt_hw_interrupt_is_disabled(void) {
    const rtos::IrqLock lock;
    return lock.was_masked();
}

void rt_spin_lock_init(rt_spinlock *lock) {
    lock->lock = 0;
}

void rt_spin_lock(rt_spinlock *) {
    rt_enter_critical();
}

void rt_spin_unlock(rt_spinlock *) {
    rt_exit_critical();
}

rt_base_t rt_spin_lock_irqsave(rt_spinlock *) {
    return rt_hw_interrupt_disable();
}

void rt_spin_unlock_irqrestore(rt_spinlock *, rt_base_t level) {
    rt_hw_interrupt_enable(level);
}
}
