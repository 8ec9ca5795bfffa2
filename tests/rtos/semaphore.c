/* SPDX-License-Identifier: GPL-2.0-only */
/* Semaphores: counting, who is served first, timeouts, what waiters see when the object goes. */
#include "suite.h"

static struct rt_semaphore sem;
static volatile rt_err_t result;
static volatile int taken_after;

static void take_forever(void *letter)
{
	result = rt_sem_take(&sem, RT_WAITING_FOREVER);
	mark((char)(rt_ubase_t)letter);
}
static void take_5(void *letter)
{
	const rt_tick_t began = rt_tick_get();
	result = rt_sem_take(&sem, 5);
	taken_after = (int)(rt_tick_get() - began);
	mark((char)(rt_ubase_t)letter);
}
#define LETTER(c) ((void *)(rt_ubase_t)(c))

static void test_count(void)
{
	uassert_equal(RT_EOK, rt_sem_init(&sem, "count", 2, RT_IPC_FLAG_PRIO));
	uassert_equal(2, sem.value);
	uassert_equal(RT_EOK, rt_sem_take(&sem, RT_WAITING_NO));
	uassert_equal(RT_EOK, rt_sem_trytake(&sem));
	uassert_equal(-RT_ETIMEOUT, rt_sem_take(&sem, RT_WAITING_NO));
	uassert_equal(-RT_ETIMEOUT, rt_sem_trytake(&sem));
	uassert_equal(RT_EOK, rt_sem_release(&sem));
	uassert_equal(1, sem.value);
	uassert_equal(RT_EOK, rt_sem_detach(&sem));
}

static void test_dynamic(void)
{
	rt_sem_t dynamic = rt_sem_create("dynamic", 1, RT_IPC_FLAG_FIFO);
	uassert_not_null(dynamic);
	uassert_true(rt_object_find("dynamic", RT_Object_Class_Semaphore) == &dynamic->parent.parent);
	uassert_equal(RT_EOK, rt_sem_take(dynamic, 10));
	uassert_equal(RT_EOK, rt_sem_delete(dynamic));
	uassert_null(rt_object_find("dynamic", RT_Object_Class_Semaphore));
}

static void test_full(void)
{
	rt_sem_init(&sem, "full", RT_SEM_VALUE_MAX, RT_IPC_FLAG_PRIO);
	uassert_equal(-RT_EFULL, rt_sem_release(&sem));
	uassert_equal(RT_SEM_VALUE_MAX, sem.value);
	rt_sem_detach(&sem);
}

static void test_timeout(void)
{
	rt_sem_init(&sem, "timeout", 0, RT_IPC_FLAG_PRIO);
	rt_thread_delay(1);
	for (int ticks = 1; ticks < 20; ticks += 6)
		uassert_equal(ticks, TICKS_OF(uassert_equal(-RT_ETIMEOUT, rt_sem_take(&sem, ticks))));
	/* a release in time */
	suite_start("waits", HIGHER, take_5, LETTER('w'));
	rt_thread_delay(2);
	uassert_order("");
	uassert_equal(RT_EOK, rt_sem_release(&sem));
	uassert_order("w");
	uassert_equal(RT_EOK, result);
	uassert_equal(2, taken_after);
	/* and one too late counts for the next */
	suite_start("late", HIGHER, take_5, LETTER('l'));
	rt_thread_delay(6);
	uassert_order("l");
	uassert_equal(-RT_ETIMEOUT, result);
	uassert_equal(5, taken_after);
	rt_sem_release(&sem);
	uassert_equal(1, sem.value);
	rt_sem_detach(&sem);
}

static void served_in(rt_uint8_t flag, const char *order)
{
	rt_sem_init(&sem, "order", 0, flag);
	suite_start("low", LOWER, take_forever, LETTER('l'));
	rt_thread_delay(1);
	suite_start("high", HIGHER, take_forever, LETTER('h'));
	suite_start("middle", HIGHER + 1, take_forever, LETTER('m'));
	suite_start("high2", HIGHER, take_forever, LETTER('H'));
	for (int i = 0; i < 4; ++i) {
		rt_sem_release(&sem);
		rt_thread_delay(1);
	}
	uassert_order(order);
	uassert_equal(0, sem.value);
	rt_sem_detach(&sem);
}

static void test_order(void)
{
	served_in(RT_IPC_FLAG_PRIO, "hHml");
	served_in(RT_IPC_FLAG_FIFO, "lhmH");
}

static void test_priority_change_while_waiting(void)
{
	rt_uint8_t top = HIGHER - 2;
	rt_sem_init(&sem, "moves", 0, RT_IPC_FLAG_PRIO);
	suite_start("first", HIGHER, take_forever, LETTER('f'));
	rt_thread_t second = suite_start("second", HIGHER, take_forever, LETTER('s'));
	rt_thread_control(second, RT_THREAD_CTRL_CHANGE_PRIORITY, &top);
	rt_sem_release(&sem);
	uassert_order("s");
	rt_sem_release(&sem);
	uassert_order("f");
	rt_sem_detach(&sem);
}

static void test_no_stealing(void)
{
	rt_sem_init(&sem, "steal", 0, RT_IPC_FLAG_PRIO);
	suite_start("waits", LOWER, take_forever, LETTER('w'));
	rt_thread_delay(1);
	rt_sem_release(&sem); /* belongs to the waiter, which has not run yet */
	uassert_equal(-RT_ETIMEOUT, rt_sem_trytake(&sem));
	uassert_true(suite_join());
	uassert_order("w");
	rt_sem_detach(&sem);
}

static void test_detach_while_waiting(void)
{
	rt_sem_init(&sem, "goes", 0, RT_IPC_FLAG_PRIO);
	suite_start("one", HIGHER, take_forever, LETTER('1'));
	suite_start("two", LOWER, take_5, LETTER('2'));
	rt_thread_delay(1);
	uassert_equal(RT_EOK, rt_sem_detach(&sem));
	uassert_equal(-RT_ERROR, result);
	result = RT_EOK;
	uassert_true(suite_join());
	uassert_equal(-RT_ERROR, result);
	uassert_order("12");
}

static void test_reset(void)
{
	rt_sem_init(&sem, "reset", 0, RT_IPC_FLAG_PRIO);
	suite_start("one", HIGHER, take_forever, LETTER('1'));
	uassert_equal(RT_EOK, rt_sem_control(&sem, RT_IPC_CMD_RESET, (void *)3));
	rt_schedule();
	uassert_order("1");
	uassert_equal(-RT_ERROR, result);
	uassert_equal(3, sem.value);
	uassert_equal(-RT_ERROR, rt_sem_control(&sem, 0x7f, RT_NULL));
	rt_sem_detach(&sem);
}

static void release_in_isr(void *unused)
{
	(void)unused;
	uassert_equal(RT_EOK, rt_sem_release(&sem));
	uassert_order(""); /* the waiter runs after the interrupt, not in it */
}

static void test_release_in_isr(void)
{
	rt_sem_init(&sem, "isr", 0, RT_IPC_FLAG_PRIO);
	suite_start("waits", HIGHER, take_forever, LETTER('w'));
	suite_in_isr(release_in_isr, RT_NULL);
	uassert_order("w");
	uassert_equal(RT_EOK, result);
	rt_sem_detach(&sem);
}

static void take_in_isr(void *unused)
{
	(void)unused;
	uassert_equal(-RT_ETIMEOUT, rt_sem_trytake(&sem));
	uassert_refused(rt_sem_take, -RT_ESCHEDISR, (&sem, RT_WAITING_FOREVER));
	uassert_refused(rt_sem_take, -RT_ESCHEDISR, (&sem, 5));
	rt_sem_release(&sem);
	uassert_equal(RT_EOK, rt_sem_trytake(&sem));
}

static void test_take_in_isr(void)
{
	rt_sem_init(&sem, "isr", 0, RT_IPC_FLAG_PRIO);
	suite_in_isr(take_in_isr, RT_NULL);
	rt_sem_detach(&sem);
}

static void test_take_in_critical_section(void)
{
	rt_sem_init(&sem, "critical", 0, RT_IPC_FLAG_PRIO);
	rt_enter_critical();
	uassert_refused(rt_sem_take, -RT_ESCHEDLOCKED, (&sem, 5));
	rt_exit_critical();
	rt_sem_detach(&sem);
}

static void test_bad_input(void)
{
	uassert_refused(rt_sem_init, -RT_EINVAL, (RT_NULL, "bad", 0, RT_IPC_FLAG_PRIO));
	uassert_refused(rt_sem_init, -RT_EINVAL, (&sem, "bad", RT_SEM_VALUE_MAX + 1, RT_IPC_FLAG_PRIO));
	uassert_refused(rt_sem_init, -RT_EINVAL, (&sem, "bad", 0, 0x55));
	uassert_refused_null(rt_sem_create, ("bad", RT_SEM_VALUE_MAX + 1, RT_IPC_FLAG_PRIO));
	uassert_refused(rt_sem_take, -RT_EINVAL, (RT_NULL, 0));
	uassert_refused(rt_sem_trytake, -RT_EINVAL, (RT_NULL));
	uassert_refused(rt_sem_release, -RT_EINVAL, (RT_NULL));
	uassert_refused(rt_sem_detach, -RT_EINVAL, (RT_NULL));
	uassert_refused(rt_sem_delete, -RT_EINVAL, (RT_NULL));
	rt_sem_init(&sem, "gone", 1, RT_IPC_FLAG_PRIO);
	uassert_refused(rt_sem_delete, -RT_EINVAL, (&sem)); /* static: detach it */
	rt_sem_detach(&sem);
	uassert_refused(rt_sem_take, -RT_EINVAL, (&sem, 0));
	uassert_refused(rt_sem_release, -RT_EINVAL, (&sem));
	uassert_refused(rt_sem_detach, -RT_EINVAL, (&sem));
	struct rt_mutex mutex;
	rt_mutex_init(&mutex, "other", RT_IPC_FLAG_PRIO);
	uassert_refused(rt_sem_release, -RT_EINVAL, ((rt_sem_t)&mutex)); /* another kind of object */
	rt_mutex_detach(&mutex);
}

static void testcase(void)
{
	UNIT(test_count);
	UNIT(test_dynamic);
	UNIT(test_full);
	UNIT(test_timeout);
	UNIT(test_order);
	UNIT(test_priority_change_while_waiting);
	UNIT(test_no_stealing);
	UNIT(test_detach_while_waiting);
	UNIT(test_reset);
	UNIT(test_release_in_isr);
	UNIT(test_take_in_isr);
	UNIT(test_take_in_critical_section);
	UNIT(test_bad_input);
}
SUITE("semaphore");
