// SPDX-License-Identifier: BSD-3-Clause
#include <rtguest.h>
#include <rtthread.h>

#include <rtos/guest.hpp>

static rt_err_t result(rtos::Status status) {
    return status == rtos::Status::ok ? RT_EOK : -RT_EINVAL;
}

extern "C" {

rt_uint32_t rt_guest_state(void) {
    return rtos::guest_state();
}

rt_err_t rt_guest_set_policy(rt_uint32_t cause, rt_uint32_t after) {
    return result(rtos::guest_set_policy(cause, after));
}
rt_uint32_t rt_guest_policy(rt_uint32_t cause) {
    return rtos::guest_policy(cause);
}

rt_err_t rt_guest_start(void) {
    return result(rtos::guest_start());
}
rt_err_t rt_guest_stop(void) {
    return result(rtos::guest_stop());
}
rt_err_t rt_guest_restart(void) {
    return result(rtos::guest_restart());
}

rt_err_t rt_guest_set_watchdog(rt_uint32_t milliseconds) {
    return result(rtos::guest_set_watchdog(rtos::milliseconds(milliseconds)));
}

rt_uint32_t rt_guest_ends(rt_uint32_t cause) {
    return rtos::guest_ends(cause);
}
rt_uint32_t rt_guest_lives(void) {
    return rtos::guest_lives();
}
rt_uint32_t rt_guest_last_cause(void) {
    return rtos::guest_last_cause();
}

rt_size_t rt_guest_report(rt_size_t offset, void *to, rt_size_t size) {
    return static_cast<rt_size_t>(rtos::guest_report(offset, to, size));
}

} // extern "C"
