/* SPDX-License-Identifier: GPL-2.0-only */
/* Completions, wait queues and data queues of the device framework. */
#include "suite.h"
#include <rtdevice.h>

static struct rt_completion completion;
static volatile rt_err_t result;

static void wait_forever(void *letter)
{
	result = rt_completion_wait(&completion, RT_WAITING_FOREVER);
	mark((char)(rt_ubase_t)letter);
}
#define LETTER(c) ((void *)(rt_ubase_t)(c))

static void done_in_isr(void *unused)
{
	(void)unused;
	rt_completion_done(&completion);
}

static void test_completion(void)
{
	rt_completion_init(&completion);
	rt_thread_delay(1);
	uassert_equal(3, TICKS_OF(uassert_equal(-RT_ETIMEOUT, rt_completion_wait(&completion, 3))));
	suite_start("waits", HIGHER, wait_forever, LETTER('w'));
	uassert_order("");
	rt_completion_done(&completion);
	uassert_order("w");
	uassert_equal(RT_EOK, result);
	/* done before anybody waits: the next does not */
	rt_completion_done(&completion);
	uassert_equal(0, TICKS_OF(uassert_equal(RT_EOK, rt_completion_wait(&completion, 10))));
	uassert_equal(-RT_ETIMEOUT, rt_completion_wait(&completion, 1)); /* once */
	suite_start("waits", HIGHER, wait_forever, LETTER('i'));
	suite_in_isr(done_in_isr, RT_NULL);
	uassert_order("i");
}

static rt_wqueue_t queue;
static volatile int condition;

static void wait_for_condition(void *letter)
{
	result = rt_wqueue_wait(&queue, condition, 1000);
	mark((char)(rt_ubase_t)letter);
}

static void test_wait_queue(void)
{
	rt_wqueue_init(&queue);
	condition = 0;
	rt_thread_delay(1);
	uassert_equal(5, TICKS_OF(uassert_equal(-RT_ETIMEOUT, rt_wqueue_wait(&queue, condition, 5))));
	condition = 1;
	uassert_equal(0, rt_wqueue_wait(&queue, condition, 5)); /* holds already */
	condition = 0;
	suite_start("waits", HIGHER, wait_for_condition, LETTER('w'));
	rt_wqueue_wakeup(
		&queue,
		RT_NULL); /* for nothing: it goes on waiting, or returns to look; the condition tells */
	condition = 1;
	rt_wqueue_wakeup(&queue, RT_NULL);
	rt_thread_delay(1);
	uassert_order("w");
	uassert_equal(0, result);
}

static struct rt_data_queue data_queue;
static volatile int high_water, low_water;

static void on_event(struct rt_data_queue *q, rt_uint32_t event)
{
	(void)q;
	if (event == RT_DATAQUEUE_EVENT_LWM)
		++low_water;
	else
		++high_water;
}

static void push_one(void *data)
{
	result = rt_data_queue_push(&data_queue, data, 1, RT_WAITING_FOREVER);
	mark('p');
}

static void test_data_queue(void)
{
	const void *data = RT_NULL;
	rt_size_t size = 0;
	uassert_equal(RT_EOK, rt_data_queue_init(&data_queue, 3, 1, on_event));
	uassert_equal(-RT_ETIMEOUT, rt_data_queue_pop(&data_queue, &data, &size, 0));
	for (rt_size_t i = 1; i <= 3; ++i)
		uassert_equal(RT_EOK, rt_data_queue_push(&data_queue, "abc" + i - 1, i, 0));
	uassert_equal(3, rt_data_queue_len(&data_queue));
	uassert_equal(-RT_ETIMEOUT, rt_data_queue_push(&data_queue, "d", 1, 0)); /* full */
	uassert_equal(RT_EOK, rt_data_queue_peek(&data_queue, &data, &size));
	uassert_equal(1, size);
	for (rt_size_t i = 1; i <= 3; ++i) {
		uassert_equal(RT_EOK, rt_data_queue_pop(&data_queue, &data, &size, 0));
		uassert_equal(i, size);
		uassert_equal('a' + (int)i - 1, *(const char *)data);
	}
	uassert_true(low_water > 0);
	for (int i = 0; i < 3; ++i)
		rt_data_queue_push(&data_queue, "x", 1, 0);
	suite_start("pushes", HIGHER, push_one, (void *)"y");
	uassert_order("");
	rt_data_queue_pop(&data_queue, &data, &size, 0);
	rt_data_queue_pop(&data_queue, &data, &size, 0);
	rt_thread_delay(1);
	uassert_order("p");
	uassert_equal(RT_EOK, result);
	rt_data_queue_reset(&data_queue);
	uassert_equal(0, rt_data_queue_len(&data_queue));
	uassert_equal(RT_EOK, rt_data_queue_deinit(&data_queue));
}

static void testcase(void)
{
	UNIT(test_completion);
	UNIT(test_wait_queue);
	UNIT(test_data_queue);
}
SUITE("completion");
