/* SPDX-License-Identifier: GPL-2.0-only */
#include "check.h"

#include <limits.h>
#include <mqueue.h>
#include <signal.h>
#include <string.h>

static struct mq_attr shape = {.mq_maxmsg = 3, .mq_msgsize = 16};

static mqd_t fresh(int flags)
{
	const mqd_t q = mq_open("/queue", O_CREAT | O_EXCL | flags, 0600, &shape);
	CHECK(q != (mqd_t)-1);
	OK(mq_unlink("/queue"));
	return q;
}

static void opening(void)
{
	struct mq_attr bad = {.mq_maxmsg = 0, .mq_msgsize = 16}, got;
	char too_long[NAME_MAX + 3];

	FAILS(mq_open("/none", O_RDWR), ENOENT);
	FAILS(mq_open("/bad", O_RDWR | O_CREAT, 0600, &bad), EINVAL);
	bad = (struct mq_attr){.mq_maxmsg = 1, .mq_msgsize = -1};
	FAILS(mq_open("/bad", O_RDWR | O_CREAT, 0600, &bad), EINVAL);
	bad = (struct mq_attr){.mq_maxmsg = 60000, .mq_msgsize = 60000};
	FAILS(mq_open("/bad", O_RDWR | O_CREAT, 0600, &bad), ENOSPC);
	FAILS(mq_open("no_slash", O_RDWR | O_CREAT, 0600, NULL), EINVAL);
	memset(too_long, 'x', sizeof(too_long) - 1);
	too_long[0] = '/';
	too_long[sizeof(too_long) - 1] = 0;
	FAILS(mq_open(too_long, O_RDWR | O_CREAT, 0600, NULL), ENAMETOOLONG);
	FAILS(mq_unlink("/none"), ENOENT);

	const mqd_t a = mq_open("/q", O_RDWR | O_CREAT, 0600, NULL);
	CHECK(a != (mqd_t)-1);
	FAILS(mq_open("/q", O_RDWR | O_CREAT | O_EXCL, 0600, NULL), EEXIST);
	const mqd_t b = mq_open("/q", O_WRONLY | O_NONBLOCK);
	OK(mq_getattr(b, &got));
	EQUAL(got.mq_flags, O_NONBLOCK);
	CHECK(got.mq_maxmsg > 0 && got.mq_msgsize > 0);
	OK(mq_send(b, "x", 1, 0));
	OK(mq_getattr(a, &got));
	EQUAL(got.mq_curmsgs, 1);
	EQUAL(got.mq_flags, 0);
	OK(mq_unlink("/q"));
	OK(mq_close(a));
	FAILS(mq_close(a), EBADF);
	FAILS(mq_getattr(a, &got), EBADF);
	FAILS(mq_getattr(-1, &got), EBADF);
	FAILS(mq_getattr(MQ_OPEN_MAX, &got), EBADF);
	OK(mq_close(b));

	/* All descriptors, and one more. */
	mqd_t all[MQ_OPEN_MAX];
	int n = 0;
	while (n < MQ_OPEN_MAX && (all[n] = mq_open("/many", O_RDWR | O_CREAT, 0600, &shape)) != (mqd_t)-1)
		++n;
	EQUAL(n, MQ_OPEN_MAX);
	FAILS(mq_open("/many", O_RDWR), EMFILE);
	while (n > 0)
		OK(mq_close(all[--n]));
	OK(mq_unlink("/many"));
}

static void order(void)
{
	char buffer[16];
	unsigned priority;
	const mqd_t q = fresh(O_RDWR);

	OK(mq_send(q, "low", 4, 1));
	OK(mq_send(q, "high", 5, 31));
	OK(mq_send(q, "low2", 5, 1));
	EQUAL(mq_receive(q, buffer, sizeof(buffer), &priority), 5);
	CHECK(strcmp(buffer, "high") == 0 && priority == 31);
	EQUAL(mq_receive(q, buffer, sizeof(buffer), &priority), 4);
	CHECK(strcmp(buffer, "low") == 0 && priority == 1);
	EQUAL(mq_receive(q, buffer, sizeof(buffer), NULL), 5);
	CHECK(strcmp(buffer, "low2") == 0);
	OK(mq_send(q, "", 0, 0));
	EQUAL(mq_receive(q, buffer, sizeof(buffer), NULL), 0);
	FAILS(mq_send(q, buffer, 17, 0), EMSGSIZE);
	FAILS(mq_send(q, buffer, 1, MQ_PRIO_MAX), EINVAL);
	FAILS(mq_receive(q, buffer, 15, NULL), EMSGSIZE);
	OK(mq_close(q));
	FAILS(mq_send(q, buffer, 1, 0), EBADF);
	FAILS(mq_receive(q, buffer, 16, NULL), EBADF);
}

static void limits(void)
{
	char buffer[16];
	struct timespec begin, until;
	const struct timespec invalid = {.tv_sec = 0, .tv_nsec = 1000000000};
	const mqd_t q = fresh(O_RDWR);
	struct mq_attr nonblocking = {.mq_flags = O_NONBLOCK}, old;

	FAILS(mq_timedreceive(q, buffer, sizeof(buffer), NULL, &invalid), EINVAL);
	OK(clock_gettime(CLOCK_MONOTONIC, &begin));
	until = after_ms(CLOCK_REALTIME, 10);
	FAILS(mq_timedreceive(q, buffer, sizeof(buffer), NULL, &until), ETIMEDOUT);
	EQUAL(elapsed_ms(CLOCK_MONOTONIC, &begin), 10);
	for (int i = 0; i < 3; ++i)
		OK(mq_timedsend(q, "x", 1, 0, &invalid)); /* there is room: the time does not matter */
	FAILS(mq_timedsend(q, "x", 1, 0, &invalid), EINVAL);
	until = after_ms(CLOCK_REALTIME, 10);
	FAILS(mq_timedsend(q, "x", 1, 0, &until), ETIMEDOUT);
	OK(mq_setattr(q, &nonblocking, &old));
	EQUAL(old.mq_flags, 0);
	EQUAL(old.mq_curmsgs, 3);
	FAILS(mq_send(q, "x", 1, 0), EAGAIN);
	for (int i = 0; i < 3; ++i)
		EQUAL(mq_receive(q, buffer, sizeof(buffer), NULL), 1);
	FAILS(mq_receive(q, buffer, sizeof(buffer), NULL), EAGAIN);
	OK(mq_close(q));

	const mqd_t in = mq_open("/ways", O_RDONLY | O_CREAT, 0600, &shape), out = mq_open("/ways", O_WRONLY);
	FAILS(mq_send(in, "x", 1, 0), EBADF);
	FAILS(mq_receive(out, buffer, sizeof(buffer), NULL), EBADF);
	OK(mq_close(in));
	OK(mq_close(out));
	OK(mq_unlink("/ways"));
}

static mqd_t shared;

static void *send_late(void *unused)
{
	(void)unused;
	OK(mq_send(shared, "late", 5, 7));
	return NULL;
}

static void *receive_late(void *unused)
{
	char buffer[16];
	(void)unused;
	EQUAL(mq_receive(shared, buffer, sizeof(buffer), NULL), 1);
	return NULL;
}

static void blocking(void)
{
	char buffer[16];
	unsigned priority;

	shared = fresh(O_RDWR);
	pthread_t t = start(send_late, NULL, TEST_PRIORITY - 1);
	EQUAL(mq_receive(shared, buffer, sizeof(buffer), &priority), 5);
	EQUAL(priority, 7);
	join(t);
	for (int i = 0; i < 3; ++i)
		OK(mq_send(shared, "x", 1, 0));
	t = start(receive_late, NULL, TEST_PRIORITY - 1);
	OK(mq_send(shared, "x", 1, 0));
	join(t);
	OK(mq_close(shared));
}

static volatile int called, value_seen;

static void notified(union sigval value)
{
	value_seen = value.sival_int;
	++called;
}

static void notify(void)
{
	char buffer[16];
	siginfo_t info;
	sigset_t set;
	const struct timespec none = {0, 0};
	const mqd_t q = fresh(O_RDWR);
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL,
				 .sigev_signo = SIGRTMIN + 1,
				 .sigev_value = {.sival_int = 99}};

	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN + 1);
	OK(pthread_sigmask(SIG_BLOCK, &set, NULL));
	OK(mq_notify(q, &event));
	FAILS(mq_notify(q, &event), EBUSY);
	OK(mq_send(q, "x", 1, 0));
	EQUAL(sigtimedwait(&set, &info, &none), SIGRTMIN + 1);
	EQUAL(info.si_code, SI_MESGQ);
	EQUAL(info.si_value.sival_int, 99);
	/* Once only, and only when it was empty. */
	OK(mq_send(q, "x", 1, 0));
	FAILS(sigtimedwait(&set, &info, &none), EAGAIN);
	OK(mq_notify(q, &event));
	OK(mq_send(q, "x", 1, 0));
	FAILS(sigtimedwait(&set, &info, &none), EAGAIN);
	OK(mq_notify(q, NULL));
	while (mq_setattr(q, &(struct mq_attr){.mq_flags = O_NONBLOCK}, NULL) == 0 &&
	       mq_receive(q, buffer, sizeof(buffer), NULL) > 0) {
	}
	OK(mq_send(q, "x", 1, 0));
	FAILS(sigtimedwait(&set, &info, &none), EAGAIN);
	EQUAL(mq_receive(q, buffer, sizeof(buffer), NULL), 1);

	event = (struct sigevent){.sigev_notify = SIGEV_THREAD,
				  .sigev_notify_function = notified,
				  .sigev_value = {.sival_int = 5}};
	called = 0;
	OK(mq_notify(q, &event));
	OK(mq_send(q, "x", 1, 0));
	sleep_ms(2);
	EQUAL(called, 1);
	EQUAL(value_seen, 5);
	event.sigev_notify = 77;
	FAILS(mq_notify(q, &event), EINVAL);
	FAILS(mq_notify(-1, &event), EBADF);
	OK(mq_close(q));
	OK(pthread_sigmask(SIG_UNBLOCK, &set, NULL));
}

const struct test queues_tests[] = {
	{"opening", opening},   {"order", order},   {"limits", limits},
	{"blocking", blocking}, {"notify", notify}, {0, 0},
};
