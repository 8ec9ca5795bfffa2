/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * RT-Thread 5's kernel API. Semantics and return codes are those of its manual; docs/rtos.md lists what
 * is not here. Unless said otherwise: -RT_EINVAL is a null, deleted or wrong object or an argument out of its range;
 * a call that would block returns -RT_ESCHEDISR in an ISR, -RT_ESCHEDLOCKED where the scheduler is locked or
 * interrupts are disabled. Timeouts are in ticks; RT_WAITING_FOREVER, or any negative number, is no limit.
 */
#ifndef RT_THREAD_H__
#define RT_THREAD_H__

#include <rtatomic.h>
#include <rtconfig.h>
#include <rtdef.h>
#include <rtdevice_core.h>
#include <rthook.h>
#include <rtinit.h>
#include <rtklibc.h>
#include <rtservice.h>
#include <signal.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- Objects ------------------------------------------------------------------------------------------ */

struct rt_object_information *rt_object_get_information(enum rt_object_class_type type);
int rt_object_get_length(enum rt_object_class_type type);
int rt_object_get_pointers(enum rt_object_class_type type, rt_object_t *pointers, int maxlen);
void rt_object_init(struct rt_object *object, enum rt_object_class_type type, const char *name);
void rt_object_detach(rt_object_t object);
rt_object_t rt_object_allocate(enum rt_object_class_type type, const char *name);
void rt_object_delete(rt_object_t object);
rt_bool_t rt_object_is_systemobject(rt_object_t object);
rt_uint8_t rt_object_get_type(rt_object_t object);
rt_err_t rt_object_for_each(rt_uint8_t type, rt_object_iter_t iter, void *data);
rt_object_t rt_object_find(const char *name, rt_uint8_t type);
rt_err_t rt_object_get_name(rt_object_t object, char *name, rt_uint8_t name_size);
rt_object_t rt_custom_object_create(const char *name, void *data, rt_err_t (*data_destroy)(void *data));
rt_err_t rt_custom_object_destroy(rt_object_t obj);

/* --- Clock and timers --------------------------------------------------------------------------------- */

/* The RT clock in ticks of a millisecond; there is no tick interrupt. Any context. */
rt_tick_t rt_tick_get(void);
void rt_tick_set(rt_tick_t tick);
rt_tick_t rt_tick_from_millisecond(rt_int32_t ms); /* negative: RT_WAITING_FOREVER */
rt_tick_t rt_tick_get_millisecond(void);

void rt_timer_init(rt_timer_t timer, const char *name, void (*timeout)(void *parameter), void *parameter,
		   rt_tick_t time, rt_uint8_t flag);
rt_err_t rt_timer_detach(rt_timer_t timer);
rt_timer_t rt_timer_create(const char *name, void (*timeout)(void *parameter), void *parameter, rt_tick_t time,
			   rt_uint8_t flag);
rt_err_t rt_timer_delete(rt_timer_t timer);
/* Any context. */
rt_err_t rt_timer_start(rt_timer_t timer);
rt_err_t rt_timer_stop(rt_timer_t timer); /* -RT_ERROR: not active */
rt_err_t rt_timer_control(rt_timer_t timer, int cmd, void *arg);

/* --- Threads ------------------------------------------------------------------------------------------ */

/* stack_start: the caller's memory, without a guard page. */
rt_err_t rt_thread_init(struct rt_thread *thread, const char *name, void (*entry)(void *parameter),
			void *parameter, void *stack_start, rt_uint32_t stack_size, rt_uint8_t priority,
			rt_uint32_t tick);
rt_err_t rt_thread_detach(rt_thread_t thread);
/* A stack of whole pages with a guard page below. Null: no memory or an argument out of its range. */
rt_thread_t rt_thread_create(const char *name, void (*entry)(void *parameter), void *parameter,
			     rt_uint32_t stack_size, rt_uint8_t priority, rt_uint32_t tick);
rt_err_t rt_thread_delete(rt_thread_t thread);
rt_thread_t rt_thread_self(void);
rt_thread_t rt_thread_find(char *name);
rt_err_t rt_thread_startup(rt_thread_t thread);
rt_err_t rt_thread_yield(void);
rt_err_t rt_thread_delay(rt_tick_t tick);
rt_err_t rt_thread_delay_until(rt_tick_t *tick, rt_tick_t inc_tick);
rt_err_t rt_thread_mdelay(rt_int32_t ms);
rt_err_t rt_thread_control(rt_thread_t thread, int cmd, void *arg);
rt_err_t rt_thread_suspend(rt_thread_t thread);
rt_err_t rt_thread_suspend_with_flag(rt_thread_t thread, int suspend_flag);
rt_err_t rt_thread_resume(rt_thread_t thread);
rt_err_t rt_thread_get_name(rt_thread_t thread, char *name, rt_uint8_t name_size);
void rt_thread_exit(void) rt_noreturn;

/* The scheduler switches by itself; this is where a switch that was held back happens. */
void rt_schedule(void);
/* No other thread until rt_exit_critical(); interrupts come. Nests; returns the level before. */
rt_base_t rt_enter_critical(void);
void rt_exit_critical(void);
void rt_exit_critical_safe(rt_base_t critical_level);
rt_uint16_t rt_critical_level(void);

/* --- Signals ------------------------------------------------------------------------------------------ */

void rt_signal_mask(int signo);
void rt_signal_unmask(int signo);
rt_sighandler_t rt_signal_install(int signo, rt_sighandler_t handler);
int rt_signal_wait(const rt_sigset_t *set, rt_siginfo_t *si, rt_int32_t timeout);
int rt_thread_kill(rt_thread_t tid, int sig);
void rt_thread_alloc_sig(rt_thread_t tid);
void rt_thread_free_sig(rt_thread_t tid);

/* --- Semaphore ---------------------------------------------------------------------------------------- */

rt_err_t rt_sem_init(rt_sem_t sem, const char *name, rt_uint32_t value, rt_uint8_t flag);
rt_err_t rt_sem_detach(rt_sem_t sem);
rt_sem_t rt_sem_create(const char *name, rt_uint32_t value, rt_uint8_t flag);
rt_err_t rt_sem_delete(rt_sem_t sem);
rt_err_t rt_sem_take(rt_sem_t sem, rt_int32_t timeout);
rt_err_t rt_sem_take_interruptible(rt_sem_t sem, rt_int32_t timeout);
rt_err_t rt_sem_take_killable(rt_sem_t sem, rt_int32_t timeout);
rt_err_t rt_sem_trytake(rt_sem_t sem);   /* any context */
rt_err_t rt_sem_release(rt_sem_t sem);   /* any context */
rt_err_t rt_sem_control(rt_sem_t sem, int cmd, void *arg);

/* --- Mutex: recursive, with priority inheritance ------------------------------------------------------ */

rt_err_t rt_mutex_init(rt_mutex_t mutex, const char *name, rt_uint8_t flag);
rt_err_t rt_mutex_detach(rt_mutex_t mutex);
rt_mutex_t rt_mutex_create(const char *name, rt_uint8_t flag);
rt_err_t rt_mutex_delete(rt_mutex_t mutex);
rt_err_t rt_mutex_take(rt_mutex_t mutex, rt_int32_t timeout);
rt_err_t rt_mutex_take_interruptible(rt_mutex_t mutex, rt_int32_t timeout);
rt_err_t rt_mutex_take_killable(rt_mutex_t mutex, rt_int32_t timeout);
rt_err_t rt_mutex_trytake(rt_mutex_t mutex);
rt_err_t rt_mutex_release(rt_mutex_t mutex);
rt_err_t rt_mutex_control(rt_mutex_t mutex, int cmd, void *arg);
/* Returns the ceiling before; 0xff is none. */
rt_uint8_t rt_mutex_setprioceiling(rt_mutex_t mutex, rt_uint8_t priority);
rt_uint8_t rt_mutex_getprioceiling(rt_mutex_t mutex);
rt_thread_t rt_mutex_get_owner(rt_mutex_t mutex);
rt_ubase_t rt_mutex_get_hold(rt_mutex_t mutex);

/* --- Event -------------------------------------------------------------------------------------------- */

rt_err_t rt_event_init(rt_event_t event, const char *name, rt_uint8_t flag);
rt_err_t rt_event_detach(rt_event_t event);
rt_event_t rt_event_create(const char *name, rt_uint8_t flag);
rt_err_t rt_event_delete(rt_event_t event);
rt_err_t rt_event_send(rt_event_t event, rt_uint32_t set); /* any context */
rt_err_t rt_event_recv(rt_event_t event, rt_uint32_t set, rt_uint8_t opt, rt_int32_t timeout,
		       rt_uint32_t *recved);
rt_err_t rt_event_recv_interruptible(rt_event_t event, rt_uint32_t set, rt_uint8_t opt, rt_int32_t timeout,
				     rt_uint32_t *recved);
rt_err_t rt_event_recv_killable(rt_event_t event, rt_uint32_t set, rt_uint8_t opt, rt_int32_t timeout,
				rt_uint32_t *recved);
rt_err_t rt_event_control(rt_event_t event, int cmd, void *arg);

/* --- Mailbox ------------------------------------------------------------------------------------------ */

rt_err_t rt_mb_init(rt_mailbox_t mb, const char *name, void *msgpool, rt_size_t size, rt_uint8_t flag);
rt_err_t rt_mb_detach(rt_mailbox_t mb);
rt_mailbox_t rt_mb_create(const char *name, rt_size_t size, rt_uint8_t flag);
rt_err_t rt_mb_delete(rt_mailbox_t mb);
rt_err_t rt_mb_send(rt_mailbox_t mb, rt_ubase_t value); /* any context */
rt_err_t rt_mb_send_interruptible(rt_mailbox_t mb, rt_ubase_t value);
rt_err_t rt_mb_send_killable(rt_mailbox_t mb, rt_ubase_t value);
rt_err_t rt_mb_send_wait(rt_mailbox_t mb, rt_ubase_t value, rt_int32_t timeout);
rt_err_t rt_mb_send_wait_interruptible(rt_mailbox_t mb, rt_ubase_t value, rt_int32_t timeout);
rt_err_t rt_mb_send_wait_killable(rt_mailbox_t mb, rt_ubase_t value, rt_int32_t timeout);
rt_err_t rt_mb_urgent(rt_mailbox_t mb, rt_ubase_t value); /* any context */
rt_err_t rt_mb_recv(rt_mailbox_t mb, rt_ubase_t *value, rt_int32_t timeout);
rt_err_t rt_mb_recv_interruptible(rt_mailbox_t mb, rt_ubase_t *value, rt_int32_t timeout);
rt_err_t rt_mb_recv_killable(rt_mailbox_t mb, rt_ubase_t *value, rt_int32_t timeout);
rt_err_t rt_mb_control(rt_mailbox_t mb, int cmd, void *arg);

/* --- Message queue ------------------------------------------------------------------------------------ */

/* What a message takes beyond its bytes, rounded up to RT_ALIGN_SIZE. */
struct rt_mq_message {
	struct rt_mq_message *next;
	rt_ssize_t length;
	rt_int32_t prio;
};
#define RT_MQ_BUF_SIZE(msg_size, max_msgs) \
	((RT_ALIGN((msg_size), RT_ALIGN_SIZE) + sizeof(struct rt_mq_message)) * (max_msgs))

rt_err_t rt_mq_init(rt_mq_t mq, const char *name, void *msgpool, rt_size_t msg_size, rt_size_t pool_size,
		    rt_uint8_t flag);
rt_err_t rt_mq_detach(rt_mq_t mq);
rt_mq_t rt_mq_create(const char *name, rt_size_t msg_size, rt_size_t max_msgs, rt_uint8_t flag);
rt_err_t rt_mq_delete(rt_mq_t mq);
/* -RT_ERROR: size is more than a message's. Any context, as rt_mq_urgent(). */
rt_err_t rt_mq_send(rt_mq_t mq, const void *buffer, rt_size_t size);
rt_err_t rt_mq_send_interruptible(rt_mq_t mq, const void *buffer, rt_size_t size);
rt_err_t rt_mq_send_killable(rt_mq_t mq, const void *buffer, rt_size_t size);
rt_err_t rt_mq_send_wait(rt_mq_t mq, const void *buffer, rt_size_t size, rt_int32_t timeout);
rt_err_t rt_mq_send_wait_interruptible(rt_mq_t mq, const void *buffer, rt_size_t size, rt_int32_t timeout);
rt_err_t rt_mq_send_wait_killable(rt_mq_t mq, const void *buffer, rt_size_t size, rt_int32_t timeout);
rt_err_t rt_mq_urgent(rt_mq_t mq, const void *buffer, rt_size_t size);
/* The length of the message, of which at most size bytes are copied; or an error. */
rt_ssize_t rt_mq_recv(rt_mq_t mq, void *buffer, rt_size_t size, rt_int32_t timeout);
rt_ssize_t rt_mq_recv_interruptible(rt_mq_t mq, void *buffer, rt_size_t size, rt_int32_t timeout);
rt_ssize_t rt_mq_recv_killable(rt_mq_t mq, void *buffer, rt_size_t size, rt_int32_t timeout);
rt_err_t rt_mq_control(rt_mq_t mq, int cmd, void *arg);
rt_err_t rt_mq_send_wait_prio(rt_mq_t mq, const void *buffer, rt_size_t size, rt_int32_t prio,
			      rt_int32_t timeout, int suspend_flag);
rt_ssize_t rt_mq_recv_prio(rt_mq_t mq, void *buffer, rt_size_t size, rt_int32_t *prio, rt_int32_t timeout,
			   int suspend_flag);

/* --- Memory ------------------------------------------------------------------------------------------- */

rt_err_t rt_mp_init(struct rt_mempool *mp, const char *name, void *start, rt_size_t size, rt_size_t block_size);
rt_err_t rt_mp_detach(struct rt_mempool *mp);
rt_mp_t rt_mp_create(const char *name, rt_size_t block_count, rt_size_t block_size);
rt_err_t rt_mp_delete(rt_mp_t mp);
void *rt_mp_alloc(rt_mp_t mp, rt_int32_t time);
void rt_mp_free(void *block); /* any context */

/* Null: no memory. Aligned to RT_ALIGN_SIZE. A double free and a damaged heap are reported on the console. */
void *rt_malloc(rt_size_t size);
void rt_free(void *ptr);
void *rt_realloc(void *ptr, rt_size_t newsize);
void *rt_calloc(rt_size_t count, rt_size_t size);
void *rt_malloc_align(rt_size_t size, rt_size_t align);
void rt_free_align(void *ptr);
void rt_memory_info(rt_size_t *total, rt_size_t *used, rt_size_t *max_used);

rt_smem_t rt_smem_init(const char *name, void *begin_addr, rt_size_t size);
rt_err_t rt_smem_detach(rt_smem_t m);
void *rt_smem_alloc(rt_smem_t m, rt_size_t size);
void *rt_smem_realloc(rt_smem_t m, void *rmem, rt_size_t newsize);
void rt_smem_free(void *rmem);

rt_err_t rt_memheap_init(struct rt_memheap *memheap, const char *name, void *start_addr, rt_size_t size);
rt_err_t rt_memheap_detach(struct rt_memheap *heap);
void *rt_memheap_alloc(struct rt_memheap *heap, rt_size_t size);
void *rt_memheap_realloc(struct rt_memheap *heap, void *ptr, rt_size_t newsize);
void rt_memheap_free(void *ptr);
void rt_memheap_info(struct rt_memheap *heap, rt_size_t *total, rt_size_t *used, rt_size_t *max_used);

rt_slab_t rt_slab_init(const char *name, void *begin_addr, rt_size_t size);
rt_err_t rt_slab_detach(rt_slab_t m);
void *rt_slab_page_alloc(rt_slab_t m, rt_size_t npages);
void rt_slab_page_free(rt_slab_t m, void *addr, rt_size_t npages);
void *rt_slab_alloc(rt_slab_t m, rt_size_t size);
void *rt_slab_realloc(rt_slab_t m, void *ptr, rt_size_t size);
void rt_slab_free(rt_slab_t m, void *ptr);

/* --- Interrupts --------------------------------------------------------------------------------------- */

/* An ISR of this kernel needs neither; ported ones may call both. */
void rt_interrupt_enter(void);
void rt_interrupt_leave(void);
rt_uint8_t rt_interrupt_get_nest(void); /* not 0: in an ISR */

/* The lock's part of one processor: no other thread; with irqsave, no interrupt either. */
void rt_spin_lock_init(struct rt_spinlock *lock);
void rt_spin_lock(struct rt_spinlock *lock);
void rt_spin_unlock(struct rt_spinlock *lock);
rt_base_t rt_spin_lock_irqsave(struct rt_spinlock *lock);
void rt_spin_unlock_irqrestore(struct rt_spinlock *lock, rt_base_t level);

/* --- Kernel services ---------------------------------------------------------------------------------- */

/* To the console, or to the device set; any context, in an ISR as far as there is room. */
int rt_kprintf(const char *fmt, ...);
void rt_kputs(const char *str);
rt_device_t rt_console_set_device(const char *name); /* null or unknown: back to the board's console */
rt_device_t rt_console_get_device(void);

rt_err_t rt_get_errno(void);
void rt_set_errno(rt_err_t no);
int *_rt_errno(void);
const char *rt_strerror(rt_err_t error);

int __rt_ffs(int value); /* number of the lowest set bit, from 1; 0: none */
unsigned long __rt_ffsl(unsigned long value);
unsigned long __rt_clz(unsigned long value);
void rt_show_version(void);
#define rt_cpu_get_id() 0

rt_inline rt_bool_t rt_in_thread_context(void)
{
	return rt_interrupt_get_nest() == 0;
}

rt_inline rt_bool_t rt_scheduler_is_available(void)
{
	return rt_critical_level() == 0 && rt_in_thread_context();
}

#ifdef __cplusplus
}
#endif

#include <finsh.h>
#include <rtdebug.h>

#endif
