/* SPDX-License-Identifier: GPL-2.0-only */
#include "check.h"

#include <limits.h>
#include <sched.h>
#include <string.h>
#include <unistd.h>

static void *return_argument(void *argument)
{
	return argument;
}

static void *exit_with_argument(void *argument)
{
	pthread_exit(argument);
}

static void create_join(void)
{
	pthread_t t;
	void *result;

	OK(pthread_create(&t, NULL, return_argument, &t));
	OK(pthread_join(t, &result));
	CHECK(result == &t);
	OK(pthread_create(&t, NULL, exit_with_argument, &result));
	OK(pthread_join(t, &result));
	CHECK(result == &result);
}

static void errors(void)
{
	pthread_t t;
	pthread_attr_t attr;

	EQUAL(pthread_join(pthread_self(), NULL), EDEADLK);
	OK(pthread_create(&t, NULL, return_argument, NULL));
	OK(pthread_join(t, NULL));
	EQUAL(pthread_join(t, NULL), ESRCH);
	EQUAL(pthread_detach(t), ESRCH);
	EQUAL(pthread_cancel(t), ESRCH);
	EQUAL(pthread_kill(t, 0), ESRCH);
	EQUAL(pthread_join(0, NULL), ESRCH);
	memset(&attr, 0, sizeof(attr));
	EQUAL(pthread_create(&t, &attr, return_argument, NULL), EINVAL);
	/* More stack than there is memory. */
	OK(pthread_attr_init(&attr));
	OK(pthread_attr_setstacksize(&attr, 1 << 28));
	EQUAL(pthread_create(&t, &attr, return_argument, NULL), EAGAIN);
}

static volatile int ran;

static void *count(void *unused)
{
	(void)unused;
	++ran;
	return NULL;
}

static void detached(void)
{
	pthread_t t;
	pthread_attr_t attr;

	OK(pthread_attr_init(&attr));
	OK(pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_DETACHED));
	ran = 0;
	OK(pthread_create(&t, &attr, count, NULL));
	EQUAL(pthread_join(t, NULL), EINVAL);
	EQUAL(pthread_detach(t), EINVAL);
	sleep_ms(5);
	EQUAL(ran, 1);
	EQUAL(pthread_join(t, NULL), ESRCH);
	/* Detached after its end. */
	OK(pthread_create(&t, NULL, count, NULL));
	sleep_ms(5);
	OK(pthread_detach(t));
	EQUAL(pthread_detach(t), ESRCH);
}

static void many(void)
{
	enum { most = 40 };
	pthread_t t[most];

	/* Nothing is lost on the way: as many threads as memory holds, many times. */
	for (int round = 0; round < 20; ++round) {
		for (int i = 0; i < most; ++i)
			OK(pthread_create(&t[i], NULL, return_argument, NULL));
		for (int i = 0; i < most; ++i)
			OK(pthread_join(t[i], NULL));
	}
}

static char order[8];

static void *note(void *name)
{
	strcat(order, name);
	return NULL;
}

static void priorities(void)
{
	char low_name[] = "l", high_name[] = "h", middle_name[] = "m";

	order[0] = 0;
	const pthread_t low = start(note, low_name, TEST_PRIORITY - 2);
	const pthread_t high = start(note, high_name, TEST_PRIORITY + 1);
	const pthread_t middle = start(note, middle_name, TEST_PRIORITY - 1);
	CHECK(strcmp(order, "h") == 0);
	join(low);
	join(high);
	join(middle);
	CHECK(strcmp(order, "hml") == 0);
}

static void scheduling(void)
{
	struct sched_param param;
	int policy;
	const pthread_t self = pthread_self();

	OK(pthread_getschedparam(self, &policy, &param));
	EQUAL(policy, SCHED_FIFO);
	EQUAL(param.sched_priority, TEST_PRIORITY);
	param.sched_priority = TEST_PRIORITY + 1;
	OK(pthread_setschedparam(self, SCHED_RR, &param));
	OK(pthread_getschedparam(self, &policy, &param));
	EQUAL(policy, SCHED_RR);
	EQUAL(param.sched_priority, TEST_PRIORITY + 1);
	OK(pthread_setschedprio(self, TEST_PRIORITY));
	EQUAL(pthread_setschedprio(self, 0), EINVAL);
	EQUAL(pthread_setschedprio(self, sched_get_priority_max(SCHED_FIFO) + 1), EINVAL);
	EQUAL(pthread_setschedparam(self, 77, &param), EINVAL);
	EQUAL(pthread_setschedparam(0, SCHED_FIFO, &param), ESRCH);
	EQUAL(pthread_setschedprio(0, 1), ESRCH);
	EQUAL(pthread_getschedparam(0, &policy, &param), ESRCH);
	param.sched_priority = TEST_PRIORITY;
	OK(pthread_setschedparam(self, SCHED_FIFO, &param));

	EQUAL(sched_getscheduler(0), SCHED_FIFO);
	OK(sched_getparam(0, &param));
	EQUAL(param.sched_priority, TEST_PRIORITY);
	EQUAL(sched_setscheduler(0, SCHED_RR, &param), SCHED_FIFO);
	EQUAL(sched_setscheduler(getpid(), SCHED_FIFO, &param), SCHED_RR);
	FAILS(sched_setscheduler(77, SCHED_FIFO, &param), ESRCH);
	FAILS(sched_setscheduler(0, 77, &param), EINVAL);
	FAILS(sched_getscheduler(77), ESRCH);
	FAILS(sched_getparam(77, &param), ESRCH);
	param.sched_priority = 1000;
	FAILS(sched_setparam(0, &param), EINVAL);
	CHECK(sched_get_priority_max(SCHED_RR) > sched_get_priority_min(SCHED_RR));
	FAILS(sched_get_priority_max(77), EINVAL);
	FAILS(sched_get_priority_min(77), EINVAL);
	struct timespec interval;
	OK(sched_rr_get_interval(0, &interval));
	EQUAL(interval.tv_nsec, 10000000);
	FAILS(sched_rr_get_interval(77, &interval), ESRCH);
	OK(sched_yield());
}

static volatile int turns[2];
static volatile int stop;

static void *spin(void *mine)
{
	volatile int *turn = mine;
	while (!stop)
		++*turn;
	return NULL;
}

static void round_robin(void)
{
	pthread_attr_t attr;
	const struct sched_param param = {.sched_priority = TEST_PRIORITY - 1};
	pthread_t t[2];

	stop = 0;
	OK(pthread_attr_init(&attr));
	OK(pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED));
	OK(pthread_attr_setschedpolicy(&attr, SCHED_RR));
	OK(pthread_attr_setschedparam(&attr, &param));
	for (int i = 0; i < 2; ++i)
		OK(pthread_create(&t[i], &attr, spin, (void *)&turns[i]));
	sleep_ms(50);
	CHECK(turns[0] > 0 && turns[1] > 0);
	stop = 1;
	join(t[0]);
	join(t[1]);
}

static pthread_once_t once = PTHREAD_ONCE_INIT;
static int once_runs;

static void once_routine(void)
{
	sleep_ms(5); /* so that the others arrive meanwhile */
	++once_runs;
}

static void *call_once_(void *unused)
{
	(void)unused;
	OK(pthread_once(&once, once_routine));
	EQUAL(once_runs, 1);
	return NULL;
}

static void only_once(void)
{
	pthread_t t[3];

	for (int i = 0; i < 3; ++i)
		t[i] = start(call_once_, NULL, TEST_PRIORITY);
	for (int i = 0; i < 3; ++i)
		join(t[i]);
	EQUAL(once_runs, 1);
	EQUAL(pthread_once(NULL, once_routine), EINVAL);
	EQUAL(pthread_once(&once, NULL), EINVAL);
}

static void *set_errno(void *unused)
{
	(void)unused;
	errno = ENOTTY;
	sleep_ms(2);
	EQUAL(errno, ENOTTY);
	return NULL;
}

static void own_errno(void)
{
	errno = EBUSY;
	const pthread_t t = start(set_errno, NULL, TEST_PRIORITY + 1);
	EQUAL(errno, EBUSY);
	join(t);
	EQUAL(errno, EBUSY);
}

static void names(void)
{
	CHECK(pthread_equal(pthread_self(), pthread_self()));
	CHECK(!pthread_equal(pthread_self(), 0));
	OK(pthread_setconcurrency(3));
	EQUAL(pthread_setconcurrency(-1), EINVAL);
	EQUAL(getpid(), 1);
}

static pthread_mutex_t robust;

static void *fault(void *address)
{
	OK(pthread_mutex_lock(&robust));
	*(volatile int *)address = 1;
	return NULL;
}

/* The RTOS ends a thread that faults, and nothing else. */
static void faulting(void)
{
	pthread_mutexattr_t attr;
	pthread_t t;
	void *result = NULL;

	OK(pthread_mutexattr_init(&attr));
	OK(pthread_mutexattr_setrobust(&attr, PTHREAD_MUTEX_ROBUST));
	OK(pthread_mutex_init(&robust, &attr));
	OK(pthread_create(&t, NULL, fault, (void *)8));
	OK(pthread_join(t, &result));
	CHECK(result == PTHREAD_CANCELED);
	EQUAL(pthread_mutex_lock(&robust), EOWNERDEAD);
	OK(pthread_mutex_consistent(&robust));
	OK(pthread_mutex_unlock(&robust));
	OK(pthread_mutex_destroy(&robust));
}

const struct test threads_tests[] = {
	{"create_join", create_join}, {"errors", errors},           {"detached", detached},
	{"many", many},               {"priorities", priorities},   {"scheduling", scheduling},
	{"round_robin", round_robin}, {"once", only_once},          {"errno", own_errno},
	{"names", names},             {"fault", faulting},        {0, 0},
};
