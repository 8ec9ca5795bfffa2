// SPDX-License-Identifier: BSD-3-Clause
#include "slow.hpp"
#include "thread.hpp"
#include "wait.hpp"

#include <rtos/interrupt.hpp>

using rt::Until;

static constexpr rt_uint8_t no_ceiling = 0xff;

static bool usable(const rt_mutex_t mutex) {
    return rt::is_object(rt::object_of(mutex), RT_Object_Class_Mutex);
}

// flag: waiters are served by priority whatever it says, as in RT-Thread.
static void make(rt_mutex &mutex, unsigned type, const char *name, rt_uint8_t flag) {
    mutex.ceiling_priority = no_ceiling;
    rt::enlist(mutex.parent.parent, type, name, &rt::make_kernel_object<rtos::Mutex>(mutex.kernel));
    mutex.parent.parent.flag = flag;
}

static void close(rt_object &object) {
    rt::of(reinterpret_cast<rt_mutex &>(object)).close();
}

rt_err_t rt::mutex_take(rt_mutex_t mutex, rt_int32_t timeout, Until end, const char *call) {
    if (!usable(mutex))
        return refuse("a mutex", call);
    if (rtos::in_interrupt())
        return refuse("not in an interrupt", call, -RT_ESCHEDISR);
    return rt::wait({mutex->parent, timeout, end, call, -RT_ETIMEOUT}, rt::object_hooks.trytake,
                    rt::object_hooks.take,
                    [=](rtos::Time deadline) { return rt::of(*mutex).lock(deadline); });
}

rt_err_t rt::mutex_release(rt_mutex_t mutex) {
    static constexpr char call[] = "rt_mutex_release";
    if (!usable(mutex))
        return refuse("a mutex", call);
    if (rtos::in_interrupt())
        return refuse("not in an interrupt", call, -RT_ESCHEDISR);
    rt::call(rt::object_hooks.put, mutex->parent.parent);
    return rt::fail(rt::error_of(rt::of(*mutex).unlock()));
}

extern "C" {

rt_err_t rt_mutex_init(rt_mutex_t mutex, const char *name, rt_uint8_t flag) {
    RT_REQUIRE(mutex && flag <= RT_IPC_FLAG_PRIO, -RT_EINVAL);
    RT_REQUIRE(!rt::is_listed(mutex->parent.parent, RT_Object_Class_Mutex), -RT_EINVAL);
    make(*mutex, RT_Object_Class_Mutex | RT_Object_Class_Static, name, flag);
    return RT_EOK;
}

rt_err_t rt_mutex_detach(rt_mutex_t mutex) {
    return rt::remove(rt::object_of(mutex), RT_Object_Class_Mutex, rt::Made::statically, close, RT_THIS_CALL);
}

rt_mutex_t rt_mutex_create(const char *name, rt_uint8_t flag) {
    RT_REQUIRE(flag <= RT_IPC_FLAG_PRIO, nullptr);
    auto *const mutex = rt::allocate<rt_mutex>();
    if (mutex)
        make(*mutex, RT_Object_Class_Mutex, name, flag);
    return mutex;
}

rt_err_t rt_mutex_delete(rt_mutex_t mutex) {
    return rt::remove(rt::object_of(mutex), RT_Object_Class_Mutex, rt::Made::dynamically, close,
                      RT_THIS_CALL);
}

rt_err_t rt_mutex_take_interruptible(rt_mutex_t mutex, rt_int32_t timeout) {
    return rt::mutex_take(mutex, timeout, Until::done_or_signal, RT_THIS_CALL);
}
rt_err_t rt_mutex_trytake(rt_mutex_t mutex) {
    return rt::mutex_take(mutex, RT_WAITING_NO, Until::done, RT_THIS_CALL);
}

rt_err_t rt_mutex_control(rt_mutex_t mutex, int, void *) {
    RT_REQUIRE(usable(mutex), -RT_EINVAL);
    return -RT_EINVAL; // it has no commands
}

rt_uint8_t rt_mutex_setprioceiling(rt_mutex_t mutex, rt_uint8_t priority) {
    RT_REQUIRE(usable(mutex) && (priority < RT_THREAD_PRIORITY_MAX || priority == no_ceiling), no_ceiling);
    const rt_uint8_t before = mutex->ceiling_priority;
    mutex->ceiling_priority = priority;
    if (priority == no_ceiling)
        rt::of(*mutex).set_protocol(rtos::Mutex::Protocol::inherit);
    else
        rt::of(*mutex).set_protocol(rtos::Mutex::Protocol::ceiling, priority);
    return before;
}

rt_uint8_t rt_mutex_getprioceiling(rt_mutex_t mutex) {
    RT_REQUIRE(usable(mutex), no_ceiling);
    return mutex->ceiling_priority;
}

rt_thread_t rt_mutex_get_owner(rt_mutex_t mutex) {
    RT_REQUIRE(usable(mutex), nullptr);
    rtos::Thread *const owner = rt::of(*mutex).owner();
    return owner ? rt::thread_of(*owner) : nullptr;
}

rt_ubase_t rt_mutex_get_hold(rt_mutex_t mutex) {
    RT_REQUIRE(usable(mutex), 0);
    return rt::of(*mutex).owner() ? rt::of(*mutex).holds() : 0;
}
}
