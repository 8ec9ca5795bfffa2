/* SPDX-License-Identifier: GPL-2.0-only */
/* Threads: life, order, priorities, slices, delays. */
#include "suite.h"

static struct rt_thread static_thread;
rt_align(RT_ALIGN_SIZE) static rt_uint8_t static_stack[STACK];

static void mark_entry(void *letter)
{
	mark((char)(rt_ubase_t)letter);
}
#define LETTER(c) ((void *)(rt_ubase_t)(c))

static void test_static_thread(void)
{
	memset(&static_thread, 0, sizeof(static_thread));
	uassert_equal(RT_EOK, rt_thread_init(&static_thread, "static", mark_entry, LETTER('s'), static_stack,
					     sizeof(static_stack), HIGHER, SLICE));
	uassert_true(rt_thread_find("static") == &static_thread);
	uassert_order(""); /* not before it is started */
	uassert_equal(RT_EOK, rt_thread_startup(&static_thread));
	uassert_order("s"); /* at once: it is of higher priority */
	rt_thread_delay(2); /* somebody else takes it off the lists */
	uassert_null(rt_thread_find("static"));
	/* and the object serves again */
	uassert_equal(RT_EOK, rt_thread_init(&static_thread, "again", mark_entry, LETTER('a'), static_stack,
					     sizeof(static_stack), LOWER, SLICE));
	uassert_equal(RT_EOK, rt_thread_startup(&static_thread));
	uassert_order(""); /* it is of lower priority */
	rt_thread_delay(2);
	uassert_order("a");
}

static void test_dynamic_thread(void)
{
	rt_size_t before, after, total, peak;
	rt_thread_delay(2);
	rt_memory_info(&total, &before, &peak);
	for (int i = 0; i < 40; ++i) {
		rt_thread_t thread =
			rt_thread_create("dynamic", mark_entry, LETTER('d'), STACK, HIGHER, SLICE);
		uassert_not_null(thread);
		uassert_equal(RT_EOK, rt_thread_startup(thread));
		rt_thread_delay(1);
	}
	uassert_order("dddddddddddddddddddddddddddddddddddddddd");
	rt_memory_info(&total, &after, &peak);
	uassert_equal(before, after); /* threads that end give back what they had */
}

static void test_never_started(void)
{
	rt_thread_t thread = rt_thread_create("never", mark_entry, LETTER('n'), STACK, HIGHER, SLICE);
	uassert_not_null(thread);
	uassert_equal(RT_EOK, rt_thread_delete(thread));
	uassert_null(rt_thread_find("never"));
	uassert_equal(RT_EOK, rt_thread_init(&static_thread, "never", mark_entry, LETTER('n'), static_stack,
					     sizeof(static_stack), HIGHER, SLICE));
	uassert_equal(RT_EOK, rt_thread_detach(&static_thread));
	rt_thread_delay(2);
	uassert_null(rt_thread_find("never"));
	uassert_order("");
}

static struct rt_semaphore gate;

static void wait_entry(void *unused)
{
	(void)unused;
	rt_sem_take(&gate, RT_WAITING_FOREVER);
	mark('w');
}

static void test_delete_while_waiting(void)
{
	rt_sem_init(&gate, "gate", 0, RT_IPC_FLAG_PRIO);
	rt_thread_t thread = rt_thread_create("waits", wait_entry, RT_NULL, STACK, HIGHER, SLICE);
	rt_thread_startup(thread);
	uassert_equal(RT_EOK, rt_thread_delete(thread));
	rt_thread_delay(2);
	rt_sem_release(&gate); /* its place in the queue is gone too */
	uassert_equal(RT_EOK, rt_sem_trytake(&gate));
	uassert_order("");
	rt_sem_detach(&gate);
}

static void test_priority_order(void)
{
	rt_enter_critical();
	suite_start("p14", BASE - 1, mark_entry, LETTER('2'));
	suite_start("p10", HIGHER, mark_entry, LETTER('1'));
	suite_start("p14b", BASE - 1, mark_entry, LETTER('3'));
	suite_start("p20", LOWER, mark_entry, LETTER('5'));
	suite_start("p15", BASE, mark_entry, LETTER('4'));
	uassert_order("");
	rt_exit_critical();
	uassert_order("123"); /* by priority, then in order of arrival */
	rt_thread_yield();
	uassert_order("4");
	uassert_true(suite_join());
	uassert_order("5");
}

static void yield_entry(void *letter)
{
	for (int i = 0; i < 3; ++i) {
		mark((char)(rt_ubase_t)letter);
		rt_thread_yield();
	}
}

static void test_yield(void)
{
	suite_start("a", LOWER, yield_entry, LETTER('a'));
	suite_start("b", LOWER, yield_entry, LETTER('b'));
	suite_start("c", LOWER, yield_entry, LETTER('c'));
	rt_thread_yield(); /* nobody else of this priority: returns, the lower ones do not run */
	uassert_order("");
	uassert_true(suite_join());
	uassert_order("abcabcabc");
}

static void spin_entry(void *letter)
{
	for (int i = 0; i < 3; ++i) {
		mark((char)(rt_ubase_t)letter);
		suite_spin(SLICE);
	}
}

static void test_slices(void)
{
	suite_start("a", LOWER, spin_entry, LETTER('a'));
	suite_start("b", LOWER, spin_entry, LETTER('b'));
	rt_thread_delay(SLICE / 2);
	uassert_order("a");
	rt_thread_delay(SLICE);
	const char *seen =
		marks(); /* after the slice of a, b ran; a may have begun its second round before */
	uassert_true(strchr(seen, 'b') != RT_NULL);
	uassert_true(suite_join());
	marks();
}

static void test_no_slice_among_unequals(void)
{
	suite_start("low", LOWER + 1, mark_entry, LETTER('l'));
	suite_start("spin", LOWER, spin_entry, LETTER('s'));
	uassert_true(suite_join());
	uassert_order("sssl"); /* however long the higher one spins */
}

static void suspend_entry(void *unused)
{
	(void)unused;
	mark('1');
	rt_thread_suspend(rt_thread_self());
	rt_schedule();
	mark('2');
}

static void test_suspend_resume(void)
{
	rt_thread_t thread = suite_start("suspends", HIGHER, suspend_entry, RT_NULL);
	uassert_order("1");
	uassert_equal(RT_EOK, rt_thread_resume(thread));
	rt_schedule();
	uassert_order("2");
	/* another thread's, while it is ready */
	thread = suite_start("ready", LOWER, mark_entry, LETTER('r'));
	uassert_equal(RT_EOK, rt_thread_suspend(thread));
	rt_thread_delay(3);
	uassert_order("");
	uassert_equal(RT_EOK, rt_thread_resume(thread));
	uassert_true(suite_join());
	uassert_order("r");
}

static void delay_entry(void *unused)
{
	(void)unused;
	rt_thread_delay(5);
	mark('d');
}

static void test_suspended_thread_refuses(void)
{
	rt_thread_t thread = suite_start("delayed", HIGHER, delay_entry, RT_NULL);
	uassert_equal(-RT_ERROR, rt_thread_suspend(thread)); /* it waits already */
	uassert_true(suite_join());
	uassert_order("d");
	uassert_equal(-RT_ERROR, rt_thread_resume(rt_thread_self())); /* it is not suspended */
}

static void test_change_priority(void)
{
	rt_uint8_t high = HIGHER, low = LOWER + 2, base = BASE;
	rt_thread_t thread = suite_start("moves", LOWER, mark_entry, LETTER('m'));
	suite_start("stays", LOWER, mark_entry, LETTER('s'));
	uassert_equal(RT_EOK, rt_thread_control(thread, RT_THREAD_CTRL_CHANGE_PRIORITY, &high));
	rt_schedule();
	uassert_order("m");
	uassert_true(suite_join());
	uassert_order("s");
	/* of the running thread: who is better runs now */
	suite_start("better", LOWER, mark_entry, LETTER('b'));
	uassert_equal(RT_EOK, rt_thread_control(rt_thread_self(), RT_THREAD_CTRL_CHANGE_PRIORITY, &low));
	rt_schedule();
	uassert_order("b");
	uassert_equal(RT_EOK, rt_thread_control(rt_thread_self(), RT_THREAD_CTRL_CHANGE_PRIORITY, &base));
}

static void test_delay(void)
{
	rt_thread_delay(1);
	for (rt_tick_t ticks = 1; ticks < 50; ticks += 7)
		uassert_equal(ticks, TICKS_OF(rt_thread_delay(ticks)));
	uassert_equal(RT_TICK_PER_SECOND / 50, TICKS_OF(rt_thread_mdelay(20)));
	uassert_equal(0, TICKS_OF(rt_thread_delay(0)));
}

static void test_delay_until(void)
{
	rt_thread_delay(1);
	const rt_tick_t began = rt_tick_get();
	rt_tick_t next = began;
	for (int round = 1; round <= 10; ++round) {
		suite_spin(2); /* work does not make the period longer */
		uassert_equal(RT_EOK, rt_thread_delay_until(&next, 5));
		uassert_equal(began + 5 * round, rt_tick_get());
		uassert_equal(began + 5 * round, next);
	}
}

static void test_identity(void)
{
	char name[RT_NAME_MAX];
	rt_thread_t self = rt_thread_self();
	uassert_not_null(self);
	uassert_equal(RT_EOK, rt_thread_get_name(self, name, sizeof(name)));
	uassert_true(rt_thread_find(name) == self);
	uassert_null(rt_thread_find("nobody"));
}

static volatile int cleaned;
static void clean(struct rt_thread *thread)
{
	(void)thread;
	++cleaned;
}

static void test_cleanup(void)
{
	cleaned = 0;
	rt_thread_init(&static_thread, "clean", mark_entry, LETTER('c'), static_stack, sizeof(static_stack),
		       HIGHER, SLICE);
	static_thread.cleanup = clean;
	rt_thread_startup(&static_thread);
	rt_thread_delay(2);
	uassert_order("c");
	uassert_equal(1, cleaned);
}

static void test_bad_input(void)
{
	uassert_refused(rt_thread_init, -RT_EINVAL,
			(RT_NULL, "bad", mark_entry, 0, static_stack, STACK, HIGHER, SLICE));
	uassert_refused(rt_thread_init, -RT_EINVAL,
			(&static_thread, "bad", RT_NULL, 0, static_stack, STACK, HIGHER, SLICE));
	uassert_refused(rt_thread_init, -RT_EINVAL,
			(&static_thread, "bad", mark_entry, 0, RT_NULL, STACK, HIGHER, SLICE));
	uassert_refused(rt_thread_init, -RT_EINVAL,
			(&static_thread, "bad", mark_entry, 0, static_stack, STACK,
			 (rt_uint8_t)RT_THREAD_PRIORITY_MAX - 1 + 1, SLICE));
	uassert_refused(rt_thread_init, -RT_EINVAL,
			(&static_thread, "bad", mark_entry, 0, static_stack, 64, HIGHER, SLICE));
	uassert_refused_null(rt_thread_create, ("bad", mark_entry, 0, 64, HIGHER, SLICE));
	uassert_null(rt_thread_create("bad", mark_entry, 0, 0x10000000, HIGHER, SLICE)); /* no memory */
	uassert_refused(rt_thread_startup, -RT_EINVAL, (RT_NULL));
	uassert_refused(rt_thread_startup, -RT_EINVAL, (rt_thread_self())); /* it runs already */
	uassert_refused(rt_thread_delete, -RT_EINVAL, (RT_NULL));
	uassert_refused(rt_thread_suspend, -RT_EINVAL, (RT_NULL));
	uassert_refused(rt_thread_resume, -RT_EINVAL, (RT_NULL));
	uassert_null(rt_thread_find("bad"));
}

static void blocking_calls(void *unused)
{
	(void)unused;
	uassert_refused(rt_thread_delay, -RT_ESCHEDISR, (1));
	uassert_refused(rt_thread_suspend, -RT_ESCHEDISR, (rt_thread_self()));
}

static void test_from_isr(void)
{
	suite_in_isr(blocking_calls, RT_NULL);
}

static void testcase(void)
{
	UNIT(test_static_thread);
	UNIT(test_dynamic_thread);
	UNIT(test_never_started);
	UNIT(test_delete_while_waiting);
	UNIT(test_priority_order);
	UNIT(test_yield);
	UNIT(test_slices);
	UNIT(test_no_slice_among_unequals);
	UNIT(test_suspend_resume);
	UNIT(test_suspended_thread_refuses);
	UNIT(test_change_priority);
	UNIT(test_delay);
	UNIT(test_delay_until);
	UNIT(test_identity);
	UNIT(test_cleanup);
	UNIT(test_bad_input);
	UNIT(test_from_isr);
}
SUITE("thread");
