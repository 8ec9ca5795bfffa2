/* SPDX-License-Identifier: GPL-2.0-only */
/* Message queues: contents, lengths, priorities, urgent messages, waiting at both ends. */
#include "suite.h"

enum { SIZE = 16, COUNT = 4 };
static struct rt_messagequeue queue;
rt_align(RT_ALIGN_SIZE) static rt_uint8_t pool[RT_MQ_BUF_SIZE(SIZE, COUNT)];
static volatile rt_err_t result;
static volatile rt_ssize_t received_length;

static void init(rt_uint8_t flag)
{
	uassert_equal(RT_EOK, rt_mq_init(&queue, "queue", pool, SIZE, sizeof(pool), flag));
}

static void receive(void *letter)
{
	char text[SIZE] = "?";
	const rt_ssize_t length = rt_mq_recv(&queue, text, sizeof(text), RT_WAITING_FOREVER);
	received_length = length;
	result = length < 0 ? (rt_err_t)length : RT_EOK;
	mark((char)(rt_ubase_t)letter);
	if (length > 0)
		mark(text[0]);
}
static void send_wait(void *letter)
{
	const char text = (char)(rt_ubase_t)letter;
	result = rt_mq_send_wait(&queue, &text, 1, RT_WAITING_FOREVER);
	mark(text);
}
#define LETTER(c) ((void *)(rt_ubase_t)(c))

static void test_contents(void)
{
	char text[SIZE + 1];
	init(RT_IPC_FLAG_PRIO);
	for (int round = 0; round < 3; ++round) {
		uassert_equal(RT_EOK, rt_mq_send(&queue, "0123456789abcdef", SIZE));
		uassert_equal(RT_EOK, rt_mq_send(&queue, "short", 5));
		uassert_equal(2, queue.entry);
		memset(text, 'x', sizeof(text));
		uassert_equal(SIZE, rt_mq_recv(&queue, text, SIZE, RT_WAITING_NO));
		uassert_buf_equal("0123456789abcdefx", text, SIZE + 1);
		memset(text, 'x', sizeof(text));
		uassert_equal(5, rt_mq_recv(&queue, text, SIZE, RT_WAITING_NO));
		uassert_buf_equal("shortx", text, 6); /* nothing behind it is written */
		uassert_equal(-RT_ETIMEOUT, rt_mq_recv(&queue, text, SIZE, RT_WAITING_NO));
	}
	/* a buffer shorter than the message gets its beginning */
	rt_mq_send(&queue, "0123456789", 10);
	memset(text, 'x', sizeof(text));
	uassert_equal(4, rt_mq_recv(&queue, text, 4, RT_WAITING_NO));
	uassert_buf_equal("0123x", text, 5);
	rt_mq_detach(&queue);
}

static void test_order_and_full(void)
{
	char c = 0;
	init(RT_IPC_FLAG_PRIO);
	rt_mq_send(&queue, "1", 1);
	rt_mq_send(&queue, "2", 1);
	rt_mq_send(&queue, "3", 1);
	uassert_equal(RT_EOK, rt_mq_urgent(&queue, "0", 1));
	uassert_equal(-RT_EFULL, rt_mq_send(&queue, "4", 1));
	uassert_equal(-RT_EFULL, rt_mq_urgent(&queue, "4", 1));
	uassert_equal(-RT_EFULL, rt_mq_send_wait(&queue, "4", 1, RT_WAITING_NO));
	for (char expected = '0'; expected <= '3'; ++expected) {
		uassert_equal(1, rt_mq_recv(&queue, &c, 1, RT_WAITING_NO));
		uassert_equal(expected, c);
	}
	rt_mq_detach(&queue);
}

static void test_priorities(void)
{
	rt_int32_t priority = -1;
	char text[4] = "";
	init(RT_IPC_FLAG_PRIO);
	uassert_equal(RT_EOK, rt_mq_send_wait_prio(&queue, "a", 1, 1, 0, RT_UNINTERRUPTIBLE));
	uassert_equal(RT_EOK, rt_mq_send_wait_prio(&queue, "b", 1, 3, 0, RT_UNINTERRUPTIBLE));
	uassert_equal(RT_EOK, rt_mq_send_wait_prio(&queue, "c", 1, 3, 0, RT_UNINTERRUPTIBLE));
	uassert_equal(RT_EOK, rt_mq_send(&queue, "d", 1)); /* priority 0 */
	static const struct {
		char text;
		int priority;
	} expected[] = { { 'b', 3 }, { 'c', 3 }, { 'a', 1 }, { 'd', 0 } };
	for (int i = 0; i < 4; ++i) {
		uassert_equal(1, rt_mq_recv_prio(&queue, text, 1, &priority, 0, RT_UNINTERRUPTIBLE));
		uassert_equal(expected[i].text, text[0]);
		uassert_equal(expected[i].priority, priority);
	}
	rt_mq_detach(&queue);
}

static void test_receivers(void)
{
	init(RT_IPC_FLAG_PRIO);
	suite_start("low", HIGHER + 1, receive, LETTER('l'));
	suite_start("high", HIGHER, receive, LETTER('h'));
	rt_mq_send(&queue, "1", 1);
	uassert_order("h1");
	uassert_equal(1, received_length);
	rt_mq_send(&queue, "234", 3);
	uassert_order("l2");
	uassert_equal(3, received_length);
	uassert_equal(0, queue.entry);
	rt_mq_detach(&queue);
	init(RT_IPC_FLAG_FIFO);
	suite_start("low", HIGHER + 1, receive, LETTER('l'));
	suite_start("high", HIGHER, receive, LETTER('h'));
	rt_mq_send(&queue, "1", 1);
	rt_mq_send(&queue, "2", 1);
	uassert_order("l1h2");
	rt_mq_detach(&queue);
}

static void test_senders(void)
{
	char text[SIZE];
	init(RT_IPC_FLAG_PRIO);
	for (int i = 0; i < COUNT; ++i)
		rt_mq_send(&queue, "m", 1);
	suite_start("low", HIGHER + 1, send_wait, LETTER('l'));
	suite_start("high", HIGHER, send_wait, LETTER('h'));
	uassert_order("");
	rt_mq_recv(&queue, text, SIZE, 0);
	uassert_order("h");
	rt_mq_recv(&queue, text, SIZE, 0);
	uassert_order("l");
	for (int i = 0; i < 3; ++i)
		rt_mq_recv(&queue, text, SIZE, 0);
	uassert_equal('h', text[0]);
	uassert_equal(1, rt_mq_recv(&queue, text, SIZE, 0));
	uassert_equal('l', text[0]);
	rt_mq_detach(&queue);
}

static void test_timeout(void)
{
	char text[SIZE];
	init(RT_IPC_FLAG_PRIO);
	rt_thread_delay(1);
	uassert_equal(3, TICKS_OF(uassert_equal(-RT_ETIMEOUT, rt_mq_recv(&queue, text, SIZE, 3))));
	for (int i = 0; i < COUNT; ++i)
		rt_mq_send(&queue, "m", 1);
	uassert_equal(3, TICKS_OF(uassert_equal(-RT_ETIMEOUT, rt_mq_send_wait(&queue, "x", 1, 3))));
	uassert_equal(COUNT, queue.entry);
	rt_mq_detach(&queue);
}

static void test_detach_and_reset(void)
{
	char text[SIZE];
	init(RT_IPC_FLAG_PRIO);
	suite_start("receives", HIGHER, receive, LETTER('r'));
	uassert_equal(RT_EOK, rt_mq_detach(&queue));
	uassert_order("r");
	uassert_equal(-RT_ERROR, result);
	init(RT_IPC_FLAG_PRIO);
	for (int i = 0; i < COUNT; ++i)
		rt_mq_send(&queue, "m", 1);
	suite_start("sends", HIGHER, send_wait, LETTER('s'));
	uassert_equal(RT_EOK, rt_mq_control(&queue, RT_IPC_CMD_RESET, RT_NULL));
	rt_schedule();
	uassert_order("s");
	uassert_equal(-RT_ERROR, result);
	uassert_equal(0, queue.entry);
	uassert_equal(-RT_ETIMEOUT, rt_mq_recv(&queue, text, SIZE, 0));
	for (int i = 0; i < COUNT; ++i)
		uassert_equal(RT_EOK, rt_mq_send(&queue, "m", 1)); /* nothing of the pool is lost */
	rt_mq_detach(&queue);
}

static void test_dynamic(void)
{
	rt_size_t total, before, after, peak;
	char text[100];
	rt_memory_info(&total, &before, &peak);
	rt_mq_t dynamic = rt_mq_create("dynamic", 100, 3, RT_IPC_FLAG_FIFO);
	uassert_not_null(dynamic);
	memset(text, 'd', sizeof(text));
	for (int i = 0; i < 3; ++i)
		uassert_equal(RT_EOK, rt_mq_send(dynamic, text, sizeof(text)));
	uassert_equal(-RT_EFULL, rt_mq_send(dynamic, text, sizeof(text)));
	uassert_equal(100, rt_mq_recv(dynamic, text, sizeof(text), 0));
	uassert_equal(RT_EOK, rt_mq_delete(dynamic));
	rt_memory_info(&total, &after, &peak);
	uassert_equal(before, after);
}

static void calls_in_isr(void *unused)
{
	char text[SIZE];
	(void)unused;
	uassert_equal(RT_EOK, rt_mq_send(&queue, "i", 1));
	uassert_equal(RT_EOK, rt_mq_send(&queue, "j", 1));
	uassert_equal(1, rt_mq_recv(&queue, text, SIZE, RT_WAITING_NO));
	uassert_equal('j', text[0]);
	uassert_refused(rt_mq_recv, -RT_ESCHEDISR, (&queue, text, SIZE, 5));
	for (int i = 0; i < COUNT; ++i)
		rt_mq_send(&queue, "m", 1);
	uassert_refused(rt_mq_send_wait, -RT_ESCHEDISR, (&queue, "n", 1, 5));
}

static void test_from_isr(void)
{
	init(RT_IPC_FLAG_PRIO);
	suite_start("receives", HIGHER, receive, LETTER('r'));
	suite_in_isr(calls_in_isr, RT_NULL);
	uassert_order("ri");
	rt_mq_detach(&queue);
}

static void test_bad_input(void)
{
	char text[SIZE + 1] = "";
	uassert_refused(rt_mq_init, -RT_EINVAL, (RT_NULL, "bad", pool, SIZE, sizeof(pool), RT_IPC_FLAG_PRIO));
	uassert_refused(rt_mq_init, -RT_EINVAL,
			(&queue, "bad", RT_NULL, SIZE, sizeof(pool), RT_IPC_FLAG_PRIO));
	uassert_refused(rt_mq_init, -RT_EINVAL, (&queue, "bad", pool, SIZE, sizeof(pool), 0x55));
	uassert_equal(-RT_EINVAL,
		      rt_mq_init(&queue, "small", pool, SIZE, 8, RT_IPC_FLAG_PRIO)); /* not one fits */
	uassert_null(rt_mq_create("large", 0x1000000, 16, RT_IPC_FLAG_PRIO));
	uassert_refused(rt_mq_send, -RT_EINVAL, (RT_NULL, text, 1));
	uassert_refused(rt_mq_recv, -RT_EINVAL, (RT_NULL, text, 1, 0));
	init(RT_IPC_FLAG_PRIO);
	uassert_equal(-RT_ERROR, rt_mq_send(&queue, text, SIZE + 1)); /* too long */
	uassert_equal(-RT_ERROR, rt_mq_urgent(&queue, text, SIZE + 1));
	uassert_equal(0, queue.entry);
	uassert_refused(rt_mq_send, -RT_EINVAL, (&queue, RT_NULL, 1));
	uassert_refused(rt_mq_send, -RT_EINVAL, (&queue, text, 0));
	uassert_refused(rt_mq_recv, -RT_EINVAL, (&queue, RT_NULL, 1, 0));
	uassert_refused(rt_mq_recv, -RT_EINVAL, (&queue, text, 0, 0));
	rt_mq_detach(&queue);
	uassert_refused(rt_mq_send, -RT_EINVAL, (&queue, text, 1));
	uassert_refused(rt_mq_recv, -RT_EINVAL, (&queue, text, 1, 0));
	uassert_refused(rt_mq_detach, -RT_EINVAL, (&queue));
}

static void testcase(void)
{
	UNIT(test_contents);
	UNIT(test_order_and_full);
	UNIT(test_priorities);
	UNIT(test_receivers);
	UNIT(test_senders);
	UNIT(test_timeout);
	UNIT(test_detach_and_reset);
	UNIT(test_dynamic);
	UNIT(test_from_isr);
	UNIT(test_bad_input);
}
SUITE("message_queue");
