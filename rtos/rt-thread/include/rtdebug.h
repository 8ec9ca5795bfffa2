/* SPDX-License-Identifier: BSD-3-Clause */
/* Assertions, active with RTOS_DEBUG. */
#ifndef RT_DEBUG_H__
#define RT_DEBUG_H__

#include <rtthread.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Reports, then calls the hook; without one the calling thread ends. */
void rt_assert_handler(const char *ex, const char *func, rt_size_t line);
void rt_assert_set_hook(void (*hook)(const char *ex, const char *func, rt_size_t line));
extern void (*rt_assert_hook)(const char *ex, const char *func, rt_size_t line);

#ifdef __cplusplus
}
#endif

#ifdef RT_DEBUGING_ASSERT
#define RT_ASSERT(EX) \
	do { \
		if (!(EX)) \
			rt_assert_handler(#EX, __func__, __LINE__); \
	} while (0);
#else
#define RT_ASSERT(EX) { RT_UNUSED(EX); }
#endif

#ifdef RT_DEBUGING_CONTEXT
#define RT_DEBUG_NOT_IN_INTERRUPT RT_ASSERT(rt_interrupt_get_nest() == 0)
#define RT_DEBUG_IN_THREAD_CONTEXT RT_DEBUG_NOT_IN_INTERRUPT
#define RT_DEBUG_SCHEDULER_AVAILABLE(need_check) RT_ASSERT(!(need_check) || rt_scheduler_is_available())
#else
#define RT_DEBUG_NOT_IN_INTERRUPT
#define RT_DEBUG_IN_THREAD_CONTEXT
#define RT_DEBUG_SCHEDULER_AVAILABLE(need_check)
#endif

#endif
