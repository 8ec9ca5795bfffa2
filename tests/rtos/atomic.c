/* SPDX-License-Identifier: GPL-2.0-only */
/* Atomics: what they return, and that nothing is lost between threads and an ISR. */
#include "suite.h"

static void test_values(void)
{
	rt_atomic_t value = 0, expected;
	rt_atomic_store(&value, 12);
	uassert_equal(12, rt_atomic_load(&value));
	uassert_equal(12, rt_atomic_add(&value, 3)); /* the value before */
	uassert_equal(15, rt_atomic_sub(&value, 5));
	uassert_equal(10, rt_atomic_or(&value, 5));
	uassert_equal(15, rt_atomic_and(&value, 6));
	uassert_equal(6, rt_atomic_xor(&value, 3));
	uassert_equal(5, rt_atomic_exchange(&value, 100));
	expected = 99;
	uassert_equal(0, rt_atomic_compare_exchange_strong(&value, &expected, 1));
	uassert_equal(100, expected);
	uassert_equal(1, rt_atomic_compare_exchange_strong(&value, &expected, 1));
	uassert_equal(1, rt_atomic_load(&value));
	rt_atomic_flag_clear(&value);
	uassert_equal(0, rt_atomic_flag_test_and_set(&value));
	uassert_equal(1, rt_atomic_flag_test_and_set(&value));
}

static rt_atomic_t shared;
static int from_isr;

static void add_in_isr(void *unused)
{
	(void)unused;
	++from_isr;
	rt_atomic_add(&shared, 1);
}
static void add_often(void *rounds)
{
	for (rt_ubase_t i = 0; i < (rt_ubase_t)rounds; ++i) {
		rt_atomic_add(&shared, 1);
		if (i % 64 == 0)
			rt_thread_yield();
	}
}

static void test_nothing_is_lost(void)
{
	struct rt_timer timer;
	shared = 0;
	from_isr = 0;
	rt_timer_init(&timer, "adds", add_in_isr, RT_NULL, 1,
		      RT_TIMER_FLAG_PERIODIC | RT_TIMER_FLAG_HARD_TIMER);
	rt_timer_start(&timer);
	for (int i = 0; i < 3; ++i)
		suite_start("adds", LOWER, add_often, (void *)50000);
	uassert_true(suite_join());
	rt_timer_stop(&timer);
	rt_timer_detach(&timer);
	uassert_true(from_isr > 1);
	uassert_equal(150000 + from_isr, rt_atomic_load(&shared));
}

static void testcase(void)
{
	UNIT(test_values);
	UNIT(test_nothing_is_lost);
}
SUITE("atomic");
