// SPDX-License-Identifier: BSD-3-Clause
#include "slow.hpp"
#include "wait.hpp"

using rt::Until;

static bool usable(const rt_sem_t sem) {
    return rt::is_object(rt::object_of(sem), RT_Object_Class_Semaphore);
}

static void make(rt_semaphore &sem, unsigned type, const char *name, rt_uint32_t value, rt_uint8_t flag) {
    rtos::Semaphore &kernel =
        rt::make_kernel_object<rtos::Semaphore>(sem.kernel, value, RT_SEM_VALUE_MAX, rt::order_of(flag));
    rt::enlist(sem.parent.parent, type, name, &kernel);
    sem.parent.parent.flag = flag;
}

static void close(rt_object &object) {
    rt::of(reinterpret_cast<rt_semaphore &>(object)).close();
}

rt_err_t rt::sem_take(rt_sem_t sem, rt_int32_t timeout, Until end, const char *call) {
    if (!usable(sem))
        return refuse("a semaphore", call);
    return rt::wait({sem->parent, timeout, end, call, -RT_ETIMEOUT}, rt::object_hooks.trytake,
                    rt::object_hooks.take, [=](rtos::Time deadline) { return rt::of(*sem).take(deadline); });
}

rt_err_t rt::sem_release(rt_sem_t sem) {
    if (!usable(sem))
        return refuse("a semaphore", "rt_sem_release");
    rt::call(rt::object_hooks.put, sem->parent.parent);
    return rt::error_of(rt::of(*sem).release());
}

extern "C" {

rt_err_t rt_sem_init(rt_sem_t sem, const char *name, rt_uint32_t value, rt_uint8_t flag) {
    RT_REQUIRE(sem && value <= RT_SEM_VALUE_MAX && flag <= RT_IPC_FLAG_PRIO, -RT_EINVAL);
    RT_REQUIRE(!rt::is_listed(sem->parent.parent, RT_Object_Class_Semaphore), -RT_EINVAL);
    make(*sem, RT_Object_Class_Semaphore | RT_Object_Class_Static, name, value, flag);
    return RT_EOK;
}

rt_err_t rt_sem_detach(rt_sem_t sem) {
    return rt::remove(rt::object_of(sem), RT_Object_Class_Semaphore, rt::Made::statically, close,
                      RT_THIS_CALL);
}

rt_sem_t rt_sem_create(const char *name, rt_uint32_t value, rt_uint8_t flag) {
    RT_REQUIRE(value <= RT_SEM_VALUE_MAX && flag <= RT_IPC_FLAG_PRIO, nullptr);
    auto *const sem = rt::allocate<rt_semaphore>();
    if (sem)
        make(*sem, RT_Object_Class_Semaphore, name, value, flag);
    return sem;
}

rt_err_t rt_sem_delete(rt_sem_t sem) {
    return rt::remove(rt::object_of(sem), RT_Object_Class_Semaphore, rt::Made::dynamically, close,
                      RT_THIS_CALL);
}

rt_err_t rt_sem_take_interruptible(rt_sem_t sem, rt_int32_t timeout) {
    return rt::sem_take(sem, timeout, Until::done_or_signal, RT_THIS_CALL);
}
rt_err_t rt_sem_trytake(rt_sem_t sem) {
    return rt::sem_take(sem, RT_WAITING_NO, Until::done, RT_THIS_CALL);
}

rt_err_t rt_sem_control(rt_sem_t sem, int cmd, void *arg) {
    RT_REQUIRE(usable(sem), -RT_EINVAL);
    if (cmd != RT_IPC_CMD_RESET)
        return -RT_ERROR;
    rt::of(*sem).reset(static_cast<rt_uint16_t>(reinterpret_cast<rt_ubase_t>(arg)), rtos::Status::deleted);
    return RT_EOK;
}
}
