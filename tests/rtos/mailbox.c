/* SPDX-License-Identifier: GPL-2.0-only */
/* Mailboxes: order, full and empty, waiting at both ends. */
#include "suite.h"

enum { SIZE = 4 };
static struct rt_mailbox box;
/* A word on either side that nobody may touch */
enum { UNTOUCHED = 0x5aa5 };
static rt_ubase_t memory[SIZE + 2] = { [0] = UNTOUCHED, [SIZE + 1] = UNTOUCHED }, *const pool = memory + 1;
static volatile rt_err_t result;

static void receive(void *letter)
{
	rt_ubase_t mail = 0;
	result = rt_mb_recv(&box, &mail, RT_WAITING_FOREVER);
	mark((char)(rt_ubase_t)letter);
	if (result == RT_EOK)
		mark((char)mail);
}
static void send_wait(void *letter)
{
	result = rt_mb_send_wait(&box, (rt_ubase_t)letter, RT_WAITING_FOREVER);
	mark((char)(rt_ubase_t)letter);
}
#define LETTER(c) ((void *)(rt_ubase_t)(c))

static void init(rt_uint8_t flag)
{
	uassert_equal(RT_EOK, rt_mb_init(&box, "box", pool, SIZE, flag));
}

static void test_order(void)
{
	rt_ubase_t mail = 0;
	init(RT_IPC_FLAG_PRIO);
	for (int round = 0; round < 3; ++round) { /* the ring wraps */
		for (rt_ubase_t i = 1; i <= 3; ++i)
			uassert_equal(RT_EOK, rt_mb_send(&box, 100 + i));
		uassert_equal(3, box.entry);
		uassert_equal(RT_EOK, rt_mb_urgent(&box, 99));
		uassert_equal(-RT_EFULL, rt_mb_send(&box, 1));
		uassert_equal(-RT_EFULL, rt_mb_urgent(&box, 1));
		uassert_equal(-RT_EFULL, rt_mb_send_wait(&box, 1, RT_WAITING_NO));
		for (rt_ubase_t i = 0; i <= 3; ++i) {
			uassert_equal(RT_EOK, rt_mb_recv(&box, &mail, RT_WAITING_NO));
			uassert_equal(i == 0 ? 99 : 100 + i, mail);
		}
		uassert_equal(-RT_ETIMEOUT, rt_mb_recv(&box, &mail, RT_WAITING_NO));
	}
	uassert_true(memory[0] == UNTOUCHED && memory[SIZE + 1] == UNTOUCHED);
	rt_mb_detach(&box);
}

static void test_receivers(void)
{
	init(RT_IPC_FLAG_PRIO);
	suite_start("low", HIGHER + 1, receive, LETTER('l'));
	suite_start("high", HIGHER, receive, LETTER('h'));
	rt_mb_send(&box, '1');
	uassert_order("h1");
	rt_mb_send(&box, '2');
	uassert_order("l2");
	uassert_equal(0, box.entry);
	rt_mb_detach(&box);
	init(RT_IPC_FLAG_FIFO);
	suite_start("low", HIGHER + 1, receive, LETTER('l'));
	suite_start("high", HIGHER, receive, LETTER('h'));
	rt_mb_send(&box, '1');
	rt_mb_send(&box, '2');
	uassert_order("l1h2");
	rt_mb_detach(&box);
}

static void test_senders(void)
{
	rt_ubase_t mail = 0;
	init(RT_IPC_FLAG_PRIO);
	for (int i = 0; i < SIZE; ++i)
		rt_mb_send(&box, 'm');
	suite_start("low", HIGHER + 1, send_wait, LETTER('l'));
	suite_start("high", HIGHER, send_wait, LETTER('h'));
	uassert_order("");
	rt_mb_recv(&box, &mail, 0);
	uassert_order("h");
	rt_mb_recv(&box, &mail, 0);
	uassert_order("l");
	rt_mb_recv(&box, &mail, 0);
	rt_mb_recv(&box, &mail, 0);
	uassert_equal('m', mail);
	rt_mb_recv(&box, &mail, 0);
	uassert_equal('h', mail);
	rt_mb_recv(&box, &mail, 0);
	uassert_equal('l', mail);
	rt_mb_detach(&box);
}

static void test_timeout(void)
{
	rt_ubase_t mail;
	init(RT_IPC_FLAG_PRIO);
	rt_thread_delay(1);
	uassert_equal(3, TICKS_OF(uassert_equal(-RT_ETIMEOUT, rt_mb_recv(&box, &mail, 3))));
	for (int i = 0; i < SIZE; ++i)
		rt_mb_send(&box, 'm');
	uassert_equal(3, TICKS_OF(uassert_equal(-RT_ETIMEOUT, rt_mb_send_wait(&box, 1, 3))));
	uassert_equal(SIZE, box.entry);
	rt_mb_detach(&box);
}

static void test_detach_and_reset(void)
{
	rt_ubase_t mail;
	init(RT_IPC_FLAG_PRIO);
	suite_start("receives", HIGHER, receive, LETTER('r'));
	uassert_equal(RT_EOK, rt_mb_detach(&box));
	uassert_order("r");
	uassert_equal(-RT_ERROR, result);
	init(RT_IPC_FLAG_PRIO);
	for (int i = 0; i < SIZE; ++i)
		rt_mb_send(&box, 'm');
	suite_start("sends", HIGHER, send_wait, LETTER('s'));
	uassert_equal(RT_EOK, rt_mb_control(&box, RT_IPC_CMD_RESET, RT_NULL));
	rt_schedule();
	uassert_order("s");
	uassert_equal(-RT_ERROR, result);
	uassert_equal(-RT_ETIMEOUT, rt_mb_recv(&box, &mail, 0));
	rt_mb_detach(&box);
	rt_mailbox_t dynamic = rt_mb_create("dynamic", SIZE, RT_IPC_FLAG_FIFO);
	uassert_not_null(dynamic);
	uassert_equal(RT_EOK, rt_mb_send(dynamic, 1));
	uassert_equal(RT_EOK, rt_mb_delete(dynamic));
}

static void calls_in_isr(void *unused)
{
	rt_ubase_t mail;
	(void)unused;
	uassert_equal(RT_EOK, rt_mb_send(&box, 'i'));
	uassert_equal(RT_EOK, rt_mb_send(&box, 'j'));
	uassert_equal(RT_EOK, rt_mb_recv(&box, &mail, RT_WAITING_NO));
	uassert_equal('j', mail);
	uassert_refused(rt_mb_recv, -RT_ESCHEDISR, (&box, &mail, 5));
	for (int i = 0; i < SIZE; ++i)
		rt_mb_send(&box, 'm');
	uassert_refused(rt_mb_send_wait, -RT_ESCHEDISR, (&box, 1, 5));
	uassert_equal(-RT_EFULL, rt_mb_send(&box, 1));
}

static void test_from_isr(void)
{
	init(RT_IPC_FLAG_PRIO);
	suite_start("receives", HIGHER, receive, LETTER('r'));
	suite_in_isr(calls_in_isr, RT_NULL);
	uassert_order("ri");
	rt_mb_detach(&box);
}

static void test_bad_input(void)
{
	rt_ubase_t mail;
	uassert_refused(rt_mb_init, -RT_EINVAL, (RT_NULL, "bad", pool, SIZE, RT_IPC_FLAG_PRIO));
	uassert_refused(rt_mb_init, -RT_EINVAL, (&box, "bad", RT_NULL, SIZE, RT_IPC_FLAG_PRIO));
	uassert_refused(rt_mb_init, -RT_EINVAL, (&box, "bad", pool, SIZE, 0x55));
	uassert_refused(rt_mb_send, -RT_EINVAL, (RT_NULL, 1));
	uassert_refused(rt_mb_recv, -RT_EINVAL, (RT_NULL, &mail, 0));
	uassert_refused(rt_mb_delete, -RT_EINVAL, (RT_NULL));
	init(RT_IPC_FLAG_PRIO);
	uassert_refused(rt_mb_recv, -RT_EINVAL, (&box, RT_NULL, 0));
	rt_mb_detach(&box);
	uassert_refused(rt_mb_send, -RT_EINVAL, (&box, 1));
	uassert_refused(rt_mb_recv, -RT_EINVAL, (&box, &mail, 0));
	uassert_refused(rt_mb_detach, -RT_EINVAL, (&box));
}

static void testcase(void)
{
	UNIT(test_order);
	UNIT(test_receivers);
	UNIT(test_senders);
	UNIT(test_timeout);
	UNIT(test_detach_and_reset);
	UNIT(test_from_isr);
	UNIT(test_bad_input);
}
SUITE("mailbox");
