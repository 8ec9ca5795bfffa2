// SPDX-License-Identifier: BSD-3-Clause
// Idle and scheduler hooks.
#include "check.hpp"
#include "thread.hpp"
#include "tick.hpp"

#include <rtos/async_call.hpp>

static constexpr unsigned idle_hooks = 4;
static void (*volatile idle_hook[idle_hooks])() = {};

static void call_idle_hooks(void *) {
    for (auto hook : idle_hook)
        if (hook)
            hook();
}

// Every tick the system's thread is asked to call them, which it does when no other thread wants to run.
static constinit rtos::AsyncCall idle_call(call_idle_hooks, nullptr);
static void tick(void *) {
    (void)rtos::defer(idle_call);
}
static constinit rtos::Timer idle_timer(tick, nullptr);

static void (*switch_hook)(rt_thread_t, rt_thread_t);
static void (*switched_hook)(rt_thread_t);

// No new objects here: of a thread that has none yet the hooks see null.
static void switched(rtos::Thread &from, rtos::Thread &to) {
    if (switch_hook)
        switch_hook(static_cast<rt_thread_t>(from.rt_thread), static_cast<rt_thread_t>(to.rt_thread));
    if (switched_hook)
        switched_hook(static_cast<rt_thread_t>(from.rt_thread));
}

static void update_switch_hook() {
    rtos::scheduler.set_switch_hook(switch_hook || switched_hook ? switched : nullptr);
}

extern "C" {

rt_err_t rt_thread_idle_sethook(void (*hook)(void)) {
    RT_REQUIRE(hook, -RT_EINVAL);
    const rtos::IrqLock lock;
    for (auto &place : idle_hook) {
        if (!place) {
            place = hook;
            if (!idle_timer.active())
                idle_timer.start(rt::deadline_in(1), rt::ticks(1));
            return RT_EOK;
        }
    }
    return -RT_EFULL;
}

rt_err_t rt_thread_idle_delhook(void (*hook)(void)) {
    RT_REQUIRE(hook, -RT_EINVAL);
    const rtos::IrqLock lock;
    rt_err_t result = -RT_ENOSYS;
    bool any = false;
    for (auto &place : idle_hook) {
        if (place == hook) {
            place = nullptr;
            result = RT_EOK;
        }
        any |= place != nullptr;
    }
    if (!any)
        idle_timer.stop();
    return result;
}

void rt_scheduler_sethook(void (*hook)(rt_thread_t from, rt_thread_t to)) {
    const rtos::IrqLock lock;
    switch_hook = hook;
    update_switch_hook();
}

void rt_scheduler_switch_sethook(void (*hook)(rt_thread *tid)) {
    const rtos::IrqLock lock;
    switched_hook = hook;
    update_switch_hook();
}
}
