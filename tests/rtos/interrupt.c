/* SPDX-License-Identifier: GPL-2.0-only */
/* The tick, interrupts masked, the scheduler locked, interrupt context. */
#include "suite.h"

static void mark_entry(void *letter)
{
	mark((char)(rt_ubase_t)letter);
}
#define LETTER(c) ((void *)(rt_ubase_t)(c))

static void test_tick(void)
{
	const rt_tick_t before = rt_tick_get();
	while (rt_tick_get() == before) /* from the begin of a tick: a thread runs a little later than it is due */
		;
	const rt_tick_t began = rt_tick_get();
	rt_thread_delay(7);
	uassert_equal(began + 7, rt_tick_get());
	rt_tick_set(1000000);
	uassert_true(rt_tick_get() - 1000000 < 2);
	uassert_equal(5, TICKS_OF(rt_thread_delay(5)));
	/* a delay over the wrap of the tick */
	rt_tick_set(RT_TICK_MAX - 2);
	uassert_equal(6, TICKS_OF(rt_thread_delay(6)));
	uassert_true(rt_tick_get() < 10);
	rt_tick_set(began);
	uassert_equal(RT_TICK_PER_SECOND, rt_tick_from_millisecond(1000));
	uassert_equal(0, rt_tick_from_millisecond(0));
	uassert_equal(RT_WAITING_FOREVER, (rt_int32_t)rt_tick_from_millisecond(-1));
	uassert_equal(1, rt_tick_from_millisecond(1));
}

static void test_interrupts_masked(void)
{
	const rt_base_t outer = rt_hw_interrupt_disable();
	const rt_base_t inner = rt_hw_interrupt_disable();
	suite_start("ready", HIGHER, mark_entry, LETTER('r'));
	uassert_order("");
	uassert_true(rt_hw_interrupt_is_disabled());
	rt_hw_interrupt_enable(inner);
	uassert_true(rt_hw_interrupt_is_disabled()); /* it nests */
	uassert_order("");
	rt_hw_interrupt_enable(outer);
	uassert_false(rt_hw_interrupt_is_disabled());
	uassert_order("r");
}

static volatile int fired;
static void fire(void *unused)
{
	(void)unused;
	++fired;
}

static void test_interrupt_waits(void)
{
	struct rt_timer timer;
	fired = 0;
	rt_timer_init(&timer, "masked", fire, RT_NULL, 1, RT_TIMER_FLAG_ONE_SHOT | RT_TIMER_FLAG_HARD_TIMER);
	const rt_base_t level = rt_hw_interrupt_disable();
	rt_timer_start(&timer);
	suite_spin(3);
	uassert_equal(0, fired);
	rt_hw_interrupt_enable(level);
	suite_spin(1);
	uassert_equal(1, fired); /* late, not lost */
	rt_timer_detach(&timer);
}

static void test_critical_section(void)
{
	struct rt_timer timer;
	fired = 0;
	rt_timer_init(&timer, "critical", fire, RT_NULL, 1,
		      RT_TIMER_FLAG_ONE_SHOT | RT_TIMER_FLAG_HARD_TIMER);
	uassert_equal(0, rt_critical_level());
	rt_enter_critical();
	rt_enter_critical();
	uassert_equal(2, rt_critical_level());
	suite_start("ready", HIGHER, mark_entry, LETTER('r'));
	rt_timer_start(&timer);
	suite_spin(3);
	uassert_equal(1, fired); /* interrupts come */
	rt_exit_critical();
	uassert_order(""); /* threads do not */
	rt_exit_critical();
	uassert_order("r");
	uassert_equal(0, rt_critical_level());
	rt_timer_detach(&timer);
}

static void test_critical_section_holds_the_slice(void)
{
	rt_enter_critical();
	suite_start("equal", BASE, mark_entry, LETTER('e'));
	suite_spin(3 * SLICE);
	uassert_order("");
	rt_exit_critical();
	uassert_true(suite_join());
	uassert_order("e");
}

static void note_context(void *context)
{
	*(int *)context = rt_interrupt_get_nest();
}

static void test_context(void)
{
	int in_isr = 0;
	uassert_equal(0, rt_interrupt_get_nest());
	uassert_true(rt_in_thread_context());
	suite_in_isr(note_context, &in_isr);
	uassert_equal(1, in_isr);
}

static void test_lines(void)
{
	uassert_null(rt_hw_interrupt_install(-1, RT_NULL, RT_NULL, "bad"));
	uassert_null(rt_hw_interrupt_install(100000, RT_NULL, RT_NULL, "bad"));
	rt_hw_interrupt_mask(100000); /* ignored */
	rt_hw_interrupt_umask(100000);
}

static void test_us_delay(void)
{
	rt_thread_delay(1);
	uassert_equal(5, TICKS_OF(rt_hw_us_delay(5000)));
}

static void test_spinlock(void)
{
	struct rt_spinlock lock = RT_SPINLOCK_INIT;
	rt_spin_lock(&lock);
	suite_start("ready", HIGHER, mark_entry, LETTER('r'));
	uassert_order("");
	rt_spin_unlock(&lock);
	uassert_order("r");
	const rt_base_t level = rt_spin_lock_irqsave(&lock);
	uassert_true(rt_hw_interrupt_is_disabled());
	rt_spin_unlock_irqrestore(&lock, level);
	uassert_false(rt_hw_interrupt_is_disabled());
}

static void testcase(void)
{
	UNIT(test_tick);
	UNIT(test_interrupts_masked);
	UNIT(test_interrupt_waits);
	UNIT(test_critical_section);
	UNIT(test_critical_section_holds_the_slice);
	UNIT(test_context);
	UNIT(test_lines);
	UNIT(test_us_delay);
	UNIT(test_spinlock);
}
SUITE("interrupt");
