/* SPDX-License-Identifier: GPL-2.0-only */
#include "suite.h"

static int failed_units;

void suite_unit(void (*function)(void), const char *name)
{
	utest_unit_run(function, name);
	failed_units += utest_handle_get()->failed_num != 0;
}

static char message[80];

rt_bool_t suite_equal(long expected, long found, const char *file, int line, const char *function)
{
	rt_snprintf(message, sizeof(message), "expected %ld, found %ld", expected, found);
	return utest_assert(expected == found, file, line, function, message);
}

rt_bool_t suite_same_text(const char *expected, const char *found, const char *file, int line,
			  const char *function)
{
	rt_snprintf(message, sizeof(message), "expected \"%s\", found \"%s\"", expected, found);
	return utest_assert(strcmp(expected, found) == 0, file, line, function, message);
}

/* suite_start's threads that have not ended */
static struct start {
	void (*entry)(void *);
	void *parameter;
} starts[16];
static volatile rt_uint32_t used_starts;

static void begin(void *slot)
{
	struct start *start = slot;
	start->entry(start->parameter);
	rt_base_t level = rt_hw_interrupt_disable();
	used_starts &= ~(1u << (start - starts));
	rt_hw_interrupt_enable(level);
}

rt_thread_t suite_start(const char *name, int priority, void (*entry)(void *), void *parameter)
{
	int slot = 0;
	rt_base_t level = rt_hw_interrupt_disable();
	while (used_starts & (1u << slot))
		++slot;
	used_starts |= 1u << slot;
	rt_hw_interrupt_enable(level);
	starts[slot] = (struct start){ entry, parameter };
	rt_thread_t thread = rt_thread_create(name, begin, &starts[slot], STACK, (rt_uint8_t)priority, SLICE);
	uassert_not_null(thread);
	if (thread)
		uassert_equal(RT_EOK, rt_thread_startup(thread));
	return thread;
}

rt_bool_t suite_join(void)
{
	for (int tick = 0; used_starts != 0 && tick < RT_TICK_PER_SECOND; ++tick)
		rt_thread_delay(1);
	return used_starts == 0;
}

static char record[64];
static volatile unsigned record_length;

void mark(char letter)
{
	rt_base_t level = rt_hw_interrupt_disable();
	if (record_length < sizeof(record) - 1)
		record[record_length++] = letter;
	record[record_length] = 0;
	rt_hw_interrupt_enable(level);
}

const char *marks(void)
{
	static char taken[sizeof(record)];
	rt_base_t level = rt_hw_interrupt_disable();
	memcpy(taken, record, record_length);
	taken[record_length] = 0;
	record_length = 0;
	rt_hw_interrupt_enable(level);
	return taken;
}

struct isr_call {
	void (*function)(void *);
	void *parameter;
	volatile rt_bool_t done;
};

static void in_isr(void *call)
{
	struct isr_call *c = call;
	uassert_true(rt_interrupt_get_nest() > 0);
	c->function(c->parameter);
	c->done = RT_TRUE;
}

void suite_in_isr(void (*function)(void *), void *parameter)
{
	struct rt_timer timer;
	struct isr_call call = { function, parameter, RT_FALSE };
	rt_timer_init(&timer, "in_isr", in_isr, &call, 1, RT_TIMER_FLAG_ONE_SHOT | RT_TIMER_FLAG_HARD_TIMER);
	rt_timer_start(&timer);
	const rt_tick_t began = rt_tick_get();
	while (!call.done && rt_tick_get() - began < 10)
		; /* not asleep: what the function does must find the thread running */
	uassert_true(call.done);
	rt_timer_detach(&timer);
}

static int assertions;
static char asserted_in[32];

static void note_assertion(const char *expression, const char *function, rt_size_t line)
{
	(void)expression;
	(void)line;
	++assertions;
	rt_strncpy(asserted_in, function, sizeof(asserted_in) - 1);
}

void suite_watch_assertions(void)
{
	assertions = 0;
	asserted_in[0] = 0;
}

rt_bool_t suite_asserted_rightly(const char *call)
{
#ifdef RT_DEBUGING_ASSERT
	if (assertions == 1 && strcmp(asserted_in, call) == 0)
		return RT_TRUE;
	rt_kprintf("%s: %d assertions, the last in %s\n", call, assertions, asserted_in);
#else
	(void)call;
	if (assertions == 0)
		return RT_TRUE;
#endif
	return RT_FALSE;
}

rt_err_t suite_init(void)
{
	rt_uint8_t base = BASE;
	rt_thread_control(rt_thread_self(), RT_THREAD_CTRL_CHANGE_PRIORITY, &base);
	rt_assert_set_hook(note_assertion);
	marks();
	failed_units = 0;
	return RT_EOK;
}

rt_err_t suite_cleanup(void)
{
	rt_assert_set_hook(RT_NULL);
	return suite_join() && failed_units == 0 ? RT_EOK : -RT_ERROR;
}

void suite_spin(rt_tick_t ticks)
{
	const rt_tick_t began = rt_tick_get();
	while (rt_tick_get() - began < ticks)
		;
}
