/* SPDX-License-Identifier: GPL-2.0-only */
/* The conformance tests of rtos_posix in one image; tests/qemu/posix.py reads the last line. */
#include "check.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static unsigned failed_checks;

void check_failed(const char *file, int line, const char *what, long value)
{
	++failed_checks;
	printf("posix: %s:%d: %s (%ld)\n", file, line, what, value);
}

pthread_t start(void *(*run)(void *), void *argument, int priority)
{
	pthread_attr_t attr;
	const struct sched_param param = {.sched_priority = priority};
	pthread_t thread = 0;

	OK(pthread_attr_init(&attr));
	OK(pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED));
	OK(pthread_attr_setschedpolicy(&attr, SCHED_FIFO));
	OK(pthread_attr_setschedparam(&attr, &param));
	OK(pthread_create(&thread, &attr, run, argument));
	OK(pthread_attr_destroy(&attr));
	return thread;
}

void join(pthread_t thread)
{
	OK(pthread_join(thread, NULL));
}

void sleep_ms(long ms)
{
	const struct timespec t = {.tv_sec = ms / 1000, .tv_nsec = ms % 1000 * 1000000};
	nanosleep(&t, NULL);
}

struct timespec after_ms(clockid_t clock, long ms)
{
	struct timespec t;

	OK(clock_gettime(clock, &t));
	t.tv_sec += ms / 1000;
	t.tv_nsec += ms % 1000 * 1000000;
	if (t.tv_nsec >= 1000000000) {
		t.tv_nsec -= 1000000000;
		++t.tv_sec;
	}
	return t;
}

long long elapsed_ms(clockid_t clock, const struct timespec *since)
{
	struct timespec t;

	OK(clock_gettime(clock, &t));
	return (t.tv_sec - since->tv_sec) * 1000LL + (t.tv_nsec - since->tv_nsec) / 1000000;
}

static void at_exit(void)
{
	printf("posix: atexit\n");
}

int main(int argc, char **argv)
{
#define TABLE(group) {#group, group##_tests},
	static const struct {
		const char *name;
		const struct test *tests;
	} groups[] = {GROUPS(TABLE)};
	unsigned passed = 0, failed = 0;

	EQUAL(argc, 1);
	CHECK(argv[0] && !argv[1]);
	for (size_t g = 0; g < sizeof(groups) / sizeof(groups[0]); ++g)
		for (const struct test *t = groups[g].tests; t->name; ++t) {
			failed_checks = 0;
			t->run();
			if (failed_checks)
				++failed;
			else
				++passed;
			printf("posix: %s %s.%s\n", failed_checks ? "FAIL" : "pass", groups[g].name, t->name);
		}
	atexit(at_exit);
	printf("posix: %u passed, %u failed\n", passed, failed);
	return failed ? 1 : 42;
}
