/* SPDX-License-Identifier: GPL-2.0-only */
/* Mutexes: ownership, recursion, priority inheritance through chains, ceiling. */
#include "suite.h"

static struct rt_mutex mutex, second, third;
static volatile rt_err_t result;

static void take_mutex(void *letter)
{
	result = rt_mutex_take(&mutex, RT_WAITING_FOREVER);
	mark((char)(rt_ubase_t)letter);
	if (result == RT_EOK)
		rt_mutex_release(&mutex);
}
static void take_5(void *letter)
{
	result = rt_mutex_take(&mutex, 5);
	mark((char)(rt_ubase_t)letter);
}
static void release_it(void *unused)
{
	(void)unused;
	result = rt_mutex_release(&mutex);
}
#define LETTER(c) ((void *)(rt_ubase_t)(c))

static void test_recursion(void)
{
	uassert_equal(RT_EOK, rt_mutex_init(&mutex, "recursive", RT_IPC_FLAG_PRIO));
	uassert_null(rt_mutex_get_owner(&mutex));
	for (int depth = 1; depth <= 5; ++depth) {
		uassert_equal(RT_EOK, rt_mutex_take(&mutex, RT_WAITING_FOREVER));
		uassert_equal(depth, rt_mutex_get_hold(&mutex));
	}
	uassert_true(rt_mutex_get_owner(&mutex) == rt_thread_self());
	suite_start("waits", HIGHER, take_mutex, LETTER('w'));
	for (int depth = 5; depth >= 1; --depth) {
		uassert_order("");
		uassert_equal(RT_EOK, rt_mutex_release(&mutex));
	}
	uassert_order("w");
	uassert_null(rt_mutex_get_owner(&mutex));
	uassert_equal(-RT_ERROR, rt_mutex_release(&mutex)); /* nobody has it */
	rt_mutex_detach(&mutex);
}

static void test_recursion_limit(void)
{
	rt_mutex_init(&mutex, "limit", RT_IPC_FLAG_PRIO);
	for (int depth = 1; depth <= RT_MUTEX_HOLD_MAX; ++depth)
		if (rt_mutex_take(&mutex, RT_WAITING_NO) != RT_EOK)
			uassert_equal(depth, -1);
	uassert_equal(-RT_EFULL, rt_mutex_take(&mutex, RT_WAITING_NO));
	for (int depth = 1; depth <= RT_MUTEX_HOLD_MAX; ++depth)
		if (rt_mutex_release(&mutex) != RT_EOK)
			uassert_equal(depth, -1);
	uassert_equal(-RT_ERROR, rt_mutex_release(&mutex));
	rt_mutex_detach(&mutex);
}

static void test_dynamic(void)
{
	rt_mutex_t dynamic = rt_mutex_create("dynamic", RT_IPC_FLAG_PRIO);
	uassert_not_null(dynamic);
	uassert_equal(RT_EOK, rt_mutex_trytake(dynamic));
	uassert_equal(RT_EOK, rt_mutex_release(dynamic));
	uassert_equal(RT_EOK, rt_mutex_delete(dynamic));
}

static void test_timeout(void)
{
	rt_mutex_init(&mutex, "timeout", RT_IPC_FLAG_PRIO);
	rt_mutex_take(&mutex, RT_WAITING_FOREVER);
	suite_start("waits", HIGHER, take_5, LETTER('t'));
	uassert_equal(HIGHER, suite_priority_of(rt_thread_self()));
	rt_thread_delay(4);
	uassert_order("");
	rt_thread_delay(2);
	uassert_order("t");
	uassert_equal(-RT_ETIMEOUT, result);
	uassert_equal(BASE, suite_priority_of(rt_thread_self())); /* what it lent is gone with it */
	rt_mutex_release(&mutex);
	rt_mutex_detach(&mutex);
}

static void test_not_owner(void)
{
	rt_mutex_init(&mutex, "owner", RT_IPC_FLAG_PRIO);
	rt_mutex_take(&mutex, RT_WAITING_FOREVER);
	suite_start("thief", HIGHER, release_it, RT_NULL);
	uassert_equal(-RT_ERROR, result);
	uassert_true(rt_mutex_get_owner(&mutex) == rt_thread_self());
	rt_mutex_release(&mutex);
	rt_mutex_detach(&mutex);
}

static void test_order(void)
{
	rt_mutex_init(&mutex, "order",
		      RT_IPC_FLAG_FIFO); /* mutexes serve by priority whatever the flag says */
	rt_mutex_take(&mutex, RT_WAITING_FOREVER);
	suite_start("m", HIGHER + 1, take_mutex, LETTER('m'));
	suite_start("h", HIGHER, take_mutex, LETTER('h'));
	suite_start("H", HIGHER, take_mutex, LETTER('H'));
	rt_mutex_release(&mutex);
	rt_thread_delay(1);
	uassert_order("hHm");
	rt_mutex_detach(&mutex);
}

static void test_inheritance(void)
{
	rt_uint8_t low = LOWER, base = BASE;
	rt_mutex_init(&mutex, "inherit", RT_IPC_FLAG_PRIO);
	rt_thread_t self = rt_thread_self();
	rt_thread_control(self, RT_THREAD_CTRL_CHANGE_PRIORITY, &low);
	rt_mutex_take(&mutex, RT_WAITING_FOREVER);
	suite_start("high", HIGHER, take_mutex, LETTER('h'));
	uassert_equal(HIGHER, suite_priority_of(self));
	suite_start("middle", BASE, take_mutex,
		    LETTER('m')); /* would run now, were it not for the inheritance */
	uassert_order("");
	rt_mutex_release(&mutex);
	uassert_order("hm");
	uassert_equal(LOWER, suite_priority_of(self));
	rt_thread_control(self, RT_THREAD_CTRL_CHANGE_PRIORITY, &base);
	uassert_true(suite_join());
	rt_mutex_detach(&mutex);
}

static void test_inheritance_of_the_best_that_waits(void)
{
	rt_mutex_init(&mutex, "first", RT_IPC_FLAG_PRIO);
	rt_mutex_init(&second, "second", RT_IPC_FLAG_PRIO);
	rt_thread_t self = rt_thread_self();
	rt_mutex_take(&mutex, RT_WAITING_FOREVER);
	rt_mutex_take(&second, RT_WAITING_FOREVER);
	suite_start("a", HIGHER, take_mutex, LETTER('a'));
	uassert_equal(HIGHER, suite_priority_of(self));
	rt_mutex_release(&second); /* nobody waits for this one */
	uassert_equal(HIGHER, suite_priority_of(self));
	rt_mutex_release(&mutex);
	uassert_equal(BASE, suite_priority_of(self));
	uassert_order("a");
	rt_mutex_detach(&mutex);
	rt_mutex_detach(&second);
}

/* c waits for b's mutex, b for a's: a runs at c's priority. */
static void hold_two(void *unused)
{
	(void)unused;
	rt_mutex_take(&second, RT_WAITING_FOREVER);
	rt_mutex_take(&mutex, RT_WAITING_FOREVER);
	mark('2');
	rt_mutex_release(&mutex);
	rt_mutex_release(&second);
}
static void hold_three(void *unused)
{
	(void)unused;
	rt_mutex_take(&third, RT_WAITING_FOREVER);
	rt_mutex_take(&second, RT_WAITING_FOREVER);
	mark('3');
	rt_mutex_release(&second);
	rt_mutex_release(&third);
}
static void want_third(void *unused)
{
	(void)unused;
	if (rt_mutex_take(&third, 5) == RT_EOK) {
		mark('4');
		rt_mutex_release(&third);
	} else {
		mark('t');
	}
}

static void test_transitive_inheritance(void)
{
	rt_thread_t self = rt_thread_self();
	rt_mutex_init(&mutex, "1st", RT_IPC_FLAG_PRIO);
	rt_mutex_init(&second, "2nd", RT_IPC_FLAG_PRIO);
	rt_mutex_init(&third, "3rd", RT_IPC_FLAG_PRIO);
	rt_mutex_take(&mutex, RT_WAITING_FOREVER);
	rt_thread_t two = suite_start("two", 13, hold_two, RT_NULL);
	uassert_equal(13, suite_priority_of(self));
	rt_thread_t three = suite_start("three", 12, hold_three, RT_NULL);
	uassert_equal(12, suite_priority_of(self));
	uassert_equal(12, suite_priority_of(two));
	suite_start("four", 8, want_third, RT_NULL);
	uassert_equal(8, suite_priority_of(self));
	uassert_equal(8, suite_priority_of(two));
	uassert_equal(8, suite_priority_of(three));
	rt_mutex_release(&mutex);
	uassert_order("234");
	uassert_equal(BASE, suite_priority_of(self));
	/* and what was lent is taken back through the chain when the one at its end gives up */
	rt_mutex_take(&mutex, RT_WAITING_FOREVER);
	two = suite_start("two", 13, hold_two, RT_NULL);
	three = suite_start("three", 12, hold_three, RT_NULL);
	suite_start("four", 8, want_third, RT_NULL);
	uassert_equal(8, suite_priority_of(self));
	rt_thread_delay(6);
	uassert_order("t");
	uassert_equal(12, suite_priority_of(self));
	uassert_equal(12, suite_priority_of(two));
	uassert_equal(12, suite_priority_of(three));
	rt_mutex_release(&mutex);
	uassert_order("23");
	rt_mutex_detach(&mutex);
	rt_mutex_detach(&second);
	rt_mutex_detach(&third);
}

static void test_priority_change_while_waiting(void)
{
	rt_uint8_t top = 5, low = LOWER;
	rt_thread_t self = rt_thread_self();
	rt_mutex_init(&mutex, "change", RT_IPC_FLAG_PRIO);
	rt_mutex_take(&mutex, RT_WAITING_FOREVER);
	rt_thread_t waiter = suite_start("waits", HIGHER, take_mutex, LETTER('w'));
	rt_thread_control(waiter, RT_THREAD_CTRL_CHANGE_PRIORITY, &top);
	uassert_equal(5, suite_priority_of(self));
	rt_thread_control(waiter, RT_THREAD_CTRL_CHANGE_PRIORITY, &low);
	uassert_equal(BASE, suite_priority_of(self));
	rt_mutex_release(&mutex);
	uassert_true(suite_join());
	uassert_order("w");
	rt_mutex_detach(&mutex);
}

static void test_ceiling(void)
{
	rt_thread_t self = rt_thread_self();
	rt_mutex_init(&mutex, "ceiling", RT_IPC_FLAG_PRIO);
	rt_mutex_setprioceiling(&mutex, 7);
	uassert_equal(7, rt_mutex_getprioceiling(&mutex));
	rt_mutex_take(&mutex, RT_WAITING_FOREVER);
	uassert_equal(7, suite_priority_of(self));
	suite_start("eight", 8, take_mutex, LETTER('8')); /* does not run before the mutex is released */
	uassert_order("");
	rt_mutex_release(&mutex);
	uassert_order("8");
	uassert_equal(BASE, suite_priority_of(self));
	rt_mutex_detach(&mutex);
}

static void hold_and_end(void *unused)
{
	(void)unused;
	rt_mutex_take(&mutex, RT_WAITING_FOREVER);
	rt_mutex_take(&second, RT_WAITING_FOREVER);
}

static void test_owner_ends(void)
{
	rt_mutex_init(&mutex, "dies", RT_IPC_FLAG_PRIO);
	rt_mutex_init(&second, "dies2", RT_IPC_FLAG_PRIO);
	suite_start("owner", HIGHER, hold_and_end, RT_NULL);
	uassert_equal(RT_EOK, rt_mutex_take(&mutex, 5));
	uassert_equal(RT_EOK, rt_mutex_take(&second, 5));
	rt_mutex_release(&mutex);
	rt_mutex_release(&second);
	rt_mutex_detach(&mutex);
	rt_mutex_detach(&second);
}

static void test_detach_while_waiting(void)
{
	rt_mutex_init(&mutex, "goes", RT_IPC_FLAG_PRIO);
	rt_mutex_take(&mutex, RT_WAITING_FOREVER);
	suite_start("waits", HIGHER, take_mutex, LETTER('w'));
	uassert_equal(HIGHER, suite_priority_of(rt_thread_self()));
	uassert_equal(RT_EOK, rt_mutex_detach(&mutex));
	rt_thread_delay(1);
	uassert_order("w");
	uassert_equal(-RT_ERROR, result);
	uassert_equal(BASE, suite_priority_of(rt_thread_self()));
}

static void test_delete_waiter(void)
{
	rt_thread_t self = rt_thread_self();
	rt_mutex_init(&mutex, "deleted", RT_IPC_FLAG_PRIO);
	rt_mutex_take(&mutex, RT_WAITING_FOREVER);
	rt_thread_t waiter = rt_thread_create("waits", take_mutex, LETTER('w'), STACK, HIGHER, SLICE);
	rt_thread_startup(waiter);
	uassert_equal(HIGHER, suite_priority_of(self));
	rt_thread_delete(waiter);
	uassert_equal(BASE, suite_priority_of(self));
	uassert_equal(RT_EOK, rt_mutex_release(&mutex));
	rt_thread_delay(2);
	uassert_order("");
	rt_mutex_detach(&mutex);
}

static void calls_in_isr(void *unused)
{
	(void)unused;
	uassert_refused(rt_mutex_take, -RT_ESCHEDISR, (&mutex, RT_WAITING_FOREVER));
	uassert_refused(rt_mutex_release, -RT_ESCHEDISR, (&mutex));
}

static void test_from_isr(void)
{
	rt_mutex_init(&mutex, "isr", RT_IPC_FLAG_PRIO);
	suite_in_isr(calls_in_isr, RT_NULL);
	uassert_equal(RT_EOK, rt_mutex_take(&mutex, 0));
	rt_mutex_release(&mutex);
	rt_mutex_detach(&mutex);
}

static void test_bad_input(void)
{
	uassert_refused(rt_mutex_init, -RT_EINVAL, (RT_NULL, "bad", RT_IPC_FLAG_PRIO));
	uassert_refused(rt_mutex_take, -RT_EINVAL, (RT_NULL, 0));
	uassert_refused(rt_mutex_release, -RT_EINVAL, (RT_NULL));
	uassert_refused(rt_mutex_detach, -RT_EINVAL, (RT_NULL));
	uassert_refused(rt_mutex_delete, -RT_EINVAL, (RT_NULL));
	rt_mutex_init(&mutex, "gone", RT_IPC_FLAG_PRIO);
	uassert_refused(rt_mutex_delete, -RT_EINVAL, (&mutex));
	rt_mutex_detach(&mutex);
	uassert_refused(rt_mutex_take, -RT_EINVAL, (&mutex, 0));
	uassert_refused(rt_mutex_release, -RT_EINVAL, (&mutex));
	uassert_refused(rt_mutex_detach, -RT_EINVAL, (&mutex));
}

static void testcase(void)
{
	UNIT(test_recursion);
	UNIT(test_recursion_limit);
	UNIT(test_dynamic);
	UNIT(test_timeout);
	UNIT(test_not_owner);
	UNIT(test_order);
	UNIT(test_inheritance);
	UNIT(test_inheritance_of_the_best_that_waits);
	UNIT(test_transitive_inheritance);
	UNIT(test_priority_change_while_waiting);
	UNIT(test_ceiling);
	UNIT(test_owner_ends);
	UNIT(test_detach_while_waiting);
	UNIT(test_delete_waiter);
	UNIT(test_from_isr);
	UNIT(test_bad_input);
}
SUITE("mutex");
