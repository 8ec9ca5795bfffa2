/* SPDX-License-Identifier: BSD-3-Clause */
/* Something that is done once, or once at a time, and waited for. */
#ifndef RT_COMPLETION_H__
#define RT_COMPLETION_H__

#include <rtdef.h>

#ifdef __cplusplus
extern "C" {
#endif

struct rt_completion {
	rt_uint32_t state; /* 0: to be initialised by its first user */
	RT_KERNEL_STORAGE(COMPLETION);
};

#define RT_COMPLETION_INIT(comp) { 0 }

void rt_completion_init(struct rt_completion *completion);
/* Wait until it is done, which it is no more then. -RT_ETIMEOUT. */
rt_err_t rt_completion_wait(struct rt_completion *completion, rt_int32_t timeout);
rt_err_t rt_completion_wait_flags(struct rt_completion *completion, rt_int32_t timeout, int suspend_flag);
/* Any context, as the rest. */
void rt_completion_done(struct rt_completion *completion);
/* The same. -RT_EBUSY: it is done already; -RT_EEMPTY: nobody waited, the next one will not have to. */
rt_err_t rt_completion_wakeup(struct rt_completion *completion);

#ifdef __cplusplus
}
#endif

#endif
