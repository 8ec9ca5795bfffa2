// SPDX-License-Identifier: BSD-3-Clause
#include "wait.hpp"

using rt::Until;
using rtos::Mailbox;
using rtos::Status;

static bool usable(const rt_mailbox_t mb) {
    return rt::is_object(&mb->parent.parent, RT_Object_Class_MailBox);
}

static bool plain(const rt_mailbox_t mb) {
    return mb && rt::plain(mb->parent, RT_Object_Class_MailBox);
}

static void make(rt_mailbox &mb, unsigned type, const char *name, void *pool, rt_size_t size, rt_uint8_t flag) {
    mb.msg_pool = static_cast<rt_ubase_t *>(pool);
    mb.size = static_cast<rt_uint16_t>(size);
    rt::enlist(mb.parent.parent, type, name,
               &rt::make_kernel_object<Mailbox>(mb.kernel, static_cast<Mailbox::Message *>(pool),
                                                static_cast<uint32_t>(size), rt::order_of(flag)));
    mb.parent.parent.flag = flag;
}

static void unmake(rt_mailbox &mb) {
    rt::delist(mb.parent.parent);
    rt::of(mb).close();
}

[[gnu::noinline]] static rt_err_t send_slowly(rt_mailbox_t mb, rt_ubase_t value, rt_int32_t timeout, Until end,
                                              const char *call) {
    if (!usable(mb)) {
        if (rtos::debug)
            rt::report_refusal("a mailbox", call, __LINE__);
        return -RT_EINVAL;
    }
    rt::call(rt::object_hooks.put, mb->parent.parent);
    if (rt::of(*mb).try_send(value) == Status::ok)
        return RT_EOK;
    RT_REQUIRE_BLOCKING(call, timeout, -RT_EFULL);
    return rt::fail(rt::error_of(rt::wait(mb->parent, end, timeout, [=](rtos::Time deadline) {
        return rt::of(*mb).send(value, deadline);
    })));
}

[[gnu::noinline]] static rt_err_t receive_slowly(rt_mailbox_t mb, rt_ubase_t *value, rt_int32_t timeout,
                                                 Until end, const char *call) {
    if (!usable(mb) || !value) {
        if (rtos::debug)
            rt::report_refusal("a mailbox, and a place for the mail", call, __LINE__);
        return -RT_EINVAL;
    }
    rt::call(rt::object_hooks.trytake, mb->parent.parent);
    Mailbox::Message message;
    if (rt::of(*mb).try_receive(message) != Status::ok) {
        RT_REQUIRE_BLOCKING(call, timeout, -RT_ETIMEOUT);
        const Status result = rt::wait(mb->parent, end, timeout, [&](rtos::Time deadline) {
            return rt::of(*mb).receive(message, deadline);
        });
        if (result != Status::ok)
            return rt::fail(rt::error_of(result));
    }
    *value = message;
    rt::call(rt::object_hooks.take, mb->parent.parent);
    return RT_EOK;
}

[[gnu::always_inline]] static inline rt_err_t send(rt_mailbox_t mb, rt_ubase_t value, rt_int32_t timeout,
                                                   Until end, const char *call) {
    if (plain(mb) && rt::of(*mb).try_send(value) == Status::ok) [[likely]]
        return RT_EOK;
    return send_slowly(mb, value, timeout, end, call);
}

[[gnu::always_inline]] static inline rt_err_t receive(rt_mailbox_t mb, rt_ubase_t *value, rt_int32_t timeout,
                                                      Until end, const char *call) {
    Mailbox::Message message;
    if (plain(mb) && value && rt::of(*mb).try_receive(message) == Status::ok) [[likely]] {
        *value = message;
        return RT_EOK;
    }
    return receive_slowly(mb, value, timeout, end, call);
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
    RT_REQUIRE(mb && rt::is_static_object(&mb->parent.parent, RT_Object_Class_MailBox), -RT_EINVAL);
    unmake(*mb);
    return RT_EOK;
}

rt_mailbox_t rt_mb_create(const char *name, rt_size_t size, rt_uint8_t flag) {
    RT_REQUIRE(size != 0 && size <= RT_MB_ENTRY_MAX && flag <= RT_IPC_FLAG_PRIO, nullptr);
    auto *const mb = static_cast<rt_mailbox *>(rt_malloc(sizeof(rt_mailbox) + size * sizeof(rt_ubase_t)));
    if (mb)
        make(*mb, RT_Object_Class_MailBox, name, mb + 1, size, flag);
    return mb;
}

rt_err_t rt_mb_delete(rt_mailbox_t mb) {
    RT_REQUIRE(mb && rt::is_dynamic_object(&mb->parent.parent, RT_Object_Class_MailBox), -RT_EINVAL);
    unmake(*mb);
    rt_free(mb);
    return RT_EOK;
}

rt_err_t rt_mb_send(rt_mailbox_t mb, rt_ubase_t value) {
    return send(mb, value, RT_WAITING_NO, Until::done, __func__);
}
rt_err_t rt_mb_send_interruptible(rt_mailbox_t mb, rt_ubase_t value) {
    return send(mb, value, RT_WAITING_NO, Until::done_or_signal, __func__);
}
rt_err_t rt_mb_send_killable(rt_mailbox_t mb, rt_ubase_t value) {
    return send(mb, value, RT_WAITING_NO, Until::done, __func__);
}
rt_err_t rt_mb_send_wait(rt_mailbox_t mb, rt_ubase_t value, rt_int32_t timeout) {
    return send(mb, value, timeout, Until::done, __func__);
}
rt_err_t rt_mb_send_wait_interruptible(rt_mailbox_t mb, rt_ubase_t value, rt_int32_t timeout) {
    return send(mb, value, timeout, Until::done_or_signal, __func__);
}
rt_err_t rt_mb_send_wait_killable(rt_mailbox_t mb, rt_ubase_t value, rt_int32_t timeout) {
    return send(mb, value, timeout, Until::done, __func__);
}

rt_err_t rt_mb_urgent(rt_mailbox_t mb, rt_ubase_t value) {
    RT_REQUIRE(usable(mb), -RT_EINVAL);
    rt::call(rt::object_hooks.put, mb->parent.parent);
    return rt::error_of(rt::of(*mb).try_send_urgent(value));
}

rt_err_t rt_mb_recv(rt_mailbox_t mb, rt_ubase_t *value, rt_int32_t timeout) {
    return receive(mb, value, timeout, Until::done, __func__);
}
rt_err_t rt_mb_recv_interruptible(rt_mailbox_t mb, rt_ubase_t *value, rt_int32_t timeout) {
    return receive(mb, value, timeout, Until::done_or_signal, __func__);
}
rt_err_t rt_mb_recv_killable(rt_mailbox_t mb, rt_ubase_t *value, rt_int32_t timeout) {
    return receive(mb, value, timeout, Until::done, __func__);
}

rt_err_t rt_mb_control(rt_mailbox_t mb, int cmd, void *) {
    RT_REQUIRE(usable(mb), -RT_EINVAL);
    if (cmd != RT_IPC_CMD_RESET)
        return -RT_ERROR;
    rt::of(*mb).reset(Status::deleted);
    return RT_EOK;
}
}
