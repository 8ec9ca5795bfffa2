// SPDX-License-Identifier: BSD-3-Clause
#include "wait.hpp"

using rt::Until;
using Match = rtos::Event::Match;

static bool usable(const rt_event_t event) {
    return rt::is_object(rt::object_of(event), RT_Object_Class_Event);
}

static void make(rt_event &event, unsigned type, const char *name, rt_uint8_t flag) {
    rt::enlist(event.parent.parent, type, name,
               &rt::make_kernel_object<rtos::Event>(event.kernel, 0u, rt::order_of(flag)));
    event.parent.parent.flag = flag;
}

static void close(rt_object &object) {
    rt::of(reinterpret_cast<rt_event &>(object)).close();
}

static rt_err_t receive(rt_event_t event, rt_uint32_t set, rt_uint8_t opt, rt_int32_t timeout,
                        rt_uint32_t *recved, Until end, const char *call) {
    constexpr rt_uint8_t which = RT_EVENT_FLAG_AND | RT_EVENT_FLAG_OR;
    if (!usable(event) || !(opt & which) || (opt & which) == which)
        return rt::refuse("an event, and RT_EVENT_FLAG_AND or _OR", call);
    if (set == 0)
        return rt::fail(-RT_ERROR);
    const Match match = opt & RT_EVENT_FLAG_AND ? Match::all : Match::any;
    const bool consume = opt & RT_EVENT_FLAG_CLEAR;
    uint32_t got = 0;
    const rt_err_t error = rt::wait(
        {event->parent, timeout, end, call, -RT_ETIMEOUT}, rt::object_hooks.trytake, rt::object_hooks.take,
        [&](rtos::Time deadline) { return rt::of(*event).wait(set, match, consume, got, deadline); });
    if (error == RT_EOK && recved)
        *recved = got;
    return error;
}

extern "C" {

rt_err_t rt_event_init(rt_event_t event, const char *name, rt_uint8_t flag) {
    RT_REQUIRE(event && flag <= RT_IPC_FLAG_PRIO, -RT_EINVAL);
    RT_REQUIRE(!rt::is_listed(event->parent.parent, RT_Object_Class_Event), -RT_EINVAL);
    make(*event, RT_Object_Class_Event | RT_Object_Class_Static, name, flag);
    return RT_EOK;
}

rt_err_t rt_event_detach(rt_event_t event) {
    return rt::remove(rt::object_of(event), RT_Object_Class_Event, rt::Made::statically, close, RT_THIS_CALL);
}

rt_event_t rt_event_create(const char *name, rt_uint8_t flag) {
    RT_REQUIRE(flag <= RT_IPC_FLAG_PRIO, nullptr);
    auto *const event = rt::allocate<rt_event>();
    if (event)
        make(*event, RT_Object_Class_Event, name, flag);
    return event;
}

rt_err_t rt_event_delete(rt_event_t event) {
    return rt::remove(rt::object_of(event), RT_Object_Class_Event, rt::Made::dynamically, close,
                      RT_THIS_CALL);
}

rt_err_t rt_event_send(rt_event_t event, rt_uint32_t set) {
    RT_REQUIRE(usable(event), -RT_EINVAL);
    if (set == 0)
        return -RT_ERROR;
    rt::call(rt::object_hooks.put, event->parent.parent);
    rt::of(*event).set(set);
    return RT_EOK;
}

rt_err_t rt_event_recv(rt_event_t event, rt_uint32_t set, rt_uint8_t opt, rt_int32_t timeout,
                       rt_uint32_t *recved) {
    return receive(event, set, opt, timeout, recved, Until::done, RT_THIS_CALL);
}
rt_err_t rt_event_recv_interruptible(rt_event_t event, rt_uint32_t set, rt_uint8_t opt, rt_int32_t timeout,
                                     rt_uint32_t *recved) {
    return receive(event, set, opt, timeout, recved, Until::done_or_signal, RT_THIS_CALL);
}
RT_SAME_AS(rt_event_recv, rt_event_recv_killable);

rt_err_t rt_event_control(rt_event_t event, int cmd, void *) {
    RT_REQUIRE(usable(event), -RT_EINVAL);
    if (cmd != RT_IPC_CMD_RESET)
        return -RT_ERROR;
    rt::of(*event).reset(rtos::Status::deleted);
    return RT_EOK;
}
}
