/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * What the suites share: threads around the test's own priority, a record of who ran in which order, a way into
 * interrupt context, and checks of calls that must be refused.
 *
 * Test units run in utest's thread, which suite_init() puts at priority BASE. Assertions are made there and in threads
 * that it waits for.
 */
#ifndef SUITE_H
#define SUITE_H

#include <rtthread.h>
#include <rthw.h>
#include <string.h>
#include <utest.h>

enum { HIGHER = 10, BASE = 15, LOWER = 20, STACK = 4096, SLICE = 10 };

/* UTEST_TC_EXPORT's init and cleanup for every suite. */
rt_err_t suite_init(void);
rt_err_t suite_cleanup(void);
/* A test unit; those behind one that fails run too, and the suite fails at its cleanup. */
void suite_unit(void (*function)(void), const char *name);
#define UNIT(function) suite_unit(function, #function)
#define SUITE(name) UTEST_TC_EXPORT(testcase, "rtos." name, suite_init, suite_cleanup, 60)

/* Assertions that tell what they found. */
rt_bool_t suite_equal(long expected, long found, const char *file, int line, const char *function);
rt_bool_t suite_same_text(const char *expected, const char *found, const char *file, int line,
			  const char *function);
#define uassert_equal(expected, found) \
	suite_equal((long)(expected), (long)(found), __FILE__, __LINE__, __func__)
#define uassert_string(expected, found) suite_same_text(expected, found, __FILE__, __LINE__, __func__)

/* Create and start a thread; the number of those that have not ended is what suite_join() waits for. */
rt_thread_t suite_start(const char *name, int priority, void (*entry)(void *), void *parameter);
/* Wait until all of suite_start's threads have ended; RT_FALSE if that takes more than a second. */
rt_bool_t suite_join(void);

/* The priority it runs at, with what it inherits: RT-Thread has no name for it that all versions share. */
int suite_priority_of(rt_thread_t thread);

/* Who ran when: each mark is a letter. Callable from anywhere. */
void mark(char letter);
/* The letters so far; starts over. */
const char *marks(void);
#define uassert_order(expected) uassert_string(expected, marks())

/* Call function in interrupt context, and return when it has been. */
void suite_in_isr(void (*function)(void *), void *parameter);

/*
 * A call with bad input: it returns the documented error, and a build with RTOS_DEBUG makes an assertion that names
 * the call, exactly one; a build without makes none.
 */
void suite_watch_assertions(void);
rt_bool_t suite_asserted_rightly(const char *call);
#define uassert_refused(function, error, arguments)              \
	do {                                                     \
		suite_watch_assertions();                        \
		uassert_equal(error, function arguments);        \
		uassert_true(suite_asserted_rightly(#function)); \
	} while (0)
#define uassert_refused_null(function, arguments)                \
	do {                                                     \
		suite_watch_assertions();                        \
		uassert_null(function arguments);                \
		uassert_true(suite_asserted_rightly(#function)); \
	} while (0)

/* Ticks that a call took. */
#define TICKS_OF(call)                                       \
	({                                                   \
		const rt_tick_t suite_began = rt_tick_get(); \
		(void)(call);                                \
		(int)(rt_tick_get() - suite_began);          \
	})

/* Keep the processor for so many ticks: nobody of this priority or below runs meanwhile, unless its slice comes. */
void suite_spin(rt_tick_t ticks);

#endif
