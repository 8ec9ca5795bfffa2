// SPDX-License-Identifier: BSD-3-Clause
#include "wait.hpp"

using rt::Until;

static bool usable(const rt_sem_t sem) {
    return rt::is_object(&sem->parent.parent, RT_Object_Class_Semaphore);
}

static void make(rt_semaphore &sem, unsigned type, const char *name, rt_uint32_t value, rt_uint8_t flag) {
    rtos::Semaphore &kernel =
        rt::make_kernel_object<rtos::Semaphore>(sem.kernel, value, RT_SEM_VALUE_MAX, rt::order_of(flag));
    rt::enlist(sem.parent.parent, type, name, &kernel);
    sem.parent.parent.flag = flag;
}

static void unmake(rt_semaphore &sem) {
    rt::delist(sem.parent.parent);
    rt::of(sem).close();
}

// A semaphore that has no unit at the moment, or is hooked, or is none.
[[gnu::noinline]] static rt_err_t take_slowly(rt_sem_t sem, rt_int32_t timeout, Until end, const char *call) {
    if (!usable(sem)) {
        if (rtos::debug)
            rt::report_refusal("a semaphore", call, __LINE__);
        return -RT_EINVAL;
    }
    rt::call(rt::object_hooks.trytake, sem->parent.parent);
    if (!rt::of(*sem).try_take()) {
        RT_REQUIRE_BLOCKING(call, timeout, -RT_ETIMEOUT);
        const rtos::Status result = rt::wait(sem->parent, end, timeout,
                                             [=](rtos::Time deadline) { return rt::of(*sem).take(deadline); });
        if (result != rtos::Status::ok)
            return rt::fail(rt::error_of(result));
    }
    rt::call(rt::object_hooks.take, sem->parent.parent);
    return RT_EOK;
}

[[gnu::noinline]] static rt_err_t release_slowly(rt_sem_t sem) {
    if (!usable(sem)) {
        if (rtos::debug)
            rt::report_refusal("a semaphore", "rt_sem_release", __LINE__);
        return -RT_EINVAL;
    }
    rt::call(rt::object_hooks.put, sem->parent.parent);
    return rt::error_of(rt::of(*sem).release());
}

[[gnu::always_inline]] static inline rt_err_t take(rt_sem_t sem, rt_int32_t timeout, Until end,
                                                   const char *call) {
    if (sem && rt::plain(sem->parent, RT_Object_Class_Semaphore) && rt::of(*sem).try_take()) [[likely]]
        return RT_EOK;
    return take_slowly(sem, timeout, end, call);
}

extern "C" {

rt_err_t rt_sem_init(rt_sem_t sem, const char *name, rt_uint32_t value, rt_uint8_t flag) {
    RT_REQUIRE(sem && value <= RT_SEM_VALUE_MAX && flag <= RT_IPC_FLAG_PRIO, -RT_EINVAL);
    RT_REQUIRE(!rt::is_listed(sem->parent.parent, RT_Object_Class_Semaphore), -RT_EINVAL);
    make(*sem, RT_Object_Class_Semaphore | RT_Object_Class_Static, name, value, flag);
    return RT_EOK;
}

rt_err_t rt_sem_detach(rt_sem_t sem) {
    RT_REQUIRE(sem && rt::is_static_object(&sem->parent.parent, RT_Object_Class_Semaphore), -RT_EINVAL);
    unmake(*sem);
    return RT_EOK;
}

rt_sem_t rt_sem_create(const char *name, rt_uint32_t value, rt_uint8_t flag) {
    RT_REQUIRE(value <= RT_SEM_VALUE_MAX && flag <= RT_IPC_FLAG_PRIO, nullptr);
    auto *const sem = rt::allocate<rt_semaphore>();
    if (sem)
        make(*sem, RT_Object_Class_Semaphore, name, value, flag);
    return sem;
}

rt_err_t rt_sem_delete(rt_sem_t sem) {
    RT_REQUIRE(sem && rt::is_dynamic_object(&sem->parent.parent, RT_Object_Class_Semaphore), -RT_EINVAL);
    unmake(*sem);
    rt_free(sem);
    return RT_EOK;
}

rt_err_t rt_sem_take(rt_sem_t sem, rt_int32_t timeout) {
    return take(sem, timeout, Until::done, __func__);
}
rt_err_t rt_sem_take_interruptible(rt_sem_t sem, rt_int32_t timeout) {
    return take(sem, timeout, Until::done_or_signal, __func__);
}
rt_err_t rt_sem_take_killable(rt_sem_t sem, rt_int32_t timeout) {
    return take(sem, timeout, Until::done, __func__);
}
rt_err_t rt_sem_trytake(rt_sem_t sem) {
    return take(sem, RT_WAITING_NO, Until::done, __func__);
}

rt_err_t rt_sem_release(rt_sem_t sem) {
    if (sem && rt::plain(sem->parent, RT_Object_Class_Semaphore)) [[likely]] {
        if (rt::of(*sem).release() == rtos::Status::ok) [[likely]]
            return RT_EOK;
        return -RT_EFULL;
    }
    return release_slowly(sem);
}

rt_err_t rt_sem_control(rt_sem_t sem, int cmd, void *arg) {
    RT_REQUIRE(usable(sem), -RT_EINVAL);
    if (cmd != RT_IPC_CMD_RESET)
        return -RT_ERROR;
    rt::of(*sem).reset(static_cast<rt_uint16_t>(reinterpret_cast<rt_ubase_t>(arg)), rtos::Status::deleted);
    return RT_EOK;
}
}
