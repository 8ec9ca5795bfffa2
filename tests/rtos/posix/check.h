/* SPDX-License-Identifier: GPL-2.0-only */
/* A test is a function in its group's table; each CHECK that fails is printed and fails the test. */
#ifndef CHECK_H
#define CHECK_H

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stddef.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

void check_failed(const char *file, int line, const char *what, long value);

#define CHECK(condition)                                                                                     \
	do {                                                                                                 \
		if (!(condition))                                                                            \
			check_failed(__FILE__, __LINE__, #condition, 0);                                     \
	} while (0)
/* Integers that are to be equal. */
#define EQUAL(actual, expected)                                                                              \
	do {                                                                                                 \
		const long long value_ = (long long)(actual);                                                \
		if (value_ != (long long)(expected))                                                         \
			check_failed(__FILE__, __LINE__, #actual " == " #expected, (long)value_);            \
	} while (0)
#define OK(call) EQUAL(call, 0)
/* A call that is to return -1 with this errno. */
#define FAILS(call, error)                                                                                   \
	do {                                                                                                 \
		errno = 0;                                                                                   \
		const long long returned_ = (long long)(call);                                               \
		const int errno_ = errno;                                                                    \
		if (returned_ != -1 || errno_ != (error))                                                    \
			check_failed(__FILE__, __LINE__, #call " fails with " #error, errno_);               \
	} while (0)

struct test {
	const char *name;
	void (*run)(void);
};

#define GROUPS(X)                                                                                            \
	X(threads) X(attributes) X(cancel) X(specific) X(mutexes) X(conditions) X(locks) X(semaphores)       \
	X(queues) X(clocks) X(timers) X(signals) X(files) X(devices) X(library) X(cxx) X(stress)
#define DECLARE(group) extern const struct test group##_tests[];
GROUPS(DECLARE)
#undef DECLARE

/* A thread of this priority, started at once. */
pthread_t start(void *(*run)(void *), void *argument, int priority);
void join(pthread_t thread);
/* The priority of the thread that runs the tests. */
#define TEST_PRIORITY (sched_get_priority_max(SCHED_FIFO) / 2)

void sleep_ms(long ms);
/* now + ms on a clock. */
struct timespec after_ms(clockid_t clock, long ms);
long long elapsed_ms(clockid_t clock, const struct timespec *since);

#ifdef __cplusplus
}
#endif
#endif
