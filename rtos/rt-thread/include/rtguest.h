/* SPDX-License-Identifier: BSD-3-Clause */
/* The guest's life in C, in RT-Thread's style: rtos/guest.hpp has the contract. Any context. */
#ifndef RT_GUEST_H__
#define RT_GUEST_H__

#include <rtdef.h>
#include <rtmux/abi/life.h>

#ifdef __cplusplus
extern "C" {
#endif

/* RTMUX_GUEST_* of rtmux/abi/rtos.h */
rt_uint32_t rt_guest_state(void);

/* cause: the first RTMUX_POLICIES of RTMUX_CAUSE_*; after: RTMUX_AFTER_*. -RT_EINVAL */
rt_err_t rt_guest_set_policy(rt_uint32_t cause, rt_uint32_t after);
rt_uint32_t rt_guest_policy(rt_uint32_t cause);

/* -RT_EINVAL: it runs (start), or does not (stop, restart) */
rt_err_t rt_guest_start(void);
rt_err_t rt_guest_stop(void);
rt_err_t rt_guest_restart(void);

/* milliseconds until its first call, from its next start on; 0: none is due. -RT_EINVAL: more than an hour */
rt_err_t rt_guest_set_watchdog(rt_uint32_t milliseconds);

rt_uint32_t rt_guest_ends(rt_uint32_t cause);
rt_uint32_t rt_guest_lives(void);
rt_uint32_t rt_guest_last_cause(void);

/* A piece of the report of its last end; bytes copied, 0: there are no more */
rt_size_t rt_guest_report(rt_size_t offset, void *to, rt_size_t size);

#ifdef __cplusplus
}
#endif

#endif
