/* SPDX-License-Identifier: GPL-2.0-only */
/* Work queues: order, delays, cancelling. */
#include "suite.h"
#include <rtdevice.h>

static struct rt_workqueue *queue;
static struct rt_work work[4];
static rt_thread_t worked_in;
static volatile rt_tick_t worked_at;

static void do_work(struct rt_work *w, void *letter)
{
	(void)w;
	mark((char)(rt_ubase_t)letter);
	worked_in = rt_thread_self();
	worked_at = rt_tick_get();
}
static void do_slow_work(struct rt_work *w, void *letter)
{
	do_work(w, letter);
	rt_thread_delay(3);
}
#define LETTER(c) ((void *)(rt_ubase_t)(c))

static void test_order(void)
{
	queue = rt_workqueue_create("work", STACK, LOWER);
	uassert_not_null(queue);
	for (int i = 0; i < 3; ++i) {
		rt_work_init(&work[i], do_work, LETTER('a' + i));
		uassert_equal(RT_EOK, rt_workqueue_submit_work(queue, &work[i], 0));
	}
	rt_work_init(&work[3], do_work, LETTER('u'));
	uassert_equal(RT_EOK, rt_workqueue_urgent_work(queue, &work[3]));
	uassert_order("");
	rt_thread_delay(2);
	const char *seen = marks();
	uassert_equal(4, (int)strlen(seen));
	uassert_equal('u', seen[0]);
	uassert_true(worked_in && worked_in != rt_thread_self());
	/* the same work again, now that it is done */
	uassert_equal(RT_EOK, rt_workqueue_dowork(queue, &work[0]));
	rt_thread_delay(2);
	uassert_order("a");
}

static void test_delayed(void)
{
	rt_work_init(&work[0], do_work, LETTER('d'));
	rt_thread_delay(1);
	const rt_tick_t began = rt_tick_get();
	uassert_equal(RT_EOK, rt_workqueue_submit_work(queue, &work[0], 5));
	rt_thread_delay(8);
	uassert_order("d");
	uassert_equal(5, worked_at - began);
}

static void test_cancel(void)
{
	rt_work_init(&work[0], do_work, LETTER('c'));
	rt_workqueue_submit_work(queue, &work[0], 5);
	uassert_equal(RT_EOK, rt_workqueue_cancel_work(queue, &work[0]));
	rt_workqueue_submit_work(queue, &work[0], 0);
	uassert_equal(RT_EOK, rt_workqueue_cancel_work(queue, &work[0]));
	rt_thread_delay(8);
	uassert_order("");
	/* one that runs: sync waits for its end */
	rt_work_init(&work[0], do_slow_work, LETTER('s'));
	rt_workqueue_submit_work(queue, &work[0], 0);
	rt_thread_delay(1);
	uassert_order("s");
	rt_work_init(&work[1], do_work, LETTER('n'));
	rt_workqueue_submit_work(queue, &work[1], 0);
	uassert_equal(RT_EOK, rt_workqueue_cancel_work_sync(queue, &work[0]));
	rt_workqueue_cancel_all_work(queue);
	rt_thread_delay(3);
	marks();
}

static void submit_in_isr(void *unused)
{
	(void)unused;
	uassert_equal(RT_EOK, rt_workqueue_submit_work(queue, &work[0], 0));
}

static void test_from_isr(void)
{
	rt_work_init(&work[0], do_work, LETTER('i'));
	suite_in_isr(submit_in_isr, RT_NULL);
	rt_thread_delay(2);
	uassert_order("i");
}

static void test_system_queue(void)
{
	rt_work_init(&work[0], do_work, LETTER('y'));
	uassert_equal(RT_EOK, rt_work_submit(&work[0], 2));
	rt_thread_delay(4);
	uassert_order("y");
	rt_work_submit(&work[0], 2);
	uassert_equal(RT_EOK, rt_work_cancel(&work[0]));
	rt_thread_delay(4);
	uassert_order("");
}

static void test_destroy(void)
{
	rt_size_t total, before, after, peak;
	uassert_equal(RT_EOK, rt_workqueue_destroy(queue));
	rt_thread_delay(3);
	rt_memory_info(&total, &before, &peak);
	for (int i = 0; i < 5; ++i) {
		queue = rt_workqueue_create("work", STACK, LOWER);
		uassert_not_null(queue);
		uassert_equal(RT_EOK, rt_workqueue_destroy(queue));
		rt_thread_delay(3);
	}
	rt_memory_info(&total, &after, &peak);
	uassert_equal(before, after);
}

static void testcase(void)
{
	UNIT(test_order);
	UNIT(test_delayed);
	UNIT(test_cancel);
	UNIT(test_from_isr);
	UNIT(test_system_queue);
	UNIT(test_destroy);
}
SUITE("workqueue");
