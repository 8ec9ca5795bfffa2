/* SPDX-License-Identifier: GPL-2.0-only */
/* The operations that one thread can repeat, timed: what the trace counts, seen by the RT clock. */
#include "bench.h"

enum { ROUNDS = 2400, MESSAGE = 16 };

static struct rt_semaphore sem, back;
static struct rt_mutex mutex;
static struct rt_mailbox box;
static rt_ubase_t box_pool[4];
static struct rt_messagequeue queue;
rt_align(RT_ALIGN_SIZE) static rt_uint8_t queue_pool[RT_MQ_BUF_SIZE(MESSAGE, 4)];
static rt_uint8_t message[MESSAGE], received[MESSAGE];
static rt_ubase_t mail;
static struct rt_timer timer;
static void expire(void *unused)
{
	(void)unused;
}

/* Time of ROUNDS rounds, per round, in hundredths of a ns */
#define LOOP(operation)                                           \
	({                                                        \
		const rt_uint32_t began = bench_counter();        \
		for (int i = 0; i < ROUNDS; ++i) {                \
			operation;                                \
		}                                                 \
		bench_centi_ns(bench_counter() - began) / ROUNDS; \
	})

static rt_uint32_t empty;

static void report(const char *name, rt_uint32_t measured)
{
	rt_kprintf("loop %s %u\n", name, (unsigned)(measured - empty));
}

static void answer(void *unused)
{
	(void)unused;
	for (int i = 0; i < ROUNDS; ++i) {
		rt_sem_take(&sem, RT_WAITING_FOREVER);
		rt_sem_release(&back);
	}
}
static void yield(void *unused)
{
	(void)unused;
	for (int i = 0; i < ROUNDS; ++i)
		rt_thread_yield();
}

static void start(void (*entry)(void *), rt_uint8_t priority)
{
	rt_thread_startup(rt_thread_create("bench", entry, RT_NULL, STACK, priority, SLICE));
}

void bench_loops(void)
{
	rt_sem_init(&sem, "sem", 1, RT_IPC_FLAG_PRIO);
	rt_sem_init(&back, "back", 0, RT_IPC_FLAG_PRIO);
	rt_mutex_init(&mutex, "mutex", RT_IPC_FLAG_PRIO);
	rt_mb_init(&box, "box", box_pool, 4, RT_IPC_FLAG_PRIO);
	rt_mq_init(&queue, "queue", queue_pool, MESSAGE, sizeof(queue_pool), RT_IPC_FLAG_PRIO);
	rt_timer_init(&timer, "timer", expire, RT_NULL, 20000, RT_TIMER_FLAG_ONE_SHOT);
	empty = LOOP(__asm__ volatile(""));
	report("sem_take_release", LOOP(rt_sem_take(&sem, RT_WAITING_FOREVER); rt_sem_release(&sem)));
	report("mutex_take_release",
	       LOOP(rt_mutex_take(&mutex, RT_WAITING_FOREVER); rt_mutex_release(&mutex)));
	report("mq_send_recv", LOOP(rt_mq_send(&queue, message, MESSAGE);
				    rt_mq_recv(&queue, received, MESSAGE, RT_WAITING_FOREVER)));
	report("mb_send_recv", LOOP(rt_mb_send(&box, 1); rt_mb_recv(&box, &mail, RT_WAITING_FOREVER)));
	report("timer_start_stop_behind_0", LOOP(rt_timer_start(&timer); rt_timer_stop(&timer)));
	rt_sem_take(&sem, RT_WAITING_NO);
	start(answer, HIGH);
	report("sem_ping_pong", LOOP(rt_sem_release(&sem); rt_sem_take(&back, RT_WAITING_FOREVER)));
	start(yield, MIDDLE);
	report("yield", LOOP(rt_thread_yield()) / 2);
	rt_thread_mdelay(2);
	rt_sem_detach(&sem);
	rt_sem_detach(&back);
	rt_mutex_detach(&mutex);
	rt_mb_detach(&box);
	rt_mq_detach(&queue);
	rt_timer_detach(&timer);
}
