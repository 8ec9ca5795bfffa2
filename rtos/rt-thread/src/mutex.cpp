// SPDX-License-Identifier: BSD-3-Clause
#include "thread.hpp"
#include "wait.hpp"

#include <rtos/interrupt.hpp>

using rt::Until;

static constexpr rt_uint8_t no_ceiling = 0xff;

static bool usable(const rt_mutex_t mutex) {
    return rt::is_object(&mutex->parent.parent, RT_Object_Class_Mutex);
}

// flag: waiters are served by priority whatever it says, as in RT-Thread.
static void make(rt_mutex &mutex, unsigned type, const char *name, rt_uint8_t flag) {
    mutex.ceiling_priority = no_ceiling;
    rt::enlist(mutex.parent.parent, type, name, &rt::make_kernel_object<rtos::Mutex>(mutex.kernel));
    mutex.parent.parent.flag = flag;
}

static void unmake(rt_mutex &mutex) {
    rt::delist(mutex.parent.parent);
    rt::of(mutex).close();
}

static rt_err_t error_of(rtos::Status status) {
    // As the kernel sees it the running thread owns it already, or may not wait for it.
    return status == rtos::Status::busy ? -RT_ETIMEOUT : rt::error_of(status);
}

[[gnu::noinline]] static rt_err_t take_slowly(rt_mutex_t mutex, rt_int32_t timeout, Until end,
                                              const char *call) {
    if (!usable(mutex)) {
        if (rtos::debug)
            rt::report_refusal("a mutex", call, __LINE__);
        return -RT_EINVAL;
    }
    if (rtos::in_interrupt()) {
        if (rtos::debug)
            rt::report_refusal("not in an interrupt", call, __LINE__);
        return -RT_ESCHEDISR;
    }
    rt::call(rt::object_hooks.trytake, mutex->parent.parent);
    rtos::Status result = rt::of(*mutex).try_lock();
    if (result == rtos::Status::busy) {
        RT_REQUIRE_BLOCKING(call, timeout, -RT_ETIMEOUT);
        result = rt::wait(mutex->parent, end, timeout,
                          [=](rtos::Time deadline) { return rt::of(*mutex).lock(deadline); });
    }
    if (result != rtos::Status::ok)
        return rt::fail(error_of(result));
    rt::call(rt::object_hooks.take, mutex->parent.parent);
    return RT_EOK;
}

[[gnu::noinline]] static rt_err_t release_slowly(rt_mutex_t mutex) {
    if (!usable(mutex)) {
        if (rtos::debug)
            rt::report_refusal("a mutex", "rt_mutex_release", __LINE__);
        return -RT_EINVAL;
    }
    if (rtos::in_interrupt()) {
        if (rtos::debug)
            rt::report_refusal("not in an interrupt", "rt_mutex_release", __LINE__);
        return -RT_ESCHEDISR;
    }
    rt::call(rt::object_hooks.put, mutex->parent.parent);
    return rt::fail(rt::error_of(rt::of(*mutex).unlock()));
}

[[gnu::always_inline]] static inline rt_err_t take(rt_mutex_t mutex, rt_int32_t timeout, Until end,
                                                   const char *call) {
    if (mutex && rt::plain(mutex->parent, RT_Object_Class_Mutex) &&
        rt::of(*mutex).try_lock() == rtos::Status::ok) [[likely]]
        return RT_EOK;
    return take_slowly(mutex, timeout, end, call);
}

extern "C" {

rt_err_t rt_mutex_init(rt_mutex_t mutex, const char *name, rt_uint8_t flag) {
    RT_REQUIRE(mutex && flag <= RT_IPC_FLAG_PRIO, -RT_EINVAL);
    RT_REQUIRE(!rt::is_listed(mutex->parent.parent, RT_Object_Class_Mutex), -RT_EINVAL);
    make(*mutex, RT_Object_Class_Mutex | RT_Object_Class_Static, name, flag);
    return RT_EOK;
}

rt_err_t rt_mutex_detach(rt_mutex_t mutex) {
    RT_REQUIRE(mutex && rt::is_static_object(&mutex->parent.parent, RT_Object_Class_Mutex), -RT_EINVAL);
    unmake(*mutex);
    return RT_EOK;
}

rt_mutex_t rt_mutex_create(const char *name, rt_uint8_t flag) {
    RT_REQUIRE(flag <= RT_IPC_FLAG_PRIO, nullptr);
    auto *const mutex = rt::allocate<rt_mutex>();
    if (mutex)
        make(*mutex, RT_Object_Class_Mutex, name, flag);
    return mutex;
}

rt_err_t rt_mutex_delete(rt_mutex_t mutex) {
    RT_REQUIRE(mutex && rt::is_dynamic_object(&mutex->parent.parent, RT_Object_Class_Mutex), -RT_EINVAL);
    unmake(*mutex);
    rt_free(mutex);
    return RT_EOK;
}

rt_err_t rt_mutex_take(rt_mutex_t mutex, rt_int32_t timeout) {
    return take(mutex, timeout, Until::done, __func__);
}
rt_err_t rt_mutex_take_interruptible(rt_mutex_t mutex, rt_int32_t timeout) {
    return take(mutex, timeout, Until::done_or_signal, __func__);
}
rt_err_t rt_mutex_take_killable(rt_mutex_t mutex, rt_int32_t timeout) {
    return take(mutex, timeout, Until::done, __func__);
}
rt_err_t rt_mutex_trytake(rt_mutex_t mutex) {
    return take(mutex, RT_WAITING_NO, Until::done, __func__);
}

rt_err_t rt_mutex_release(rt_mutex_t mutex) {
    if (mutex && rt::plain(mutex->parent, RT_Object_Class_Mutex) && !rtos::in_interrupt() &&
        rt::of(*mutex).unlock() == rtos::Status::ok) [[likely]]
        return RT_EOK;
    return release_slowly(mutex);
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
