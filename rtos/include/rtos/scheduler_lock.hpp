// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace rtos {

// While one exists the running thread is not switched away; interrupts are served. Nests. Thread
// context. Nothing may block under it.
class [[nodiscard]] SchedulerLock {
  public:
    SchedulerLock() { lock(); }
    SchedulerLock(const SchedulerLock &) = delete;
    SchedulerLock &operator=(const SchedulerLock &) = delete;
    ~SchedulerLock() { unlock(); }

    // (RT-Thread: rt_enter_critical, rt_exit_critical, rt_critical_level.) More unlocks than locks do
    // nothing.
    static void lock();
    static void unlock();
    static unsigned depth();
};

} // namespace rtos
