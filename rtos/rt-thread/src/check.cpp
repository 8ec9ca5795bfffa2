// SPDX-License-Identifier: BSD-3-Clause
#include "check.hpp"

#include <rtos/interrupt.hpp>
#include <rtos/thread.hpp>

extern "C" {
void (*rt_assert_hook)(const char *ex, const char *func, rt_size_t line);

void rt_assert_set_hook(void (*hook)(const char *ex, const char *func, rt_size_t line)) {
    rt_assert_hook = hook;
}

void rt_assert_handler(const char *ex, const char *func, rt_size_t line) {
    if (rt_assert_hook)
        return rt_assert_hook(ex, func, line);
    rtos::assertion_failed(ex, func, "RT_ASSERT", static_cast<int>(line));
    if (!rtos::in_interrupt())
        rtos::Thread::exit();
}
}

namespace rt {

void report_refusal(const char *condition, const char *call, int line) {
    if (rt_assert_hook)
        rt_assert_hook(condition, call, static_cast<rt_size_t>(line));
    else
        rtos::assertion_failed(condition, call, "RT-Thread API", line);
}

rt_err_t error_of(rtos::Status status) {
    using rtos::Status;
    switch (status) {
    case Status::ok:
        return RT_EOK;
    case Status::timeout:
        return -RT_ETIMEOUT;
    case Status::would_block:
        return rtos::in_interrupt() ? -RT_ESCHEDISR : -RT_ESCHEDLOCKED;
    case Status::invalid:
        return -RT_EINVAL;
    case Status::no_memory:
        return -RT_ENOMEM;
    case Status::full:
        return -RT_EFULL;
    case Status::empty:
        return -RT_EEMPTY;
    case Status::busy:
        return -RT_EBUSY;
    case Status::interrupted:
        return -RT_EINTR;
    default: // deleted, not_owner, deadlock, ended
        return -RT_ERROR;
    }
}

rt_err_t fail(rt_err_t error) {
    if (error != RT_EOK)
        rt_set_errno(error);
    return error;
}

rt_err_t blocking_error() {
    return rtos::Thread::may_block() ? RT_EOK : error_of(rtos::Status::would_block);
}

} // namespace rt
