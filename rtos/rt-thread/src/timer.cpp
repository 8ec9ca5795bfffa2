// SPDX-License-Identifier: BSD-3-Clause
// Hard timers are the kernel's, soft timers those of its timer thread.
#include "timer.hpp"

#include "object.hpp"

using namespace rt::timer;
using rtos::SoftTimer;
using rtos::Time;

static constexpr rt_tick_t longest = RT_TICK_MAX / 2;

static void (*enter_hook)(rt_timer *);
static void (*exit_hook)(rt_timer *);

namespace rt::timer {

constinit Running running = {};

void call_hooked(rt_timer &t) {
    if (enter_hook)
        enter_hook(&t);
    t.timeout_func(t.parameter);
    if (exit_hook)
        exit_hook(&t);
}

void start_at(rt_timer &t, Time deadline) {
    // A period of 0 would be an interrupt that never ends.
    const rtos::Duration period = is_periodic(t) ? ticks(t.init_tick ? t.init_tick : 1) : rtos::Duration{};
    if (is_soft(t))
        soft(t).start(deadline, period);
    else
        hard(t).start(deadline, period);
}

} // namespace rt::timer

static void expire_soft(void *timer) {
    auto &t = *static_cast<rt_timer *>(timer);
    if (!is_periodic(t))
        t.parent.flag &= ~RT_TIMER_FLAG_ACTIVATED;
    running.in_thread = &t;
    call_hooked(t);
    running.in_thread = nullptr;
}

static void make_kernel(rt_timer &t) {
    void *const self = &t;
    if (is_soft(t))
        rt::make_kernel_object<SoftTimer>(t.kernel, expire_soft, self);
    else
        rt::make_kernel_object<rtos::Timer>(t.kernel, expire_hard, self);
}

static void make(rt_timer &t, unsigned type, const char *name, rt_timer_func_t timeout, void *parameter,
                 rt_tick_t time, rt_uint8_t flag) {
    t.timeout_func = timeout;
    t.parameter = parameter;
    t.init_tick = time;
    rt::enlist(t.parent, type, name, &t);
    t.parent.flag = static_cast<rt_uint8_t>(flag & ~RT_TIMER_FLAG_ACTIVATED);
    make_kernel(t);
}

static Time deadline_of(rt_timer &t) {
    return is_soft(t) ? soft(t).deadline() : hard(t).deadline();
}

static void unmake(rt_timer &t) {
    const rtos::IrqMask masked;
    (void)rt::timer::stop(&t);
    rt::delist(t.parent);
}

// What becomes of an active timer: its next expiry stays where it is. In the function of a periodic one
// "once" means that this was it.
static void set_periodic(rt_timer &t, bool periodic) {
    const rtos::IrqMask masked;
    if (periodic)
        t.parent.flag |= RT_TIMER_FLAG_PERIODIC;
    else
        t.parent.flag &= ~RT_TIMER_FLAG_PERIODIC;
    const bool last = !periodic && (&t == running.in_interrupt || &t == running.in_thread);
    if (is_active(t) && !last) {
        rt::timer::start_at(t, deadline_of(t));
        return;
    }
    (void)rt::timer::stop(&t);
    make_kernel(t); // without its period
}

extern "C" {

void rt_timer_init(rt_timer_t timer, const char *name, void (*timeout)(void *parameter), void *parameter,
                   rt_tick_t time, rt_uint8_t flag) {
    RT_REQUIRE(timer && timeout && time < longest, );
    RT_REQUIRE(!rt::is_listed(timer->parent, RT_Object_Class_Timer), );
    make(*timer, RT_Object_Class_Timer | RT_Object_Class_Static, name, timeout, parameter, time, flag);
}

rt_err_t rt_timer_detach(rt_timer_t timer) {
    RT_REQUIRE(timer && rt::is_static_object(rt::object_of(timer), RT_Object_Class_Timer), -RT_EINVAL);
    unmake(*timer);
    return RT_EOK;
}

rt_timer_t rt_timer_create(const char *name, void (*timeout)(void *parameter), void *parameter,
                           rt_tick_t time, rt_uint8_t flag) {
    RT_REQUIRE(timeout && time < longest, nullptr);
    auto *const timer = rt::allocate<rt_timer>();
    if (timer)
        make(*timer, RT_Object_Class_Timer, name, timeout, parameter, time, flag);
    return timer;
}

rt_err_t rt_timer_delete(rt_timer_t timer) {
    RT_REQUIRE(timer && rt::is_dynamic_object(rt::object_of(timer), RT_Object_Class_Timer), -RT_EINVAL);
    unmake(*timer);
    rt_free(timer);
    return RT_EOK;
}

rt_err_t rt_timer_control(rt_timer_t timer, int cmd, void *arg) {
    RT_REQUIRE(usable(timer), -RT_EINVAL);
    switch (cmd) {
    case RT_TIMER_CTRL_GET_TIME:
        *static_cast<rt_tick_t *>(arg) = timer->init_tick;
        break;
    case RT_TIMER_CTRL_SET_TIME: {
        const rt_tick_t time = *static_cast<rt_tick_t *>(arg);
        RT_REQUIRE(time < longest, -RT_EINVAL);
        const rtos::IrqMask masked;
        if (is_active(*timer))
            (void)stop(timer);
        timer->init_tick = time;
        break;
    }
    case RT_TIMER_CTRL_SET_ONESHOT:
        set_periodic(*timer, false);
        break;
    case RT_TIMER_CTRL_SET_PERIODIC:
        set_periodic(*timer, true);
        break;
    case RT_TIMER_CTRL_GET_STATE:
        *static_cast<rt_uint32_t *>(arg) =
            is_active(*timer) ? RT_TIMER_FLAG_ACTIVATED : RT_TIMER_FLAG_DEACTIVATED;
        break;
    case RT_TIMER_CTRL_GET_REMAIN_TIME:
        *static_cast<rt_tick_t *>(arg) = rt::tick_at(deadline_of(*timer));
        break;
    case RT_TIMER_CTRL_GET_FUNC:
        *static_cast<rt_timer_func_t *>(arg) = timer->timeout_func;
        break;
    case RT_TIMER_CTRL_SET_FUNC:
        RT_REQUIRE(arg, -RT_EINVAL);
        timer->timeout_func = reinterpret_cast<rt_timer_func_t>(arg);
        break;
    case RT_TIMER_CTRL_GET_PARM:
        *static_cast<void **>(arg) = timer->parameter;
        break;
    case RT_TIMER_CTRL_SET_PARM:
        timer->parameter = arg;
        break;
    default:
        break;
    }
    return RT_EOK;
}

void rt_timer_enter_sethook(void (*hook)(rt_timer *timer)) {
    enter_hook = hook;
    running.hooked = enter_hook || exit_hook;
}
void rt_timer_exit_sethook(void (*hook)(rt_timer *timer)) {
    exit_hook = hook;
    running.hooked = enter_hook || exit_hook;
}
}
