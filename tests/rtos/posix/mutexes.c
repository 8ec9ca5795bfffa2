/* SPDX-License-Identifier: GPL-2.0-only */
#include "check.h"

#include <string.h>

static pthread_mutex_t mutex;

static void make(int type, int protocol, int ceiling, int robust)
{
	pthread_mutexattr_t a;

	OK(pthread_mutexattr_init(&a));
	OK(pthread_mutexattr_settype(&a, type));
	OK(pthread_mutexattr_setprotocol(&a, protocol));
	if (ceiling)
		OK(pthread_mutexattr_setprioceiling(&a, ceiling));
	OK(pthread_mutexattr_setrobust(&a, robust));
	OK(pthread_mutex_init(&mutex, &a));
}

static int priority(void)
{
	/* The effective one is the kernel's affair; what a thread of middle priority can do tells it. */
	struct sched_param param;
	int policy;
	OK(pthread_getschedparam(pthread_self(), &policy, &param));
	return param.sched_priority;
}

static void *try_and_unlock(void *expected)
{
	EQUAL(pthread_mutex_trylock(&mutex), EBUSY);
	EQUAL(pthread_mutex_unlock(&mutex), (long)expected);
	return NULL;
}

static void types(void)
{
	static pthread_mutex_t plain = PTHREAD_MUTEX_INITIALIZER, never;

	OK(pthread_mutex_lock(&plain));
	EQUAL(pthread_mutex_trylock(&plain), EBUSY);
	EQUAL(pthread_mutex_destroy(&plain), EBUSY);
	OK(pthread_mutex_unlock(&plain));
	EQUAL(pthread_mutex_unlock(&plain), EPERM);
	OK(pthread_mutex_destroy(&plain));
	EQUAL(pthread_mutex_lock(&plain), EINVAL);
	EQUAL(pthread_mutex_destroy(&plain), EINVAL);
	EQUAL(pthread_mutex_lock(NULL), EINVAL);
	memset(&never, 0xa5, sizeof(never));
	EQUAL(pthread_mutex_lock(&never), EINVAL);

	make(PTHREAD_MUTEX_ERRORCHECK, PTHREAD_PRIO_NONE, 0, PTHREAD_MUTEX_STALLED);
	OK(pthread_mutex_lock(&mutex));
	EQUAL(pthread_mutex_init(&mutex, NULL), EBUSY);
	EQUAL(pthread_mutex_lock(&mutex), EDEADLK);
	EQUAL(pthread_mutex_trylock(&mutex), EBUSY);
	join(start(try_and_unlock, (void *)EPERM, TEST_PRIORITY + 1));
	OK(pthread_mutex_unlock(&mutex));
	EQUAL(pthread_mutex_unlock(&mutex), EPERM);
	OK(pthread_mutex_destroy(&mutex));

	make(PTHREAD_MUTEX_RECURSIVE, PTHREAD_PRIO_NONE, 0, PTHREAD_MUTEX_STALLED);
	OK(pthread_mutex_lock(&mutex));
	OK(pthread_mutex_lock(&mutex));
	OK(pthread_mutex_trylock(&mutex));
	OK(pthread_mutex_unlock(&mutex));
	OK(pthread_mutex_unlock(&mutex));
	join(start(try_and_unlock, (void *)EPERM, TEST_PRIORITY + 1));
	OK(pthread_mutex_unlock(&mutex));
	EQUAL(pthread_mutex_unlock(&mutex), EPERM);
	OK(pthread_mutex_destroy(&mutex));
}

static void *timed(void *unused)
{
	struct timespec begin, until = {.tv_sec = 0, .tv_nsec = -1};
	(void)unused;

	EQUAL(pthread_mutex_timedlock(&mutex, &until), EINVAL);
	until = after_ms(CLOCK_REALTIME, 20);
	OK(clock_gettime(CLOCK_MONOTONIC, &begin));
	EQUAL(pthread_mutex_timedlock(&mutex, &until), ETIMEDOUT);
	EQUAL(elapsed_ms(CLOCK_MONOTONIC, &begin), 20);
	until = (struct timespec){.tv_sec = 1, .tv_nsec = 0};
	EQUAL(pthread_mutex_timedlock(&mutex, &until), ETIMEDOUT);
	return NULL;
}

static void timeouts(void)
{
	const struct timespec invalid = {.tv_sec = 0, .tv_nsec = 1000000000};

	OK(pthread_mutex_init(&mutex, NULL));
	OK(pthread_mutex_timedlock(&mutex, &invalid)); /* it is free, so the time does not matter */
	join(start(timed, NULL, TEST_PRIORITY + 1));
	OK(pthread_mutex_unlock(&mutex));
	OK(pthread_mutex_destroy(&mutex));
}

static char order[8];

static void *lock_late(void *name)
{
	OK(pthread_mutex_lock(&mutex));
	strcat(order, name);
	OK(pthread_mutex_unlock(&mutex));
	return NULL;
}

static void *note(void *name)
{
	strcat(order, name);
	return NULL;
}

static void *hold_low(void *unused)
{
	(void)unused;
	OK(pthread_mutex_lock(&mutex));
	const pthread_t high = start(lock_late, "h", TEST_PRIORITY - 1);
	const pthread_t middle = start(note, "m", TEST_PRIORITY - 2);
	/* With inheritance the middle one, ready and more important than this one, has not run yet. */
	strcat(order, "l");
	OK(pthread_mutex_unlock(&mutex));
	join(high);
	join(middle);
	EQUAL(priority(), TEST_PRIORITY - 3);
	return NULL;
}

static void inheritance(void)
{
	order[0] = 0;
	make(PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_INHERIT, 0, PTHREAD_MUTEX_STALLED);
	join(start(hold_low, NULL, TEST_PRIORITY - 3));
	CHECK(strcmp(order, "lhm") == 0);
	OK(pthread_mutex_destroy(&mutex));

	order[0] = 0;
	make(PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_NONE, 0, PTHREAD_MUTEX_STALLED);
	join(start(hold_low, NULL, TEST_PRIORITY - 3));
	CHECK(strcmp(order, "mlh") == 0);
	OK(pthread_mutex_destroy(&mutex));
}

static void *ceiling_thread(void *unused)
{
	(void)unused;
	OK(pthread_mutex_lock(&mutex));
	const pthread_t middle = start(note, "m", TEST_PRIORITY - 2);
	strcat(order, "l");
	OK(pthread_mutex_unlock(&mutex));
	join(middle);
	return NULL;
}

static void ceilings(void)
{
	int value;

	order[0] = 0;
	make(PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_PROTECT, TEST_PRIORITY - 1, PTHREAD_MUTEX_STALLED);
	join(start(ceiling_thread, NULL, TEST_PRIORITY - 3));
	CHECK(strcmp(order, "lm") == 0);
	/* This thread's priority is above the ceiling. */
	EQUAL(pthread_mutex_lock(&mutex), EINVAL);
	EQUAL(pthread_mutex_trylock(&mutex), EINVAL);
	OK(pthread_mutex_getprioceiling(&mutex, &value));
	EQUAL(value, TEST_PRIORITY - 1);
	EQUAL(pthread_mutex_setprioceiling(&mutex, 0, &value), EINVAL);
	EQUAL(pthread_mutex_setprioceiling(&mutex, TEST_PRIORITY, &value), 0);
	EQUAL(value, TEST_PRIORITY - 1);
	OK(pthread_mutex_lock(&mutex));
	OK(pthread_mutex_unlock(&mutex));
	OK(pthread_mutex_destroy(&mutex));
	OK(pthread_mutex_init(&mutex, NULL));
	EQUAL(pthread_mutex_getprioceiling(&mutex, &value), EINVAL);
	EQUAL(pthread_mutex_setprioceiling(&mutex, 3, &value), EINVAL);
	OK(pthread_mutex_destroy(&mutex));
}

static void *die_with_it(void *unused)
{
	(void)unused;
	OK(pthread_mutex_lock(&mutex));
	return NULL;
}

static void *wait_for_it(void *unused)
{
	(void)unused;
	EQUAL(pthread_mutex_lock(&mutex), ENOTRECOVERABLE);
	return NULL;
}

static void robust(void)
{
	make(PTHREAD_MUTEX_NORMAL, PTHREAD_PRIO_INHERIT, 0, PTHREAD_MUTEX_ROBUST);
	join(start(die_with_it, NULL, TEST_PRIORITY));
	EQUAL(pthread_mutex_lock(&mutex), EOWNERDEAD);
	OK(pthread_mutex_consistent(&mutex));
	EQUAL(pthread_mutex_consistent(&mutex), EINVAL);
	OK(pthread_mutex_unlock(&mutex));
	OK(pthread_mutex_lock(&mutex));
	OK(pthread_mutex_unlock(&mutex));

	join(start(die_with_it, NULL, TEST_PRIORITY));
	EQUAL(pthread_mutex_trylock(&mutex), EOWNERDEAD);
	const pthread_t waiter = start(wait_for_it, NULL, TEST_PRIORITY + 1);
	OK(pthread_mutex_unlock(&mutex)); /* not made consistent */
	join(waiter);
	EQUAL(pthread_mutex_lock(&mutex), ENOTRECOVERABLE);
	EQUAL(pthread_mutex_trylock(&mutex), ENOTRECOVERABLE);
	OK(pthread_mutex_destroy(&mutex));
}

const struct test mutexes_tests[] = {
	{"types", types},       {"timeouts", timeouts}, {"inheritance", inheritance},
	{"ceilings", ceilings}, {"robust", robust},     {0, 0},
};
