// SPDX-License-Identifier: BSD-3-Clause
#include "slow.hpp"
#include "wait.hpp"

using rt::Until;
using rtos::Mailbox;
using rtos::Status;

static bool usable(const rt_mailbox_t mb) {
    return rt::is_object(rt::object_of(mb), RT_Object_Class_MailBox);
}

static void make(rt_mailbox &mb, unsigned type, const char *name, void *pool, rt_size_t size,
                 rt_uint8_t flag) {
    mb.msg_pool = static_cast<rt_ubase_t *>(pool);
    mb.size = static_cast<rt_uint16_t>(size);
    rt::enlist(mb.parent.parent, type, name,
               &rt::make_kernel_object<Mailbox>(mb.kernel, static_cast<Mailbox::Message *>(pool),
                                                static_cast<uint32_t>(size), rt::order_of(flag)));
    mb.parent.parent.flag = flag;
}

static void close(rt_object &object) {
    rt::of(reinterpret_cast<rt_mailbox &>(object)).close();
}

rt_err_t rt::mb_send(rt_mailbox_t mb, rt_ubase_t value, rt_int32_t timeout, Until end, const char *call) {
    if (!usable(mb))
        return refuse("a mailbox", call);
    return rt::wait({mb->parent, timeout, end, call, -RT_EFULL}, rt::object_hooks.put, nullptr,
                    [=](rtos::Time deadline) { return rt::of(*mb).send(value, deadline); });
}

rt_err_t rt::mb_recv(rt_mailbox_t mb, rt_ubase_t *value, rt_int32_t timeout, Until end, const char *call) {
    if (!usable(mb) || !value)
        return refuse("a mailbox, and a place for the mail", call);
    Mailbox::Message message;
    const rt_err_t error = rt::wait(
        {mb->parent, timeout, end, call, -RT_ETIMEOUT}, rt::object_hooks.trytake, rt::object_hooks.take,
        [&](rtos::Time deadline) { return rt::of(*mb).receive(message, deadline); });
    if (error == RT_EOK)
        *value = message;
    return error;
}

extern "C" {

rt_err_t rt_mb_init(rt_mailbox_t mb, const char *name, void *msgpool, rt_size_t size, rt_uint8_t flag) {
    RT_REQUIRE(mb && msgpool && size != 0 && size <= RT_MB_ENTRY_MAX && flag <= RT_IPC_FLAG_PRIO, -RT_EINVAL);
    RT_REQUIRE(reinterpret_cast<uintptr_t>(msgpool) % alignof(rt_ubase_t) == 0, -RT_EINVAL);
    RT_REQUIRE(!rt::is_listed(mb->parent.parent, RT_Object_Class_MailBox), -RT_EINVAL);
    make(*mb, RT_Object_Class_MailBox | RT_Object_Class_Static, name, msgpool, size, flag);
    return RT_EOK;
}

rt_err_t rt_mb_detach(rt_mailbox_t mb) {
    return rt::remove(rt::object_of(mb), RT_Object_Class_MailBox, rt::Made::statically, close, RT_THIS_CALL);
}

rt_mailbox_t rt_mb_create(const char *name, rt_size_t size, rt_uint8_t flag) {
    RT_REQUIRE(size != 0 && size <= RT_MB_ENTRY_MAX && flag <= RT_IPC_FLAG_PRIO, nullptr);
    auto *const mb = static_cast<rt_mailbox *>(rt_malloc(sizeof(rt_mailbox) + size * sizeof(rt_ubase_t)));
    if (mb)
        make(*mb, RT_Object_Class_MailBox, name, mb + 1, size, flag);
    return mb;
}

rt_err_t rt_mb_delete(rt_mailbox_t mb) {
    return rt::remove(rt::object_of(mb), RT_Object_Class_MailBox, rt::Made::dynamically, close, RT_THIS_CALL);
}

rt_err_t rt_mb_send_wait(rt_mailbox_t mb, rt_ubase_t value, rt_int32_t timeout) {
    return rt::mb_send(mb, value, timeout, Until::done, RT_THIS_CALL);
}
rt_err_t rt_mb_send_wait_interruptible(rt_mailbox_t mb, rt_ubase_t value, rt_int32_t timeout) {
    return rt::mb_send(mb, value, timeout, Until::done_or_signal, RT_THIS_CALL);
}
RT_SAME_AS(rt_mb_send_wait, rt_mb_send_wait_killable);

rt_err_t rt_mb_urgent(rt_mailbox_t mb, rt_ubase_t value) {
    RT_REQUIRE(usable(mb), -RT_EINVAL);
    rt::call(rt::object_hooks.put, mb->parent.parent);
    return rt::error_of(rt::of(*mb).try_send_urgent(value));
}

rt_err_t rt_mb_recv_interruptible(rt_mailbox_t mb, rt_ubase_t *value, rt_int32_t timeout) {
    return rt::mb_recv(mb, value, timeout, Until::done_or_signal, RT_THIS_CALL);
}

rt_err_t rt_mb_control(rt_mailbox_t mb, int cmd, void *) {
    RT_REQUIRE(usable(mb), -RT_EINVAL);
    if (cmd != RT_IPC_CMD_RESET)
        return -RT_ERROR;
    rt::of(*mb).reset(Status::deleted);
    return RT_EOK;
}
}
