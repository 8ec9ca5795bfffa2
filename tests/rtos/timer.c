/* SPDX-License-Identifier: GPL-2.0-only */
/* Timers, hard and soft: when they expire, in which context, in which order; what control tells and changes. */
#include "suite.h"

static struct rt_timer timer;
static volatile int expiries;
static volatile rt_tick_t expired_at[16];
static volatile rt_bool_t in_interrupt;
static rt_thread_t ran_in;

static void expire(void *parameter)
{
	(void)parameter;
	if (expiries < 16)
		expired_at[expiries] = rt_tick_get();
	++expiries;
	in_interrupt = rt_interrupt_get_nest() > 0;
	ran_in = rt_thread_self();
}

static void start(rt_tick_t ticks, rt_uint8_t flags)
{
	expiries = 0;
	rt_timer_init(&timer, "test", expire, RT_NULL, ticks, flags);
	uassert_equal(RT_EOK, rt_timer_start(&timer));
}

static void one_shot(rt_uint8_t kind)
{
	for (rt_tick_t ticks = 1; ticks <= 10; ticks += 3) {
		rt_thread_delay(1);
		const rt_tick_t began = rt_tick_get();
		start(ticks, RT_TIMER_FLAG_ONE_SHOT | kind);
		rt_thread_delay(ticks + 5);
		uassert_equal(1, expiries);
		uassert_equal(ticks, expired_at[0] - began);
		uassert_equal(-RT_ERROR, rt_timer_stop(&timer)); /* it is not active any more */
		uassert_equal(RT_EOK, rt_timer_detach(&timer));
	}
}

static void test_hard_one_shot(void)
{
	one_shot(RT_TIMER_FLAG_HARD_TIMER);
	uassert_true(in_interrupt);
}

static void test_soft_one_shot(void)
{
	one_shot(RT_TIMER_FLAG_SOFT_TIMER);
	uassert_false(in_interrupt);
	uassert_true(ran_in != rt_thread_self());
}

static void periodic(rt_uint8_t kind)
{
	rt_thread_delay(1);
	const rt_tick_t began = rt_tick_get();
	start(3, RT_TIMER_FLAG_PERIODIC | kind);
	rt_thread_delay(31);
	uassert_equal(RT_EOK, rt_timer_stop(&timer));
	uassert_equal(10, expiries);
	for (int i = 0; i < 10; ++i)
		uassert_equal(3 * (i + 1), expired_at[i] - began); /* no drift */
	rt_thread_delay(10);
	uassert_equal(10, expiries);
	rt_timer_detach(&timer);
}

static void test_hard_periodic(void)
{
	periodic(RT_TIMER_FLAG_HARD_TIMER);
}
static void test_soft_periodic(void)
{
	periodic(RT_TIMER_FLAG_SOFT_TIMER);
}

/* Interrupts masked, so that it is late each time: the times after that are what they were to be. */
static void test_late_and_no_drift(void)
{
	rt_thread_delay(1);
	const rt_tick_t began = rt_tick_get();
	start(3, RT_TIMER_FLAG_PERIODIC | RT_TIMER_FLAG_HARD_TIMER);
	while (expiries < 10 && rt_tick_get() - began < 60) {
		const rt_base_t level = rt_hw_interrupt_disable();
		suite_spin(2);
		rt_hw_interrupt_enable(level);
	}
	rt_timer_stop(&timer);
	for (int i = 0; i < 10; ++i)
		uassert_in_range(expired_at[i] - began, 3 * (i + 1), 3 * (i + 1) + 2);
	rt_timer_detach(&timer);
}

static void test_stop(void)
{
	start(3, RT_TIMER_FLAG_ONE_SHOT | RT_TIMER_FLAG_HARD_TIMER);
	uassert_equal(RT_EOK, rt_timer_stop(&timer));
	uassert_equal(-RT_ERROR, rt_timer_stop(&timer));
	rt_thread_delay(6);
	uassert_equal(0, expiries);
	rt_timer_detach(&timer);
}

static void test_restart(void)
{
	rt_thread_delay(1);
	const rt_tick_t began = rt_tick_get();
	start(5, RT_TIMER_FLAG_ONE_SHOT | RT_TIMER_FLAG_HARD_TIMER);
	rt_thread_delay(3);
	uassert_equal(RT_EOK, rt_timer_start(&timer)); /* its time counts from now on */
	rt_thread_delay(10);
	uassert_equal(1, expiries);
	uassert_equal(8, expired_at[0] - began);
	rt_timer_detach(&timer);
}

static void test_dynamic(void)
{
	expiries = 0;
	rt_timer_t dynamic = rt_timer_create("dynamic", expire, RT_NULL, 2, RT_TIMER_FLAG_ONE_SHOT);
	uassert_not_null(dynamic);
	uassert_equal(RT_EOK, rt_timer_start(dynamic));
	rt_thread_delay(4);
	uassert_equal(1, expiries);
	uassert_equal(RT_EOK, rt_timer_start(dynamic));
	uassert_equal(RT_EOK, rt_timer_delete(dynamic)); /* while it is active */
	rt_thread_delay(4);
	uassert_equal(1, expiries);
}

static void note(void *letter)
{
	mark((char)(rt_ubase_t)letter);
}

static void order(rt_uint8_t kind)
{
	static struct rt_timer timers[5];
	static const struct {
		char letter;
		rt_tick_t ticks;
	} plan[5] = {
		{ 'c', 6 }, { 'a', 2 }, { 'b', 4 }, { 'd', 6 }, { 'e', 8 }
	}; /* c before d: it was started first */
	rt_thread_delay(1);
	for (int i = 0; i < 5; ++i) {
		rt_timer_init(&timers[i], "order", note, (void *)(rt_ubase_t)plan[i].letter, plan[i].ticks,
			      (rt_uint8_t)(RT_TIMER_FLAG_ONE_SHOT | kind));
		rt_timer_start(&timers[i]);
	}
	rt_thread_delay(10);
	uassert_order("abcde");
	for (int i = 0; i < 5; ++i)
		rt_timer_detach(&timers[i]);
}

static void test_order(void)
{
	order(RT_TIMER_FLAG_HARD_TIMER);
	order(RT_TIMER_FLAG_SOFT_TIMER);
}

enum { MANY = 200 };
static struct rt_timer many[MANY];
static rt_tick_t many_due[MANY];
static volatile int many_wrong, many_expired;

static void expire_one(void *index)
{
	many_wrong += rt_tick_get() != many_due[(rt_ubase_t)index];
	++many_expired;
}

static void test_many(void)
{
	rt_uint32_t random = 1;
	many_wrong = many_expired = 0;
	rt_thread_delay(1);
	for (rt_ubase_t i = 0; i < MANY; ++i) {
		random = random * 1103515245 + 12345;
		const rt_tick_t ticks = 2 + (random >> 16) % 40;
		rt_timer_init(&many[i], "many", expire_one, (void *)i, ticks,
			      RT_TIMER_FLAG_ONE_SHOT | RT_TIMER_FLAG_HARD_TIMER);
		many_due[i] = rt_tick_get() + ticks;
		rt_timer_start(&many[i]);
	}
	for (int i = 0; i < MANY; i += 3)
		uassert_equal(RT_EOK, rt_timer_stop(&many[i]));
	rt_thread_delay(50);
	uassert_equal(0, many_wrong);
	uassert_equal(MANY - (MANY + 2) / 3, many_expired);
	for (int i = 0; i < MANY; ++i)
		rt_timer_detach(&many[i]);
}

static void test_control(void)
{
	rt_uint32_t state = 0;
	rt_tick_t ticks = 0;
	start(5, RT_TIMER_FLAG_ONE_SHOT | RT_TIMER_FLAG_HARD_TIMER);
	rt_timer_control(&timer, RT_TIMER_CTRL_GET_TIME, &ticks);
	uassert_equal(5, ticks);
	rt_timer_control(&timer, RT_TIMER_CTRL_GET_STATE, &state);
	uassert_equal(RT_TIMER_FLAG_ACTIVATED, state);
	rt_timer_stop(&timer);
	rt_timer_control(&timer, RT_TIMER_CTRL_GET_STATE, &state);
	uassert_equal(RT_TIMER_FLAG_DEACTIVATED, state);

	ticks = 2;
	uassert_equal(RT_EOK, rt_timer_control(&timer, RT_TIMER_CTRL_SET_TIME, &ticks));
	uassert_equal(RT_EOK, rt_timer_control(&timer, RT_TIMER_CTRL_SET_PERIODIC, RT_NULL));
	rt_thread_delay(1);
	rt_timer_start(&timer);
	rt_thread_delay(7);
	uassert_equal(3, expiries);
	rt_timer_stop(&timer);
	uassert_equal(RT_EOK, rt_timer_control(&timer, RT_TIMER_CTRL_SET_ONESHOT, RT_NULL));
	rt_timer_start(&timer);
	rt_thread_delay(7);
	uassert_equal(4, expiries);

	uassert_equal(RT_EOK, rt_timer_control(&timer, RT_TIMER_CTRL_SET_FUNC, (void *)note));
	uassert_equal(RT_EOK, rt_timer_control(&timer, RT_TIMER_CTRL_SET_PARM, (void *)(rt_ubase_t)'n'));
	rt_timer_start(&timer);
	rt_thread_delay(4);
	uassert_order("n");
	rt_timer_detach(&timer);
}

static void stop_self(void *parameter)
{
	++expiries;
	if (expiries == 3)
		rt_timer_stop(parameter);
}

static void test_stop_in_handler(void)
{
	expiries = 0;
	rt_timer_init(&timer, "self", stop_self, &timer, 1,
		      RT_TIMER_FLAG_PERIODIC | RT_TIMER_FLAG_HARD_TIMER);
	rt_timer_start(&timer);
	rt_thread_delay(8);
	uassert_equal(3, expiries);
	rt_timer_detach(&timer);
}

static void change_period(void *parameter)
{
	rt_tick_t ticks = 4;
	if (expiries < 16)
		expired_at[expiries] = rt_tick_get();
	if (++expiries == 1) {
		rt_timer_control(parameter, RT_TIMER_CTRL_SET_TIME, &ticks);
		rt_timer_start(parameter);
	}
}

static void test_restart_in_handler(void)
{
	expiries = 0;
	rt_thread_delay(1);
	const rt_tick_t began = rt_tick_get();
	rt_timer_init(&timer, "self", change_period, &timer, 2,
		      RT_TIMER_FLAG_ONE_SHOT | RT_TIMER_FLAG_HARD_TIMER);
	rt_timer_start(&timer);
	rt_thread_delay(12);
	uassert_equal(2, expiries);
	uassert_equal(2, expired_at[0] - began);
	uassert_equal(6, expired_at[1] - began);
	rt_timer_detach(&timer);
}

static void start_in_isr(void *parameter)
{
	rt_timer_start(parameter);
}

static void test_start_in_isr(void)
{
	expiries = 0;
	rt_timer_init(&timer, "isr", expire, RT_NULL, 2, RT_TIMER_FLAG_ONE_SHOT | RT_TIMER_FLAG_SOFT_TIMER);
	suite_in_isr(start_in_isr, &timer);
	rt_thread_delay(4);
	uassert_equal(1, expiries);
	rt_timer_detach(&timer);
}

static void test_bad_input(void)
{
	start(5, RT_TIMER_FLAG_ONE_SHOT);
	rt_timer_stop(&timer);
	rt_timer_detach(&timer);
	uassert_refused(rt_timer_start, -RT_EINVAL, (RT_NULL));
	uassert_refused(rt_timer_stop, -RT_EINVAL, (RT_NULL));
	uassert_refused(rt_timer_detach, -RT_EINVAL, (RT_NULL));
	uassert_refused(rt_timer_delete, -RT_EINVAL, (RT_NULL));
	uassert_refused(rt_timer_start, -RT_EINVAL, (&timer)); /* detached */
	uassert_refused(rt_timer_detach, -RT_EINVAL, (&timer));
	uassert_refused_null(rt_timer_create, ("bad", expire, RT_NULL, RT_TICK_MAX, RT_TIMER_FLAG_ONE_SHOT));
}

static void testcase(void)
{
	UNIT(test_hard_one_shot);
	UNIT(test_soft_one_shot);
	UNIT(test_hard_periodic);
	UNIT(test_soft_periodic);
	UNIT(test_late_and_no_drift);
	UNIT(test_stop);
	UNIT(test_restart);
	UNIT(test_dynamic);
	UNIT(test_order);
	UNIT(test_many);
	UNIT(test_control);
	UNIT(test_stop_in_handler);
	UNIT(test_restart_in_handler);
	UNIT(test_start_in_isr);
	UNIT(test_bad_input);
}
SUITE("timer");
