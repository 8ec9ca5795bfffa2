/* SPDX-License-Identifier: GPL-2.0-only */
#include "check.h"

#include <signal.h>
#include <stdint.h>
#include <sys/time.h>
#include <unistd.h>

static void reading(void)
{
	struct timespec a, b, resolution;
	struct timeval tv;

	OK(clock_gettime(CLOCK_MONOTONIC, &a));
	sleep_ms(7);
	EQUAL(elapsed_ms(CLOCK_MONOTONIC, &a), 7);
	OK(clock_getres(CLOCK_MONOTONIC, &resolution));
	CHECK(resolution.tv_sec == 0 && resolution.tv_nsec > 0 && resolution.tv_nsec < 1000);
	OK(clock_getres(CLOCK_REALTIME, NULL));
	FAILS(clock_gettime(77, &a), EINVAL);
	FAILS(clock_getres(77, &resolution), EINVAL);
	FAILS(clock_settime(CLOCK_MONOTONIC, &a), EINVAL);
	FAILS(clock_settime(77, &a), EINVAL);
	a = (struct timespec){.tv_sec = 1000, .tv_nsec = 1000000000};
	FAILS(clock_settime(CLOCK_REALTIME, &a), EINVAL);
	a.tv_nsec = -1;
	FAILS(clock_settime(CLOCK_REALTIME, &a), EINVAL);

	a = (struct timespec){.tv_sec = 1700000000, .tv_nsec = 500};
	OK(clock_settime(CLOCK_REALTIME, &a));
	OK(clock_gettime(CLOCK_REALTIME, &b));
	EQUAL(b.tv_sec, 1700000000);
	CHECK(b.tv_nsec >= 500 && b.tv_nsec < 1000000);
	EQUAL(time(NULL), 1700000000);
	OK(gettimeofday(&tv, NULL));
	EQUAL(tv.tv_sec, 1700000000);
	struct tm *const broken_down = gmtime(&b.tv_sec);
	EQUAL(broken_down->tm_year, 123);
	EQUAL(broken_down->tm_yday, 317);
}

static void sleeping(void)
{
	struct timespec begin, until, left;
	const struct timespec invalid = {.tv_sec = 0, .tv_nsec = 1000000000}, negative = {.tv_sec = -1, .tv_nsec = 0};

	OK(clock_gettime(CLOCK_MONOTONIC, &begin));
	until = begin;
	for (int i = 0; i < 5; ++i) {
		until.tv_nsec += 3000000;
		if (until.tv_nsec >= 1000000000) {
			until.tv_nsec -= 1000000000;
			++until.tv_sec;
		}
		OK(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL));
	}
	EQUAL(elapsed_ms(CLOCK_MONOTONIC, &begin), 15); /* no drift */
	OK(clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &begin, NULL));
	EQUAL(clock_nanosleep(CLOCK_MONOTONIC, 0, &invalid, NULL), EINVAL);
	EQUAL(clock_nanosleep(CLOCK_MONOTONIC, 0, &negative, NULL), EINVAL);
	EQUAL(clock_nanosleep(CLOCK_THREAD_CPUTIME_ID, 0, &begin, NULL), EINVAL);
	EQUAL(clock_nanosleep(CLOCK_PROCESS_CPUTIME_ID, 0, &begin, NULL), ENOTSUP);
	EQUAL(clock_nanosleep(77, 0, &begin, NULL), EINVAL);
	FAILS(nanosleep(&invalid, &left), EINVAL);
	OK(clock_gettime(CLOCK_MONOTONIC, &begin));
	OK(usleep(2500));
	EQUAL(elapsed_ms(CLOCK_MONOTONIC, &begin), 2);
	EQUAL(sleep(1), 0);
	EQUAL(elapsed_ms(CLOCK_MONOTONIC, &begin), 1002);
}

static void *set_clock(void *ms)
{
	struct timespec t = after_ms(CLOCK_REALTIME, (long)ms);
	OK(clock_settime(CLOCK_REALTIME, &t));
	return NULL;
}

/* An absolute sleep on the clock that is set ends when the clock says so. */
static void setting(void)
{
	struct timespec begin;
	struct timespec until = after_ms(CLOCK_REALTIME, 100000);

	OK(clock_gettime(CLOCK_MONOTONIC, &begin));
	pthread_t t = start(set_clock, (void *)99990, TEST_PRIORITY - 1);
	OK(clock_nanosleep(CLOCK_REALTIME, TIMER_ABSTIME, &until, NULL));
	EQUAL(elapsed_ms(CLOCK_MONOTONIC, &begin), 10);
	join(t);
	/* A relative one does not. */
	OK(clock_gettime(CLOCK_MONOTONIC, &begin));
	t = start(set_clock, (void *)100000, TEST_PRIORITY - 1);
	OK(clock_nanosleep(CLOCK_REALTIME, 0, &(struct timespec){.tv_nsec = 10000000}, NULL));
	EQUAL(elapsed_ms(CLOCK_MONOTONIC, &begin), 10);
	join(t);
}

static long cpu_us(clockid_t clock)
{
	struct timespec t = {0, 0};
	OK(clock_gettime(clock, &t));
	return t.tv_sec * 1000000 + t.tv_nsec / 1000;
}

static volatile unsigned work;

static void *burn(void *unused)
{
	(void)unused;
	while (cpu_us(CLOCK_THREAD_CPUTIME_ID) < 5000)
		++work;
	sleep_ms(100);
	return NULL;
}

static void cpu_time(void)
{
	clockid_t clock = 0, process = 0;
	const long mine = cpu_us(CLOCK_THREAD_CPUTIME_ID), all = cpu_us(CLOCK_PROCESS_CPUTIME_ID);
	const pthread_t t = start(burn, NULL, TEST_PRIORITY);

	sleep_ms(20);
	OK(pthread_getcpuclockid(t, &clock));
	CHECK(cpu_us(clock) >= 5000 && cpu_us(clock) < 7000);
	CHECK(cpu_us(CLOCK_THREAD_CPUTIME_ID) - mine < 3000);
	CHECK(cpu_us(CLOCK_PROCESS_CPUTIME_ID) - all >= 5000);
	join(t);
	CHECK(cpu_us(CLOCK_PROCESS_CPUTIME_ID) - all >= 5000); /* its time is not lost */
	FAILS(clock_gettime(clock, &(struct timespec){0, 0}), EINVAL);
	EQUAL(pthread_getcpuclockid(t, &clock), ESRCH);
	OK(clock_getcpuclockid(0, &process));
	EQUAL(process, CLOCK_PROCESS_CPUTIME_ID);
	EQUAL(clock_getcpuclockid(77, &process), ESRCH);
	FAILS(clock_settime(CLOCK_THREAD_CPUTIME_ID, &(struct timespec){1, 0}), EPERM);
}

static volatile int woke;

static void *sleep_for_ever(void *unused)
{
	(void)unused;
	nanosleep(&(struct timespec){.tv_sec = INT64_MAX, .tv_nsec = 999999999}, NULL);
	woke = 1;
	return NULL;
}

static void for_ever(void)
{
	const pthread_t t = start(sleep_for_ever, NULL, TEST_PRIORITY + 1);

	sleep_ms(5);
	EQUAL(woke, 0);
	OK(pthread_cancel(t));
	OK(pthread_join(t, NULL));
	EQUAL(woke, 0);
}

const struct test clocks_tests[] = {
	{"reading", reading}, {"sleeping", sleeping}, {"setting", setting}, {"cpu_time", cpu_time}, {"for_ever", for_ever}, {0, 0}};
