/* SPDX-License-Identifier: GPL-2.0-only */
#include "check.h"

#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static char order[8];
static int go;

static void *wait_go(void *name)
{
	OK(pthread_mutex_lock(&mutex));
	while (!go)
		OK(pthread_cond_wait(&cond, &mutex));
	--go;
	strcat(order, name);
	OK(pthread_mutex_unlock(&mutex));
	return NULL;
}

static void signal_order(void)
{
	pthread_t t[3];

	order[0] = 0;
	t[0] = start(wait_go, "l", TEST_PRIORITY + 1);
	t[1] = start(wait_go, "h", TEST_PRIORITY + 3);
	t[2] = start(wait_go, "m", TEST_PRIORITY + 2);
	for (int i = 0; i < 2; ++i) {
		OK(pthread_mutex_lock(&mutex));
		++go;
		OK(pthread_cond_signal(&cond));
		OK(pthread_mutex_unlock(&mutex));
	}
	CHECK(strcmp(order, "hm") == 0);
	EQUAL(pthread_cond_destroy(&cond), EBUSY);
	OK(pthread_mutex_lock(&mutex));
	go = 3;
	OK(pthread_cond_broadcast(&cond));
	OK(pthread_mutex_unlock(&mutex));
	CHECK(strcmp(order, "hml") == 0);
	for (int i = 0; i < 3; ++i)
		join(t[i]);
	go = 0;
}

static void timeouts(void)
{
	pthread_condattr_t attr;
	pthread_cond_t monotonic;
	struct timespec begin, until, back = {.tv_sec = 1, .tv_nsec = 0}, now;
	const struct timespec invalid = {.tv_sec = 0, .tv_nsec = 1000000000};

	OK(pthread_condattr_init(&attr));
	OK(pthread_condattr_setclock(&attr, CLOCK_MONOTONIC));
	OK(pthread_cond_init(&monotonic, &attr));
	OK(pthread_mutex_lock(&mutex));
	OK(clock_gettime(CLOCK_MONOTONIC, &begin));
	until = after_ms(CLOCK_REALTIME, 15);
	EQUAL(pthread_cond_timedwait(&cond, &mutex, &until), ETIMEDOUT);
	EQUAL(elapsed_ms(CLOCK_MONOTONIC, &begin), 15);
	EQUAL(pthread_cond_timedwait(&cond, &mutex, &back), ETIMEDOUT);
	EQUAL(pthread_cond_timedwait(&cond, &mutex, &invalid), EINVAL);
	/* The monotonic clock is not the one that is set. */
	OK(clock_gettime(CLOCK_REALTIME, &now));
	now.tv_sec += 1000000;
	OK(clock_settime(CLOCK_REALTIME, &now));
	OK(clock_gettime(CLOCK_MONOTONIC, &begin));
	until = after_ms(CLOCK_MONOTONIC, 15);
	EQUAL(pthread_cond_timedwait(&monotonic, &mutex, &until), ETIMEDOUT);
	EQUAL(elapsed_ms(CLOCK_MONOTONIC, &begin), 15);
	OK(pthread_mutex_unlock(&mutex));
	EQUAL(pthread_cond_wait(&cond, &mutex), EPERM); /* not the owner */
	OK(pthread_cond_destroy(&monotonic));
	EQUAL(pthread_cond_signal(&monotonic), EINVAL);
	EQUAL(pthread_cond_destroy(&monotonic), EINVAL);
	EQUAL(pthread_cond_wait(NULL, &mutex), EINVAL);
	EQUAL(pthread_cond_wait(&cond, NULL), EINVAL);
}

/* A wait gives up one lock of a recursive mutex, and takes that one again. */
static void recursive(void)
{
	pthread_mutexattr_t attr;
	pthread_mutex_t often;
	const struct timespec soon = after_ms(CLOCK_REALTIME, 5);

	OK(pthread_mutexattr_init(&attr));
	OK(pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_RECURSIVE));
	OK(pthread_mutex_init(&often, &attr));
	OK(pthread_mutex_lock(&often));
	OK(pthread_mutex_lock(&often));
	EQUAL(pthread_cond_timedwait(&cond, &often, &soon), ETIMEDOUT);
	OK(pthread_mutex_unlock(&often));
	OK(pthread_mutex_unlock(&often));
	EQUAL(pthread_mutex_unlock(&often), EPERM);
	OK(pthread_mutex_destroy(&often));
}

const struct test conditions_tests[] = {
	{"signal", signal_order}, {"timeouts", timeouts}, {"recursive", recursive}, {0, 0}};
