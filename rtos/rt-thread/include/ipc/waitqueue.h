/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads that wait for something that others announce; what it is, the wake-up function decides. */
#ifndef RT_WAITQUEUE_H__
#define RT_WAITQUEUE_H__

#include <rtthread.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RT_WQ_FLAG_CLEAN 0x00
#define RT_WQ_FLAG_WAKEUP 0x01 /* announced while nobody waited */

struct rt_wqueue_node;
/* Not 0: leave this waiter asleep. IRQs are masked in it. */
typedef int (*rt_wqueue_func_t)(struct rt_wqueue_node *wait, void *key);

struct rt_wqueue_node {
	rt_thread_t polling_thread;
	rt_list_t list;
	rt_wqueue_func_t wakeup;
	rt_uint32_t key;
};
typedef struct rt_wqueue_node rt_wqueue_node_t;

int __wqueue_default_wake(struct rt_wqueue_node *wait, void *key);

rt_inline void rt_wqueue_init(rt_wqueue_t *queue)
{
	queue->flag = RT_WQ_FLAG_CLEAN;
	rt_list_init(&queue->waiting_list);
}

#define RT_WQUEUE_INIT(queue) { RT_WQ_FLAG_CLEAN, RT_LIST_OBJECT_INIT((queue).waiting_list) }

void rt_wqueue_add(rt_wqueue_t *queue, struct rt_wqueue_node *node);
void rt_wqueue_remove(struct rt_wqueue_node *node);
/* 0: woken, or the condition holds; -RT_ETIMEOUT. timeout: milliseconds, negative is no limit. */
int rt_wqueue_wait(rt_wqueue_t *queue, int condition, int timeout);
int rt_wqueue_wait_killable(rt_wqueue_t *queue, int condition, int timeout);
int rt_wqueue_wait_interruptible(rt_wqueue_t *queue, int condition, int timeout);
/* Wake the first waiter whose function says so; or all of them. Any context. */
void rt_wqueue_wakeup(rt_wqueue_t *queue, void *key);
void rt_wqueue_wakeup_all(rt_wqueue_t *queue, void *key);

#define DEFINE_WAIT_FUNC(name, function) \
	struct rt_wqueue_node name = { rt_thread_self(), RT_LIST_OBJECT_INIT((name).list), function, 0 }
#define DEFINE_WAIT(name) DEFINE_WAIT_FUNC(name, __wqueue_default_wake)

#ifdef __cplusplus
}
#endif

#endif
