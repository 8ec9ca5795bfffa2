/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Budgets of processor time: rtos/budget.hpp has the contract. None is on unless started; times in microseconds.
 * A struct rt_budget is the caller's, zeroed before its first start.
 */
#ifndef RT_BUDGET_H__
#define RT_BUDGET_H__

#include <rtdef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct rt_budget {
	rt_uint64_t kernel[28];
	void (*hook)(struct rt_budget *budget, void *argument);
	void *argument;
	rt_bool_t made;
};

#define RT_BUDGET_FLAG_REPORT 0x00   /* count an overrun, and call the hook */
#define RT_BUDGET_FLAG_THROTTLE 0x01 /* and keep what overran from running until the period's end */

/* The hook, which may be null, runs in the timer's ISR. -RT_EINVAL: on already, or out of range. */
rt_err_t rt_thread_budget_start(struct rt_budget *budget, rt_thread_t thread, rt_uint32_t runtime, rt_uint32_t period,
                                rt_uint8_t flag, void (*hook)(struct rt_budget *budget, void *argument),
                                void *argument);
/* Of all threads together; throttled are those of this priority and lower ones. One at a time. */
rt_err_t rt_sched_budget_start(struct rt_budget *budget, rt_uint8_t priority, rt_uint32_t runtime, rt_uint32_t period,
                               rt_uint8_t flag, void (*hook)(struct rt_budget *budget, void *argument),
                               void *argument);
/* Before a thread's object goes, too. -RT_EINVAL: not on. */
rt_err_t rt_budget_stop(struct rt_budget *budget);
rt_uint32_t rt_budget_overruns(struct rt_budget *budget);

#ifdef __cplusplus
}
#endif

#endif
