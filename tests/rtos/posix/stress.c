/* SPDX-License-Identifier: GPL-2.0-only */
/* Everything at once, with signals that come at any instruction and cancellation at any wait. */
#include "check.h"

#include <fcntl.h>
#include <mqueue.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>

enum { rounds = 300, workers = 3 };

static sem_t ping, pong;
static mqd_t queue;
static pthread_mutex_t mutex;
static pthread_cond_t cond = PTHREAD_COND_INITIALIZER;
static int turn, turns;
static volatile unsigned handled;

static void handle(int number)
{
	char text[16];
	(void)number;
	snprintf(text, sizeof(text), "%.1f", 1.5); /* not safe in a handler by POSIX, but it is here: no shared stream */
	if (text[0] != '1')
		check_failed(__FILE__, __LINE__, text, 0);
	++handled;
}

static void *semaphores(void *second)
{
	for (int i = 0; i < rounds; ++i) {
		sem_t *const mine = second ? &ping : &pong, *const other = second ? &pong : &ping;
		if (!second)
			OK(sem_post(other));
		while (sem_wait(mine) != 0)
			EQUAL(errno, EINTR);
		if (second)
			OK(sem_post(other));
	}
	return NULL;
}

static void *sender(void *unused)
{
	(void)unused;
	for (int i = 0; i < rounds; ++i)
		while (mq_send(queue, (char *)&i, sizeof(i), 0) != 0)
			EQUAL(errno, EINTR);
	return NULL;
}

static void *receiver(void *unused)
{
	(void)unused;
	for (int i = 0; i < rounds; ++i) {
		int got = -1;
		while (mq_receive(queue, (char *)&got, sizeof(got), NULL) < 0)
			EQUAL(errno, EINTR);
		EQUAL(got, i);
	}
	return NULL;
}

static void *in_turn(void *number)
{
	const int mine = (int)(long)number;
	for (int i = 0; i < rounds; ++i) {
		OK(pthread_mutex_lock(&mutex));
		while (turn != mine)
			OK(pthread_cond_wait(&cond, &mutex));
		turn = (turn + 1) % workers;
		++turns;
		OK(pthread_cond_broadcast(&cond));
		OK(pthread_mutex_unlock(&mutex));
	}
	return NULL;
}

static void *wait_for_ever(void *unused)
{
	(void)unused;
	for (;;) {
		sleep_ms(1);
		OK(pthread_mutex_lock(&mutex));
		OK(pthread_mutex_unlock(&mutex));
		sem_t nothing;
		sem_init(&nothing, 0, 0);
		const struct timespec until = after_ms(CLOCK_REALTIME, 1);
		sem_timedwait(&nothing, &until);
	}
	return NULL;
}

static void together(void)
{
	pthread_t t[4 + workers];
	timer_t timer;
	int n = 0;
	const struct itimerspec every = {.it_value = {.tv_nsec = 37000}, .it_interval = {.tv_nsec = 37000}};
	struct sigaction action = {.sa_handler = handle};
	struct mq_attr shape = {.mq_maxmsg = 2, .mq_msgsize = sizeof(int)};
	pthread_mutexattr_t attr;

	OK(pthread_mutexattr_init(&attr));
	OK(pthread_mutexattr_setprotocol(&attr, PTHREAD_PRIO_INHERIT));
	OK(pthread_mutex_init(&mutex, &attr));
	OK(sem_init(&ping, 0, 0));
	OK(sem_init(&pong, 0, 0));
	queue = mq_open("/stress", O_RDWR | O_CREAT, 0600, &shape);
	handled = 0;
	turn = turns = 0;
	OK(sigaction(SIGALRM, &action, NULL));
	OK(timer_create(CLOCK_MONOTONIC, NULL, &timer));
	OK(timer_settime(timer, 0, &every, NULL));

	t[n++] = start(semaphores, NULL, TEST_PRIORITY - 1);
	t[n++] = start(semaphores, "second", TEST_PRIORITY - 2);
	t[n++] = start(sender, NULL, TEST_PRIORITY - 1);
	t[n++] = start(receiver, NULL, TEST_PRIORITY - 3);
	for (long i = 0; i < workers; ++i)
		t[n++] = start(in_turn, (void *)i, TEST_PRIORITY - 1 - (int)i);
	/* Meanwhile threads come and are cancelled wherever they are. */
	for (int i = 0; i < 60; ++i) {
		void *result;
		const pthread_t victim = start(wait_for_ever, NULL, TEST_PRIORITY - i % 4);
		struct timespec a_while = {.tv_nsec = 100000 + i * 7919};
		while (nanosleep(&a_while, &a_while) != 0)
			EQUAL(errno, EINTR);
		OK(pthread_cancel(victim));
		OK(pthread_join(victim, &result));
		CHECK(result == PTHREAD_CANCELED);
	}
	while (n > 0)
		join(t[--n]);
	EQUAL(turns, rounds * workers);
	if (handled <= 200)
		check_failed(__FILE__, __LINE__, "signals handled", (long)handled);
	OK(timer_delete(timer));
	signal(SIGALRM, SIG_DFL);
	OK(mq_close(queue));
	OK(mq_unlink("/stress"));
	OK(sem_destroy(&ping));
	OK(sem_destroy(&pong));
	OK(pthread_mutex_destroy(&mutex));
}

const struct test stress_tests[] = {{"together", together}, {0, 0}};
