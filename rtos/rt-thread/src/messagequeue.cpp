// SPDX-License-Identifier: BSD-3-Clause
#include "slow.hpp"
#include "wait.hpp"

using rt::Until;
using rtos::MessageQueue;
using rtos::Status;

static_assert(MessageQueue::slot_size(1) <= RT_MQ_BUF_SIZE(1, 1) - alignof(MessageQueue::Header) + 1);

static bool usable(const rt_mq_t mq) {
    return rt::is_object(rt::object_of(mq), RT_Object_Class_MessageQueue);
}

static void make(rt_messagequeue &mq, unsigned type, const char *name, void *pool, rt_size_t size,
                 rt_size_t messages, rt_uint8_t flag) {
    mq.msg_pool = pool;
    mq.msg_size = static_cast<rt_uint16_t>(size);
    mq.max_msgs = static_cast<rt_uint16_t>(messages);
    rt::enlist(mq.parent.parent, type, name,
               &rt::make_kernel_object<MessageQueue>(mq.kernel, pool, size_t{size},
                                                     static_cast<uint32_t>(messages), rt::order_of(flag)));
    mq.parent.parent.flag = flag;
}

static void close(rt_object &object) {
    rt::of(reinterpret_cast<rt_messagequeue &>(object)).close();
}

// Levels of the kernel's queue are the priorities 0 to 31.
static bool is_level(rt_int32_t prio) {
    return prio >= 0 && prio < static_cast<rt_int32_t>(MessageQueue::levels);
}

rt_err_t rt::mq_send(rt_mq_t mq, const void *buffer, rt_size_t size, rt_int32_t prio, rt_int32_t timeout,
                     Until end, const char *call) {
    if (!usable(mq) || !buffer || size == 0 || !is_level(prio))
        return refuse("a message queue, a message, a priority from 0 to 31", call);
    if (size > mq->msg_size)
        return rt::fail(-RT_ERROR);
    return rt::wait({mq->parent, timeout, end, call, -RT_EFULL}, rt::object_hooks.put, nullptr,
                    [=](rtos::Time deadline) {
                        return rt::of(*mq).send(buffer, size, deadline, static_cast<unsigned>(prio));
                    });
}

rt_ssize_t rt::mq_recv(rt_mq_t mq, void *buffer, rt_size_t size, rt_int32_t *prio, rt_int32_t timeout,
                       Until end, const char *call) {
    if (!usable(mq) || !buffer || size == 0)
        return refuse("a message queue, a buffer", call);
    size_t length = 0;
    unsigned level = 0;
    const rt_err_t error = rt::wait(
        {mq->parent, timeout, end, call, -RT_ETIMEOUT}, rt::object_hooks.trytake, rt::object_hooks.take,
        [&](rtos::Time deadline) { return rt::of(*mq).receive(buffer, size, length, deadline, &level); });
    if (error != RT_EOK)
        return error;
    if (prio)
        *prio = static_cast<rt_int32_t>(level);
    return static_cast<rt_ssize_t>(length);
}

extern "C" {

rt_err_t rt_mq_init(rt_mq_t mq, const char *name, void *msgpool, rt_size_t msg_size, rt_size_t pool_size,
                    rt_uint8_t flag) {
    RT_REQUIRE(mq && msgpool && msg_size != 0 && msg_size <= RT_MQ_ENTRY_MAX && flag <= RT_IPC_FLAG_PRIO,
               -RT_EINVAL);
    const rt_size_t messages = rt::quotient(pool_size, RT_MQ_BUF_SIZE(msg_size, 1));
    RT_REQUIRE(messages != 0 && messages <= RT_MQ_ENTRY_MAX, -RT_EINVAL);
    // An application's array of bytes may stand anywhere: RT_MQ_BUF_SIZE leaves room for that.
    const uintptr_t start = RT_ALIGN(reinterpret_cast<uintptr_t>(msgpool), alignof(MessageQueue::Header));
    RT_REQUIRE(!rt::is_listed(mq->parent.parent, RT_Object_Class_MessageQueue), -RT_EINVAL);
    make(*mq, RT_Object_Class_MessageQueue | RT_Object_Class_Static, name, reinterpret_cast<void *>(start),
         msg_size, messages, flag);
    return RT_EOK;
}

rt_err_t rt_mq_detach(rt_mq_t mq) {
    return rt::remove(rt::object_of(mq), RT_Object_Class_MessageQueue, rt::Made::statically, close,
                      RT_THIS_CALL);
}

rt_mq_t rt_mq_create(const char *name, rt_size_t msg_size, rt_size_t max_msgs, rt_uint8_t flag) {
    RT_REQUIRE(msg_size != 0 && msg_size <= RT_MQ_ENTRY_MAX && max_msgs != 0 && max_msgs <= RT_MQ_ENTRY_MAX &&
                   flag <= RT_IPC_FLAG_PRIO,
               nullptr);
    const rt_size_t pool = MessageQueue::slot_size(msg_size) * max_msgs;
    auto *const mq = static_cast<rt_messagequeue *>(rt_malloc(sizeof(rt_messagequeue) + pool));
    if (mq)
        make(*mq, RT_Object_Class_MessageQueue, name, mq + 1, msg_size, max_msgs, flag);
    return mq;
}

rt_err_t rt_mq_delete(rt_mq_t mq) {
    return rt::remove(rt::object_of(mq), RT_Object_Class_MessageQueue, rt::Made::dynamically, close,
                      RT_THIS_CALL);
}

rt_err_t rt_mq_send_wait(rt_mq_t mq, const void *buffer, rt_size_t size, rt_int32_t timeout) {
    return rt::mq_send(mq, buffer, size, 0, timeout, Until::done, RT_THIS_CALL);
}
rt_err_t rt_mq_send_wait_interruptible(rt_mq_t mq, const void *buffer, rt_size_t size, rt_int32_t timeout) {
    return rt::mq_send(mq, buffer, size, 0, timeout, Until::done_or_signal, RT_THIS_CALL);
}
RT_SAME_AS(rt_mq_send_wait, rt_mq_send_wait_killable);

rt_err_t rt_mq_send_wait_prio(rt_mq_t mq, const void *buffer, rt_size_t size, rt_int32_t prio,
                              rt_int32_t timeout, int suspend_flag) {
    return rt::mq_send(mq, buffer, size, prio, timeout, rt::until(suspend_flag), RT_THIS_CALL);
}

rt_err_t rt_mq_urgent(rt_mq_t mq, const void *buffer, rt_size_t size) {
    RT_REQUIRE(usable(mq) && buffer && size != 0, -RT_EINVAL);
    rt::call(rt::object_hooks.put, mq->parent.parent);
    return size > mq->msg_size ? -RT_ERROR : rt::error_of(rt::of(*mq).try_send_urgent(buffer, size));
}

rt_ssize_t rt_mq_recv_interruptible(rt_mq_t mq, void *buffer, rt_size_t size, rt_int32_t timeout) {
    return rt::mq_recv(mq, buffer, size, nullptr, timeout, Until::done_or_signal, RT_THIS_CALL);
}
rt_ssize_t rt_mq_recv_prio(rt_mq_t mq, void *buffer, rt_size_t size, rt_int32_t *prio, rt_int32_t timeout,
                           int suspend_flag) {
    return rt::mq_recv(mq, buffer, size, prio, timeout, rt::until(suspend_flag), RT_THIS_CALL);
}

rt_err_t rt_mq_control(rt_mq_t mq, int cmd, void *) {
    RT_REQUIRE(usable(mq), -RT_EINVAL);
    if (cmd != RT_IPC_CMD_RESET)
        return -RT_ERROR;
    rt::of(*mq).reset(Status::deleted);
    return RT_EOK;
}
}
