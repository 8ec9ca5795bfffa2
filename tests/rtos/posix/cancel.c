/* SPDX-License-Identifier: GPL-2.0-only */
#include "check.h"

#include <mqueue.h>
#include <poll.h>
#include <semaphore.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

static char trace[8];

static void note(void *name)
{
	strcat(trace, name);
}

static sem_t never;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static pthread_t joined;
static mqd_t queue = -1;

static void wait_sem(void)
{
	sem_wait(&never);
}
static void wait_sleep(void)
{
	sleep_ms(100000);
}
static void wait_pause(void)
{
	pause();
}
static void wait_sigwait(void)
{
	sigset_t set;
	int number;
	sigemptyset(&set);
	sigaddset(&set, SIGRTMAX);
	sigwait(&set, &number);
}
static void wait_queue(void)
{
	char buffer[8];
	struct mq_attr attr = {.mq_maxmsg = 1, .mq_msgsize = sizeof(buffer)};
	if (queue < 0)
		queue = mq_open("/cancel", O_RDWR | O_CREAT, 0600, &attr);
	mq_receive(queue, buffer, sizeof(buffer), NULL);
}
static void wait_join(void)
{
	pthread_join(joined, NULL);
}
static void wait_poll(void)
{
	poll(NULL, 0, -1);
}
static void wait_read(void)
{
	char c;
	read(STDIN_FILENO, &c, 1);
}
static void wait_test(void)
{
	for (;;) {
		pthread_testcancel();
		sched_yield();
	}
}

static void *at_point(void *wait)
{
	pthread_cleanup_push(note, "1");
	pthread_cleanup_push(note, "2");
	((void (*)(void))wait)();
	pthread_cleanup_pop(0);
	pthread_cleanup_pop(0);
	return NULL;
}

static void *block(void *unused)
{
	(void)unused;
	sem_wait(&never);
	return NULL;
}

static void points(void)
{
	static void (*const waits[])(void) = {wait_sem,   wait_sleep, wait_pause, wait_sigwait, wait_queue,
					      wait_join, wait_poll,  wait_read,  wait_test};

	OK(sem_init(&never, 0, 0));
	joined = start(block, NULL, TEST_PRIORITY);
	for (size_t i = 0; i < sizeof(waits) / sizeof(waits[0]); ++i)
		/* Cancelled in its wait, and before it has begun. */
		for (int early = 0; early < 2; ++early) {
			void *result = NULL;
			trace[0] = 0;
			const pthread_t t = start(at_point, (void *)waits[i], TEST_PRIORITY - early);
			if (!early)
				sleep_ms(2);
			OK(pthread_cancel(t));
			OK(pthread_join(t, &result));
			CHECK(result == PTHREAD_CANCELED);
			/* In its first call it is at a point, so it has pushed nothing or both. */
			CHECK(strcmp(trace, "21") == 0);
			if (strcmp(trace, "21") != 0)
				check_failed(__FILE__, (int)i, trace, early);
		}
	OK(mq_close(queue));
	OK(mq_unlink("/cancel"));
	/* The join that was cancelled left its thread joinable. */
	OK(sem_post(&never));
	join(joined);
	OK(sem_destroy(&never));
}

/* A request is acted upon at a point that would not have to wait, too. */
static void *take_at_once(void *timed)
{
	const struct timespec until = {0, 0};
	int old;
	OK(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old));
	OK(pthread_cancel(pthread_self()));
	OK(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old));
	if (timed)
		sem_timedwait(&never, &until);
	else
		sem_wait(&never);
	return NULL;
}

static void at_once(void)
{
	OK(sem_init(&never, 0, 1));
	for (int timed = 0; timed < 2; ++timed) {
		void *result = NULL;
		const pthread_t t = start(take_at_once, timed ? trace : NULL, TEST_PRIORITY + 1);
		OK(pthread_join(t, &result));
		CHECK(result == PTHREAD_CANCELED);
		OK(sem_trywait(&never)); /* the unit is still there */
		OK(sem_post(&never));
	}
	OK(sem_destroy(&never));
}

static void check_locked(void *unused)
{
	(void)unused;
	EQUAL(pthread_mutex_trylock(&mutex), EBUSY); /* this thread has it */
	OK(pthread_mutex_unlock(&mutex));
	strcat(trace, "c");
}

static void *wait_cond(void *unused)
{
	(void)unused;
	OK(pthread_mutex_lock(&mutex));
	pthread_cleanup_push(check_locked, NULL);
	for (;;)
		pthread_cond_wait(&cond, &mutex);
	pthread_cleanup_pop(0);
	return NULL;
}

static void condition(void)
{
	trace[0] = 0;
	const pthread_t t = start(wait_cond, NULL, TEST_PRIORITY + 1);
	OK(pthread_cancel(t));
	join(t);
	CHECK(strcmp(trace, "c") == 0);
	OK(pthread_mutex_lock(&mutex));
	OK(pthread_mutex_unlock(&mutex));
}

static void *lock_mutex(void *unused)
{
	(void)unused;
	OK(pthread_mutex_lock(&mutex)); /* not a cancellation point */
	strcat(trace, "m");
	OK(pthread_mutex_unlock(&mutex));
	pthread_testcancel();
	strcat(trace, "x");
	return NULL;
}

static void not_a_point(void)
{
	trace[0] = 0;
	OK(pthread_mutex_lock(&mutex));
	const pthread_t t = start(lock_mutex, NULL, TEST_PRIORITY + 1);
	OK(pthread_cancel(t));
	CHECK(strcmp(trace, "") == 0);
	OK(pthread_mutex_unlock(&mutex));
	join(t);
	CHECK(strcmp(trace, "m") == 0);
}

static volatile int proceed;

static void *disabled(void *unused)
{
	int old;
	(void)unused;
	OK(pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &old));
	EQUAL(old, PTHREAD_CANCEL_ENABLE);
	sleep_ms(5);
	pthread_testcancel();
	strcat(trace, "d");
	OK(pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, &old));
	pthread_testcancel();
	strcat(trace, "x");
	return NULL;
}

static void *asynchronous(void *unused)
{
	int old;
	(void)unused;
	OK(pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, &old));
	EQUAL(old, PTHREAD_CANCEL_DEFERRED);
	pthread_cleanup_push(note, "a");
	for (;;)
		++proceed;
	pthread_cleanup_pop(0);
	return NULL;
}

static void states(void)
{
	void *result;
	int old;

	trace[0] = 0;
	pthread_t t = start(disabled, NULL, TEST_PRIORITY + 1);
	OK(pthread_cancel(t));
	OK(pthread_join(t, &result));
	CHECK(result == PTHREAD_CANCELED);
	CHECK(strcmp(trace, "d") == 0);

	trace[0] = 0;
	t = start(asynchronous, NULL, TEST_PRIORITY - 1);
	sleep_ms(2);
	CHECK(proceed > 0);
	OK(pthread_cancel(t));
	OK(pthread_join(t, &result));
	CHECK(result == PTHREAD_CANCELED);
	CHECK(strcmp(trace, "a") == 0);

	EQUAL(pthread_setcancelstate(77, &old), EINVAL);
	EQUAL(pthread_setcanceltype(77, &old), EINVAL);
}

const struct test cancel_tests[] = {
	{"points", points}, {"at_once", at_once}, {"condition", condition}, {"not_a_point", not_a_point}, {"states", states}, {0, 0},
};
