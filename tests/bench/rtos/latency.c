/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From a timer's interrupt to its ISR and to the thread that this wakes by a semaphore, thousands of times; the guest
 * runs meanwhile, or other RT threads that are in kernel calls most of their time.
 */
#include "bench.h"

/* The period is no multiple of the clock's tick, so samples begin anywhere in one. */
enum { SAMPLES = 2000, PERIOD_US = 237, CALLERS = 3 };

struct record {
	rt_uint32_t count, min, max;
	rt_uint64_t sum;
};

static struct record latency;
static struct rt_semaphore expired, call_sem[2], done;
static struct rt_mutex call_mutex;
static struct rt_messagequeue call_queue;
rt_align(RT_ALIGN_SIZE) static rt_uint8_t call_pool[RT_MQ_BUF_SIZE(16, 4)];
static struct rt_timer call_timer;
static volatile rt_uint32_t due;
static volatile rt_uint32_t served; /* when the ISR began, or 0: the thread is measured */
static volatile rt_bool_t calling;

static void add(struct record *r, rt_uint32_t ticks)
{
	if (r->count == 0 || ticks < r->min)
		r->min = ticks;
	if (ticks > r->max)
		r->max = ticks;
	r->sum += ticks;
	++r->count;
}

static void report(const char *name)
{
	rt_kprintf("latency %s %u %u %u %u\n", name, (unsigned)latency.count,
		   (unsigned)(bench_centi_ns(latency.min) / 100),
		   (unsigned)(bench_centi_ns(latency.sum) / latency.count / 100),
		   (unsigned)(bench_centi_ns(latency.max) / 100));
}

static void wake_thread(void *unused)
{
	(void)unused;
	rt_sem_release(&expired);
}

static void note_and_wake_thread(void *unused)
{
	served = bench_counter();
	wake_thread(unused);
}

/* Where other timers come between, only the ISR knows for when the hardware was armed; it needs ten instructions. */
static void note_expiry_and_wake_thread(void *unused)
{
	due = bench_expiry();
	wake_thread(unused);
}

static void sample(void *isr)
{
	while (latency.count < SAMPLES) {
		due = bench_interrupt_after_us(PERIOD_US, (void (*)(void *))isr);
		rt_sem_take(&expired, RT_WAITING_FOREVER);
		const rt_uint32_t now = served ? served : bench_counter();
		if (due)
			add(&latency, now - due);
		served = 0;
	}
	rt_sem_release(&done);
}

static void measure(const char *name, void (*isr)(void *))
{
	latency = (struct record){ 0 };
	rt_sem_init(&expired, "expired", 0, RT_IPC_FLAG_PRIO);
	rt_thread_startup(rt_thread_create("sample", sample, (void *)isr, STACK, HIGH, SLICE));
	rt_sem_take(&done, RT_WAITING_FOREVER);
	rt_sem_detach(&expired);
	report(name);
}

static void nothing(void *unused)
{
	(void)unused;
}

/* Each does all of it, at its own priority: they wait for each other and preempt each other. */
static void call(void *index)
{
	char message[16];
	const int i = (int)(rt_ubase_t)index;
	while (calling) {
		rt_mutex_take(&call_mutex, RT_WAITING_FOREVER);
		rt_sem_release(&call_sem[i & 1]);
		rt_mq_send(&call_queue, "fifteen letters", 16);
		rt_mutex_release(&call_mutex);
		rt_sem_take(&call_sem[~i & 1], 1);
		rt_mq_recv(&call_queue, message, sizeof(message), 0);
		rt_timer_start(&call_timer);
		rt_free(rt_malloc(48));
	}
	rt_sem_release(&done);
}

static void measure_beside_calls(void)
{
	rt_sem_init(&call_sem[0], "call0", 0, RT_IPC_FLAG_PRIO);
	rt_sem_init(&call_sem[1], "call1", 0, RT_IPC_FLAG_PRIO);
	rt_mutex_init(&call_mutex, "call", RT_IPC_FLAG_PRIO);
	rt_mq_init(&call_queue, "call", call_pool, 16, sizeof(call_pool), RT_IPC_FLAG_PRIO);
	rt_timer_init(&call_timer, "call", nothing, RT_NULL, 3, RT_TIMER_FLAG_ONE_SHOT);
	calling = RT_TRUE;
	for (rt_ubase_t i = 0; i < CALLERS; ++i)
		rt_thread_startup(rt_thread_create("calls", call, (void *)i, STACK,
						   (rt_uint8_t)(MIDDLE + 1 + i), SLICE));
	measure("calls.thread", note_expiry_and_wake_thread);
	calling = RT_FALSE;
	for (int i = 0; i < CALLERS; ++i) {
		rt_sem_release(&call_sem[0]);
		rt_sem_release(&call_sem[1]);
		rt_sem_take(&done, RT_WAITING_FOREVER);
	}
	rt_timer_detach(&call_timer);
	rt_sem_detach(&call_sem[0]);
	rt_sem_detach(&call_sem[1]);
	rt_mutex_detach(&call_mutex);
	rt_mq_detach(&call_queue);
}

void bench_latency(void)
{
	rt_sem_init(&done, "done", 0, RT_IPC_FLAG_PRIO);
	measure("isr", note_and_wake_thread);
	measure("thread", wake_thread);
	measure_beside_calls();
	rt_sem_detach(&done);
}
