/* SPDX-License-Identifier: GPL-2.0-only */
/* Events: all or any of a set of bits, cleared or kept, several waiters at once. */
#include "suite.h"

static struct rt_event event;
static volatile rt_err_t result;
static volatile rt_uint32_t received;

struct want {
	rt_uint32_t set;
	rt_uint8_t option;
	char letter;
};

static void wait_for(void *want)
{
	const struct want *w = want;
	rt_uint32_t got = 0;
	result = rt_event_recv(&event, w->set, w->option, RT_WAITING_FOREVER, &got);
	received = got;
	mark(w->letter);
}

static void test_without_waiting(void)
{
	rt_uint32_t got = 0;
	uassert_equal(RT_EOK, rt_event_init(&event, "event", RT_IPC_FLAG_PRIO));
	uassert_equal(-RT_ETIMEOUT, rt_event_recv(&event, 1, RT_EVENT_FLAG_OR, RT_WAITING_NO, &got));
	uassert_equal(RT_EOK, rt_event_send(&event, 0x5));
	uassert_equal(0x5, event.set);
	uassert_equal(RT_EOK, rt_event_recv(&event, 0x7, RT_EVENT_FLAG_OR, RT_WAITING_NO, &got));
	uassert_equal(0x5, got);
	uassert_equal(-RT_ETIMEOUT, rt_event_recv(&event, 0x7, RT_EVENT_FLAG_AND, RT_WAITING_NO, &got));
	uassert_equal(0x5, event.set); /* kept */
	uassert_equal(RT_EOK, rt_event_recv(&event, 0x3, RT_EVENT_FLAG_OR | RT_EVENT_FLAG_CLEAR,
					    RT_WAITING_NO, &got));
	uassert_equal(0x1, got);
	uassert_equal(0x4, event.set); /* what was received is cleared */
	rt_event_send(&event, 0x80000000u);
	uassert_equal(RT_EOK, rt_event_recv(&event, 0x80000004u, RT_EVENT_FLAG_AND | RT_EVENT_FLAG_CLEAR,
					    RT_WAITING_NO, &got));
	uassert_true(got == 0x80000004u);
	uassert_equal(0, event.set);
	rt_event_detach(&event);
}

static void test_and(void)
{
	static const struct want both = { 0x3, RT_EVENT_FLAG_AND | RT_EVENT_FLAG_CLEAR, 'b' };
	rt_event_init(&event, "and", RT_IPC_FLAG_PRIO);
	suite_start("both", HIGHER, wait_for, (void *)&both);
	rt_event_send(&event, 0x1);
	rt_event_send(&event, 0x4);
	uassert_order("");
	rt_event_send(&event, 0x2);
	uassert_order("b");
	uassert_equal(RT_EOK, result);
	uassert_equal(0x3, received);
	uassert_equal(0x4, event.set);
	rt_event_detach(&event);
}

static void test_several_waiters(void)
{
	static const struct want kept = { 0x1, RT_EVENT_FLAG_OR, 'k' }, any = { 0x3, RT_EVENT_FLAG_OR, 'a' },
				 all = { 0x3, RT_EVENT_FLAG_AND, 'A' }, low = { 0x1, RT_EVENT_FLAG_OR, 'l' };
	rt_event_init(&event, "several", RT_IPC_FLAG_PRIO);
	suite_start("low", LOWER, wait_for, (void *)&low);
	rt_thread_delay(1);
	suite_start("kept", HIGHER + 1, wait_for, (void *)&kept);
	suite_start("all", HIGHER, wait_for, (void *)&all);
	suite_start("any", HIGHER, wait_for, (void *)&any);
	rt_event_send(&event, 0x1); /* for all it satisfies */
	uassert_order("ak");
	rt_thread_delay(1);
	uassert_order("l");
	rt_event_send(&event, 0x2);
	uassert_order("A");
	rt_event_detach(&event);
}

static void test_clear_takes_it_from_the_next(void)
{
	static const struct want first = { 0x1, RT_EVENT_FLAG_OR | RT_EVENT_FLAG_CLEAR, '1' },
				 next = { 0x1, RT_EVENT_FLAG_OR | RT_EVENT_FLAG_CLEAR, '2' };
	rt_event_init(&event, "clear", RT_IPC_FLAG_PRIO);
	suite_start("first", HIGHER, wait_for, (void *)&first);
	suite_start("next", HIGHER, wait_for, (void *)&next);
	rt_event_send(&event, 0x1);
	const char *seen = marks(); /* RT-Thread clears when all waiters have been looked at */
	uassert_string("12", seen);
	uassert_equal(0, event.set);
	rt_event_detach(&event);
}

static void test_timeout(void)
{
	rt_uint32_t got = 0;
	rt_event_init(&event, "timeout", RT_IPC_FLAG_PRIO);
	rt_thread_delay(1);
	uassert_equal(4, TICKS_OF(uassert_equal(-RT_ETIMEOUT,
						rt_event_recv(&event, 1, RT_EVENT_FLAG_OR, 4, &got))));
	rt_event_detach(&event);
}

static void test_detach_and_reset(void)
{
	static const struct want one = { 0x1, RT_EVENT_FLAG_OR, '1' };
	rt_event_init(&event, "goes", RT_IPC_FLAG_PRIO);
	suite_start("waits", HIGHER, wait_for, (void *)&one);
	rt_event_send(&event, 0x10);
	uassert_equal(RT_EOK, rt_event_control(&event, RT_IPC_CMD_RESET, RT_NULL));
	rt_schedule();
	uassert_order("1");
	uassert_equal(-RT_ERROR, result);
	uassert_equal(0, event.set);
	suite_start("waits", HIGHER, wait_for, (void *)&one);
	uassert_equal(RT_EOK, rt_event_detach(&event));
	uassert_order("1");
	uassert_equal(-RT_ERROR, result);
	rt_event_t dynamic = rt_event_create("dynamic", RT_IPC_FLAG_FIFO);
	uassert_not_null(dynamic);
	uassert_equal(RT_EOK, rt_event_delete(dynamic));
}

static void send_in_isr(void *unused)
{
	(void)unused;
	uassert_equal(RT_EOK, rt_event_send(&event, 0x1));
	uassert_refused(rt_event_recv, -RT_ESCHEDISR, (&event, 0x8, RT_EVENT_FLAG_OR, 5, RT_NULL));
}

static void test_from_isr(void)
{
	static const struct want one = { 0x1, RT_EVENT_FLAG_OR, '1' };
	rt_event_init(&event, "isr", RT_IPC_FLAG_PRIO);
	suite_start("waits", HIGHER, wait_for, (void *)&one);
	suite_in_isr(send_in_isr, RT_NULL);
	uassert_order("1");
	rt_event_detach(&event);
}

static void test_bad_input(void)
{
	rt_uint32_t got;
	rt_event_init(&event, "bad", RT_IPC_FLAG_PRIO);
	uassert_equal(-RT_ERROR, rt_event_send(&event, 0));
	uassert_equal(-RT_ERROR, rt_event_recv(&event, 0, RT_EVENT_FLAG_OR, 0, &got));
	uassert_refused(rt_event_recv, -RT_EINVAL, (&event, 1, 0, 0, &got)); /* neither any nor all */
	rt_event_detach(&event);
	uassert_refused(rt_event_init, -RT_EINVAL, (RT_NULL, "bad", RT_IPC_FLAG_PRIO));
	uassert_refused(rt_event_send, -RT_EINVAL, (RT_NULL, 1));
	uassert_refused(rt_event_send, -RT_EINVAL, (&event, 1));
	uassert_refused(rt_event_recv, -RT_EINVAL, (&event, 1, RT_EVENT_FLAG_OR, 0, &got));
	uassert_refused(rt_event_detach, -RT_EINVAL, (&event));
	uassert_refused(rt_event_delete, -RT_EINVAL, (RT_NULL));
}

static void testcase(void)
{
	UNIT(test_without_waiting);
	UNIT(test_and);
	UNIT(test_several_waiters);
	UNIT(test_clear_takes_it_from_the_next);
	UNIT(test_timeout);
	UNIT(test_detach_and_reset);
	UNIT(test_from_isr);
	UNIT(test_bad_input);
}
SUITE("event");
