/* SPDX-License-Identifier: GPL-2.0-only */
/* The operations, each REPEATED times between marks that a trace shows. */
#include "bench.h"

enum { REPEATED = 20, MESSAGE = 16 };

__attribute__((noinline)) void bench_begin(void)
{
	__asm__ volatile("");
}
__attribute__((noinline)) void bench_end(void)
{
	__asm__ volatile("" ::: "memory");
}

static struct rt_semaphore to_high, to_low;
static struct rt_mutex mutex;
static struct rt_mailbox box;
static rt_ubase_t box_pool[4];
static struct rt_messagequeue queue;
rt_align(RT_ALIGN_SIZE) static rt_uint8_t queue_pool[RT_MQ_BUF_SIZE(MESSAGE, 4)];
static rt_uint8_t message[MESSAGE], received[MESSAGE];
static rt_ubase_t mail;

#define OPERATION(name)                                       \
	__attribute__((noinline, used)) void op_##name(void); \
	void op_##name(void)

OPERATION(nothing)
{
	bench_begin();
	bench_end();
}
OPERATION(sem_take_release)
{
	bench_begin();
	rt_sem_take(&to_low, RT_WAITING_FOREVER);
	rt_sem_release(&to_low);
	bench_end();
}
OPERATION(mutex_take_release)
{
	bench_begin();
	rt_mutex_take(&mutex, RT_WAITING_FOREVER);
	rt_mutex_release(&mutex);
	bench_end();
}
OPERATION(mq_send_recv)
{
	bench_begin();
	rt_mq_send(&queue, message, MESSAGE);
	rt_mq_recv(&queue, received, MESSAGE, RT_WAITING_FOREVER);
	bench_end();
}
OPERATION(mb_send_recv)
{
	bench_begin();
	rt_mb_send(&box, 1);
	rt_mb_recv(&box, &mail, RT_WAITING_FOREVER);
	bench_end();
}

/* The waiter's end comes when it runs. */
OPERATION(sem_to_waiter)
{
	bench_begin();
	rt_sem_release(&to_high);
}
OPERATION(mq_to_waiter)
{
	bench_begin();
	rt_mq_send(&queue, message, MESSAGE);
}
OPERATION(mb_to_waiter)
{
	bench_begin();
	rt_mb_send(&box, 1);
}
OPERATION(sem_ping_pong)
{
	bench_begin();
	rt_sem_release(&to_high);
	rt_sem_take(&to_low, RT_WAITING_FOREVER);
	bench_end();
}

static void take_sem(void *unused)
{
	(void)unused;
	for (int i = 0; i < REPEATED; ++i) {
		rt_sem_take(&to_high, RT_WAITING_FOREVER);
		bench_end();
	}
}
static void receive_message(void *unused)
{
	(void)unused;
	for (int i = 0; i < REPEATED; ++i) {
		rt_mq_recv(&queue, received, MESSAGE, RT_WAITING_FOREVER);
		bench_end();
	}
}
static void receive_mail(void *unused)
{
	(void)unused;
	for (int i = 0; i < REPEATED; ++i) {
		rt_mb_recv(&box, &mail, RT_WAITING_FOREVER);
		bench_end();
	}
}
static void answer(void *unused)
{
	(void)unused;
	for (int i = 0; i < REPEATED; ++i) {
		rt_sem_take(&to_high, RT_WAITING_FOREVER);
		rt_sem_release(&to_low);
	}
}

static void repeat(void (*operation)(void))
{
	for (int i = 0; i < REPEATED; ++i)
		operation();
}

static rt_thread_t start(void (*entry)(void *), rt_uint8_t priority)
{
	rt_thread_t thread = rt_thread_create("bench", entry, RT_NULL, STACK, priority, SLICE);
	rt_thread_startup(thread);
	return thread;
}

static void with_waiter(void (*operation)(void), void (*waiter)(void *))
{
	start(waiter, HIGH);
	repeat(operation);
	rt_thread_mdelay(2); /* until it is reaped */
}

/* Two threads of equal priority: one's begin is followed by the other's end. */
OPERATION(yield)
{
	for (int i = 0; i < REPEATED; ++i) {
		bench_begin();
		rt_thread_yield();
		bench_end();
	}
}
static void yield_entry(void *unused)
{
	(void)unused;
	op_yield();
}

static struct rt_timer timer;
static void expire(void *unused)
{
	(void)unused;
}
static void timer_start_stop(void)
{
	bench_begin();
	rt_timer_start(&timer);
	rt_timer_stop(&timer);
	bench_end();
}
OPERATION(timer_start_stop_behind_0)
{
	repeat(timer_start_stop);
}
OPERATION(timer_start_stop_behind_16)
{
	repeat(timer_start_stop);
}
OPERATION(timer_start_stop_behind_1000)
{
	repeat(timer_start_stop);
}

static struct rt_timer others[1000];
static void others_up_to(int from, int count)
{
	for (int i = from; i < count; ++i) {
		rt_timer_init(&others[i], "other", expire, RT_NULL, 10000 + (rt_tick_t)i,
			      RT_TIMER_FLAG_ONE_SHOT);
		rt_timer_start(&others[i]);
	}
}

static void timers(void)
{
	rt_timer_init(&timer, "timer", expire, RT_NULL, 20000, RT_TIMER_FLAG_ONE_SHOT);
	rt_thread_mdelay(500); /* until the log is written: its thread's timeout is a timer too */
	op_timer_start_stop_behind_0();
	others_up_to(0, 16);
	op_timer_start_stop_behind_16();
	others_up_to(16, 1000);
	op_timer_start_stop_behind_1000();
	for (int i = 0; i < 1000; ++i)
		rt_timer_detach(&others[i]);
	rt_timer_detach(&timer);
}

/*
 * From the interrupt's vector, where the trace begins to count, to the timer's ISR and the thread that this wakes; and
 * the same by a timer of RT-Thread's.
 */
static void end_in_isr(void *unused)
{
	(void)unused;
	bench_end();
}
static void wake_high(void *unused)
{
	(void)unused;
	rt_sem_release(&to_high);
}
OPERATION(irq_to_isr)
{
	for (int i = 0; i < REPEATED; ++i) {
		bench_interrupt_after_us(100, end_in_isr);
		rt_thread_mdelay(1);
	}
}
OPERATION(irq_to_thread)
{
	start(take_sem, HIGH);
	for (int i = 0; i < REPEATED; ++i) {
		bench_interrupt_after_us(100, wake_high);
		rt_thread_mdelay(1);
	}
}
OPERATION(irq_to_thread_by_rt_timer)
{
	start(take_sem, HIGH);
	rt_timer_init(&timer, "thread", wake_high, RT_NULL, 1, RT_TIMER_FLAG_PERIODIC);
	rt_timer_start(&timer);
	rt_thread_mdelay(REPEATED + 1);
	rt_timer_detach(&timer);
}

__attribute__((noinline)) void bench_operations_end(void)
{
	__asm__ volatile("");
}

void bench_operations(void)
{
	rt_sem_init(&to_high, "high", 0, RT_IPC_FLAG_PRIO);
	rt_sem_init(&to_low, "low", 1, RT_IPC_FLAG_PRIO);
	rt_mutex_init(&mutex, "mutex", RT_IPC_FLAG_PRIO);
	rt_mb_init(&box, "box", box_pool, 4, RT_IPC_FLAG_PRIO);
	rt_mq_init(&queue, "queue", queue_pool, MESSAGE, sizeof(queue_pool), RT_IPC_FLAG_PRIO);
	repeat(op_nothing);
	repeat(op_sem_take_release);
	repeat(op_mutex_take_release);
	repeat(op_mq_send_recv);
	repeat(op_mb_send_recv);
	rt_sem_take(&to_low, RT_WAITING_NO);
	with_waiter(op_sem_to_waiter, take_sem);
	with_waiter(op_mq_to_waiter, receive_message);
	with_waiter(op_mb_to_waiter, receive_mail);
	with_waiter(op_sem_ping_pong, answer);
	rt_enter_critical();
	start(yield_entry, MIDDLE + 1);
	start(yield_entry, MIDDLE + 1);
	rt_exit_critical();
	rt_thread_mdelay(2 * SLICE); /* until the last of their slices is over, and with it its timer */
	timers();
	op_irq_to_isr();
	op_irq_to_thread();
	op_irq_to_thread_by_rt_timer();
	bench_operations_end();
	rt_sem_detach(&to_high);
	rt_sem_detach(&to_low);
	rt_mutex_detach(&mutex);
	rt_mb_detach(&box);
	rt_mq_detach(&queue);
}
