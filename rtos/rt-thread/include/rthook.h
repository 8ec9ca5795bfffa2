/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions the kernel calls at its events. One of a kind, set or (null) taken away; but several idle hooks. */
#ifndef RT_HOOK_H__
#define RT_HOOK_H__

#include <rtdef.h>

#ifdef __cplusplus
extern "C" {
#endif

void rt_object_attach_sethook(void (*hook)(struct rt_object *object));
void rt_object_detach_sethook(void (*hook)(struct rt_object *object));
/* Before a try, after a success, before a release of a semaphore, mutex, event, mailbox or message queue. */
void rt_object_trytake_sethook(void (*hook)(struct rt_object *object));
void rt_object_take_sethook(void (*hook)(struct rt_object *object));
void rt_object_put_sethook(void (*hook)(struct rt_object *object));

void rt_timer_enter_sethook(void (*hook)(struct rt_timer *timer));
void rt_timer_exit_sethook(void (*hook)(struct rt_timer *timer));

void rt_thread_suspend_sethook(void (*hook)(rt_thread_t thread));
void rt_thread_resume_sethook(void (*hook)(rt_thread_t thread));
void rt_thread_inited_sethook(void (*hook)(rt_thread_t thread));

/* Interrupts are masked in it. */
void rt_scheduler_sethook(void (*hook)(rt_thread_t from, rt_thread_t to));
void rt_scheduler_switch_sethook(void (*hook)(struct rt_thread *tid));

void rt_interrupt_enter_sethook(void (*hook)(void));
void rt_interrupt_leave_sethook(void (*hook)(void));

void rt_mp_alloc_sethook(void (*hook)(struct rt_mempool *mp, void *block));
void rt_mp_free_sethook(void (*hook)(struct rt_mempool *mp, void *block));
void rt_malloc_sethook(void (*hook)(void **ptr, rt_size_t size));
void rt_realloc_set_entry_hook(void (*hook)(void **ptr, rt_size_t size));
void rt_realloc_set_exit_hook(void (*hook)(void **ptr, rt_size_t size));
void rt_free_sethook(void (*hook)(void **ptr));

/*
 * Run when no other thread wants to, each time the guest is about to get the processor; not in the idle
 * thread, which runs the guest. Must not block. -RT_EFULL: all 4 places are taken; -RT_ENOSYS: not set.
 */
rt_err_t rt_thread_idle_sethook(void (*hook)(void));
rt_err_t rt_thread_idle_delhook(void (*hook)(void));

#define RT_OBJECT_HOOK_CALL(func, argv) \
	do { \
		if (func) \
			func argv; \
	} while (0)

#ifdef __cplusplus
}
#endif

#endif
