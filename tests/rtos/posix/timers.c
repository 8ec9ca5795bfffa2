/* SPDX-License-Identifier: GPL-2.0-only */
#include "check.h"

#include <limits.h>
#include <signal.h>
#include <unistd.h>

static sigset_t set;

static void block(int number)
{
	sigemptyset(&set);
	sigaddset(&set, number);
	OK(pthread_sigmask(SIG_BLOCK, &set, NULL));
}

static struct itimerspec spec(long first_ms, long every_ms)
{
	return (struct itimerspec){
		.it_value = {.tv_sec = first_ms / 1000, .tv_nsec = first_ms % 1000 * 1000000},
		.it_interval = {.tv_sec = every_ms / 1000, .tv_nsec = every_ms % 1000 * 1000000}};
}

static void signals(void)
{
	timer_t t;
	siginfo_t info;
	struct timespec begin;
	struct itimerspec value = spec(10, 5), old;
	struct sigevent event = {.sigev_notify = SIGEV_SIGNAL,
				 .sigev_signo = SIGRTMIN + 2,
				 .sigev_value = {.sival_int = 7}};

	block(SIGRTMIN + 2);
	OK(timer_create(CLOCK_MONOTONIC, &event, &t));
	OK(timer_gettime(t, &old));
	CHECK(old.it_value.tv_sec == 0 && old.it_value.tv_nsec == 0);
	OK(clock_gettime(CLOCK_MONOTONIC, &begin));
	OK(timer_settime(t, 0, &value, NULL));
	for (int i = 0; i < 4; ++i) {
		EQUAL(sigwaitinfo(&set, &info), SIGRTMIN + 2);
		EQUAL(info.si_code, SI_TIMER);
		EQUAL(info.si_value.sival_int, 7);
		EQUAL(elapsed_ms(CLOCK_MONOTONIC, &begin), 10 + 5 * i);
		EQUAL(timer_getoverrun(t), 0);
	}
	/* Four more expire while the signal is pending. */
	sleep_ms(26);
	EQUAL(sigwaitinfo(&set, &info), SIGRTMIN + 2);
	EQUAL(timer_getoverrun(t), 4);
	OK(timer_gettime(t, &old));
	EQUAL(old.it_interval.tv_nsec, 5000000);
	CHECK(old.it_value.tv_nsec > 0 && old.it_value.tv_nsec <= 5000000);
	value = spec(0, 0);
	OK(timer_settime(t, 0, &value, &old));
	EQUAL(old.it_interval.tv_nsec, 5000000);
	FAILS(sigtimedwait(&set, &info, &(struct timespec){.tv_nsec = 20000000}), EAGAIN);
	OK(timer_delete(t));
	OK(pthread_sigmask(SIG_UNBLOCK, &set, NULL));
}

static void errors(void)
{
	timer_t t, all[TIMER_MAX];
	int n = 0;
	struct itimerspec value = spec(10, 0);
	struct sigevent event = {.sigev_notify = 77};

	FAILS(timer_create(77, NULL, &t), EINVAL);
	FAILS(timer_create(CLOCK_THREAD_CPUTIME_ID, NULL, &t), ENOTSUP);
	FAILS(timer_create(CLOCK_MONOTONIC, &event, &t), EINVAL);
	event = (struct sigevent){.sigev_notify = SIGEV_SIGNAL, .sigev_signo = NSIG};
	FAILS(timer_create(CLOCK_MONOTONIC, &event, &t), EINVAL);
	event = (struct sigevent){.sigev_notify = SIGEV_NONE};
	while (n < TIMER_MAX && timer_create(CLOCK_REALTIME, &event, &all[n]) == 0)
		++n;
	CHECK(n >= TIMER_MAX - 1); /* alarm()'s may be among them */
	FAILS(timer_create(CLOCK_REALTIME, &event, &t), EAGAIN);
	t = all[0];
	value.it_value.tv_nsec = 1000000000;
	FAILS(timer_settime(t, 0, &value, NULL), EINVAL);
	while (n > 0)
		OK(timer_delete(all[--n]));
	FAILS(timer_delete(t), EINVAL);
	FAILS(timer_gettime(t, &value), EINVAL);
	FAILS(timer_getoverrun(t), EINVAL);
	value = spec(1, 0);
	FAILS(timer_settime(t, 0, &value, NULL), EINVAL);
}

static volatile int calls;
static volatile int last_value;

static void called(union sigval value)
{
	last_value = value.sival_int;
	++calls;
}

static void thread(void)
{
	timer_t t;
	struct itimerspec value = spec(5, 5);
	struct sigevent event = {.sigev_notify = SIGEV_THREAD,
				 .sigev_notify_function = called,
				 .sigev_value = {.sival_int = 11}};

	calls = 0;
	OK(timer_create(CLOCK_REALTIME, &event, &t));
	OK(timer_settime(t, 0, &value, NULL));
	sleep_ms(27);
	EQUAL(calls, 5);
	EQUAL(last_value, 11);
	OK(timer_delete(t));
	sleep_ms(20);
	EQUAL(calls, 5);
}

static void absolute(void)
{
	timer_t t;
	siginfo_t info;
	struct timespec begin, now;
	struct itimerspec value = {.it_value = after_ms(CLOCK_REALTIME, 100000)}, left;

	block(SIGALRM);
	OK(timer_create(CLOCK_REALTIME, NULL, &t)); /* null: SIGALRM with the timer's own id */
	OK(timer_settime(t, TIMER_ABSTIME, &value, NULL));
	OK(timer_gettime(t, &left));
	CHECK(left.it_value.tv_sec == 99 || left.it_value.tv_sec == 100);
	/* Set the clock to 10 ms before. */
	now = value.it_value;
	now.tv_nsec -= 10000000;
	if (now.tv_nsec < 0) {
		now.tv_nsec += 1000000000;
		--now.tv_sec;
	}
	OK(clock_gettime(CLOCK_MONOTONIC, &begin));
	OK(clock_settime(CLOCK_REALTIME, &now));
	EQUAL(sigwaitinfo(&set, &info), SIGALRM);
	EQUAL(info.si_value.sival_int, (int)t);
	EQUAL(elapsed_ms(CLOCK_MONOTONIC, &begin), 10);
	/* In the past: at once. */
	OK(timer_settime(t, TIMER_ABSTIME, &value, NULL));
	EQUAL(sigwaitinfo(&set, &info), SIGALRM);
	OK(timer_delete(t));

	EQUAL(alarm(100), 0);
	EQUAL(alarm(1), 100);
	OK(clock_gettime(CLOCK_MONOTONIC, &begin));
	EQUAL(sigwaitinfo(&set, &info), SIGALRM);
	EQUAL(elapsed_ms(CLOCK_MONOTONIC, &begin), 1000);
	EQUAL(alarm(1), 0);
	EQUAL(alarm(0), 1);
	OK(pthread_sigmask(SIG_UNBLOCK, &set, NULL));
}

const struct test timers_tests[] = {
	{"signals", signals}, {"errors", errors}, {"thread", thread}, {"absolute", absolute}, {0, 0}};
