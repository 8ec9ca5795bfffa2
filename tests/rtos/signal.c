/* SPDX-License-Identifier: GPL-2.0-only */
/* Signals between threads: handlers in the thread's own context, masks, waiting for one. */
#include "suite.h"
#include <signal.h>

static rt_thread_t handled_in;
static volatile int handled;

static void handler(int number)
{
	handled = number;
	handled_in = rt_thread_self();
	mark('h');
}

static void waits_for_signal(void *unused)
{
	(void)unused;
	rt_signal_install(SIGUSR1, handler);
	rt_signal_unmask(SIGUSR1);
	mark('1');
	rt_thread_delay(20);
	mark('2');
}

static void test_handler(void)
{
	rt_thread_t thread = suite_start("signals", HIGHER, waits_for_signal, RT_NULL);
	uassert_order("1");
	handled = 0;
	uassert_equal(RT_EOK, rt_thread_kill(thread, SIGUSR1));
	rt_thread_delay(1);
	uassert_equal(SIGUSR1, handled);
	uassert_true(handled_in == thread); /* in its own context */
	uassert_true(suite_join());
	const char *seen = marks(); /* the delay may end early */
	uassert_string("h2", seen);
}

static void test_self(void)
{
	rt_signal_install(SIGUSR1, handler);
	rt_signal_unmask(SIGUSR1);
	handled = 0;
	uassert_equal(RT_EOK, rt_thread_kill(rt_thread_self(), SIGUSR1));
	uassert_equal(SIGUSR1, handled);
	uassert_true(handled_in == rt_thread_self());
	/* masked: pending until it is unmasked */
	rt_signal_mask(SIGUSR1);
	handled = 0;
	rt_thread_kill(rt_thread_self(), SIGUSR1);
	uassert_equal(0, handled);
	rt_signal_unmask(SIGUSR1);
	uassert_equal(SIGUSR1, handled);
	rt_signal_install(SIGUSR1, SIG_IGN);
	rt_thread_kill(rt_thread_self(), SIGUSR1);
	rt_signal_mask(SIGUSR1);
	marks();
}

static volatile int waited_result, waited_signal;
static void wait_in_thread(void *timeout)
{
	rt_sigset_t set = 1u << SIGUSR2;
	rt_siginfo_t info = { 0 };
	rt_signal_install(SIGUSR2, SIG_DFL);
	rt_signal_unmask(SIGUSR2);
	waited_result = rt_signal_wait(&set, &info, (rt_int32_t)(rt_base_t)timeout);
	waited_signal = info.si_signo;
	mark('w');
}

static void test_wait(void)
{
	rt_thread_t thread = suite_start("waits", HIGHER, wait_in_thread, (void *)100);
	uassert_order("");
	rt_thread_kill(thread, SIGUSR2);
	rt_thread_delay(1);
	uassert_order("w");
	uassert_equal(RT_EOK, waited_result);
	uassert_equal(SIGUSR2, waited_signal);
	suite_start("times-out", HIGHER, wait_in_thread, (void *)3);
	rt_thread_delay(2);
	uassert_order("");
	rt_thread_delay(2);
	uassert_order("w");
	uassert_equal(-RT_ETIMEOUT, waited_result);
}

static struct rt_semaphore sem;
static volatile rt_err_t result;
static void take_interruptible(void *unused)
{
	(void)unused;
	rt_signal_install(SIGUSR1, handler);
	rt_signal_unmask(SIGUSR1);
	result = rt_sem_take_interruptible(&sem, RT_WAITING_FOREVER);
	mark('i');
}
static void take_uninterruptible(void *unused)
{
	(void)unused;
	rt_signal_install(SIGUSR1, handler);
	rt_signal_unmask(SIGUSR1);
	result = rt_sem_take(&sem, RT_WAITING_FOREVER);
	mark('u');
}

static void test_interrupted_wait(void)
{
	rt_sem_init(&sem, "interrupted", 0, RT_IPC_FLAG_PRIO);
	rt_thread_t thread = suite_start("interruptible", HIGHER, take_interruptible, RT_NULL);
	rt_thread_kill(thread, SIGUSR1);
	rt_thread_delay(1);
	uassert_order("hi");
	uassert_equal(-RT_EINTR, result);
	thread = suite_start("uninterruptible", HIGHER, take_uninterruptible, RT_NULL);
	rt_thread_kill(thread, SIGUSR1);
	rt_thread_delay(1);
	rt_sem_release(&sem);
	rt_thread_delay(1);
	const char *seen = marks();
	uassert_true(strchr(seen, 'u') != RT_NULL);
	uassert_equal(RT_EOK, result);
	rt_sem_detach(&sem);
}

static void fp_handler(int number)
{
	__asm volatile(".fpu neon\n\tvmov.i32 q10, #0x55" ::: "memory");
	handled = number;
}

static volatile rt_uint32_t fp_seen;

/* Interrupted anywhere by the handler, with a value in d20, which no function's caller may count on. */
static void fp_loop(void *unused)
{
	rt_uint32_t seen;
	(void)unused;
	rt_signal_install(SIGUSR1, fp_handler);
	rt_signal_unmask(SIGUSR1);
	__asm volatile(".fpu neon\n\tvdup.32 q10, %0" ::"r"(0x12345678));
	while (!handled)
		;
	__asm volatile(".fpu neon\n\tvmov.32 %0, d20[0]" : "=r"(seen));
	fp_seen = seen;
}

static void test_floating_point(void)
{
	handled = 0;
	fp_seen = 0;
	const rt_thread_t thread = suite_start("fp", LOWER, fp_loop, RT_NULL);
	rt_thread_delay(2);
	uassert_equal(RT_EOK, rt_thread_kill(thread, SIGUSR1));
	uassert_true(suite_join());
	uassert_equal(0x12345678, fp_seen);
}

static void test_bad_input(void)
{
	uassert_equal(-RT_EINVAL, rt_thread_kill(rt_thread_self(), RT_SIG_MAX));
	uassert_equal(-RT_EINVAL, rt_thread_kill(rt_thread_self(), -1));
	uassert_refused(rt_thread_kill, -RT_EINVAL, (RT_NULL, SIGUSR1));
	uassert_true(rt_signal_install(RT_SIG_MAX, handler) == SIG_ERR);
}

static void testcase(void)
{
	UNIT(test_handler);
	UNIT(test_self);
	UNIT(test_wait);
	UNIT(test_interrupted_wait);
	UNIT(test_floating_point);
	UNIT(test_bad_input);
}
SUITE("signal");
