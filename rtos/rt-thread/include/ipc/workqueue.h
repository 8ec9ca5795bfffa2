/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions for a thread to call, one after the other. */
#ifndef RT_WORKQUEUE_H__
#define RT_WORKQUEUE_H__

#include <rtthread.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
	RT_WORK_STATE_PENDING = 0x0001,
	RT_WORK_STATE_SUBMITTING = 0x0002,
};

enum {
	RT_WORK_TYPE_DELAYED = 0x0001,
};

struct rt_workqueue;

struct rt_work {
	void (*work_func)(struct rt_work *work, void *work_data);
	void *work_data;
	struct rt_workqueue *workqueue; /* the last one it was submitted to */
	RT_KERNEL_STORAGE(WORK);
};

void rt_work_init(struct rt_work *work, void (*work_func)(struct rt_work *work, void *work_data),
		  void *work_data);

struct rt_workqueue *rt_workqueue_create(const char *name, rt_uint16_t stack_size, rt_uint8_t priority);
rt_err_t rt_workqueue_destroy(struct rt_workqueue *queue);
/* -RT_EBUSY: pending already. Any context. */
rt_err_t rt_workqueue_dowork(struct rt_workqueue *queue, struct rt_work *work);
rt_err_t rt_workqueue_submit_work(struct rt_workqueue *queue, struct rt_work *work, rt_tick_t ticks);
rt_err_t rt_workqueue_urgent_work(struct rt_workqueue *queue, struct rt_work *work);
rt_err_t rt_workqueue_critical_work(struct rt_workqueue *queue, struct rt_work *work);
/* -RT_EBUSY: it runs right now. */
rt_err_t rt_workqueue_cancel_work(struct rt_workqueue *queue, struct rt_work *work);
/* Waits until it does not run any more. */
rt_err_t rt_workqueue_cancel_work_sync(struct rt_workqueue *queue, struct rt_work *work);
rt_err_t rt_workqueue_cancel_all_work(struct rt_workqueue *queue);

/* The same on the system's queue. */
rt_err_t rt_work_submit(struct rt_work *work, rt_tick_t ticks);
rt_err_t rt_work_urgent(struct rt_work *work);
rt_err_t rt_work_cancel(struct rt_work *work);

#ifdef __cplusplus
}
#endif

#endif
