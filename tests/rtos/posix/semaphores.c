/* SPDX-License-Identifier: GPL-2.0-only */
#include "check.h"

#include <limits.h>
#include <semaphore.h>
#include <string.h>

static sem_t sem;

static void unnamed(void)
{
	int value;
	struct timespec begin, until = {.tv_sec = 0, .tv_nsec = -1};

	FAILS(sem_init(&sem, 0, (unsigned)SEM_VALUE_MAX + 1), EINVAL);
	OK(sem_init(&sem, 0, 1));
	OK(sem_getvalue(&sem, &value));
	EQUAL(value, 1);
	OK(sem_wait(&sem));
	FAILS(sem_trywait(&sem), EAGAIN);
	FAILS(sem_timedwait(&sem, &until), EINVAL);
	OK(clock_gettime(CLOCK_MONOTONIC, &begin));
	until = after_ms(CLOCK_REALTIME, 10);
	FAILS(sem_timedwait(&sem, &until), ETIMEDOUT);
	EQUAL(elapsed_ms(CLOCK_MONOTONIC, &begin), 10);
	OK(sem_post(&sem));
	until = (struct timespec){.tv_sec = 0, .tv_nsec = -1};
	OK(sem_timedwait(&sem, &until)); /* it is to be had: the time does not matter */
	OK(sem_destroy(&sem));
	FAILS(sem_wait(&sem), EINVAL);
	FAILS(sem_post(&sem), EINVAL);
	FAILS(sem_destroy(&sem), EINVAL);
	FAILS(sem_wait(NULL), EINVAL);
	OK(sem_init(&sem, 0, SEM_VALUE_MAX));
	FAILS(sem_post(&sem), EOVERFLOW);
	FAILS(sem_close(&sem), EINVAL);
	OK(sem_destroy(&sem));
}

static char order[8];

static void *take(void *name)
{
	OK(sem_wait(&sem));
	strcat(order, name);
	return NULL;
}

static void waiters(void)
{
	order[0] = 0;
	OK(sem_init(&sem, 0, 0));
	const pthread_t low = start(take, "l", TEST_PRIORITY + 1), high = start(take, "h", TEST_PRIORITY + 2);
	FAILS(sem_destroy(&sem), EBUSY);
	OK(sem_post(&sem));
	CHECK(strcmp(order, "h") == 0);
	OK(sem_post(&sem));
	join(low);
	join(high);
	CHECK(strcmp(order, "hl") == 0);
	OK(sem_destroy(&sem));
}

static int failed_open(const char *name, int flags)
{
	return sem_open(name, flags, 0600, 1) == SEM_FAILED ? -1 : 0;
}

static void named(void)
{
	char too_long[NAME_MAX + 3];
	int value;

	FAILS(failed_open("/none", 0), ENOENT);
	sem_t *const a = sem_open("/name", O_CREAT, 0600, 3);
	CHECK(a != SEM_FAILED);
	FAILS(failed_open("/name", O_CREAT | O_EXCL), EEXIST);
	sem_t *const b = sem_open("/name", 0);
	CHECK(a == b);
	OK(sem_getvalue(b, &value));
	EQUAL(value, 3);
	OK(sem_unlink("/name"));
	FAILS(failed_open("/name", 0), ENOENT);
	/* Another one of the name, while the old one lives on. */
	sem_t *const c = sem_open("/name", O_CREAT, 0600, 1);
	CHECK(c != SEM_FAILED && c != a);
	OK(sem_wait(a));
	OK(sem_close(a));
	OK(sem_wait(b));
	OK(sem_close(b));
	OK(sem_close(c));
	OK(sem_unlink("/name"));
	FAILS(sem_unlink("/name"), ENOENT);
	/* Closed more often than opened. */
	sem_t *const once = sem_open("/name", O_CREAT, 0600, 1);
	CHECK(once != SEM_FAILED);
	OK(sem_close(once));
	FAILS(sem_close(once), EINVAL);
	OK(sem_unlink("/name"));
	FAILS(failed_open("/name", 0), ENOENT);
	memset(too_long, 'x', sizeof(too_long) - 1);
	too_long[0] = '/';
	too_long[sizeof(too_long) - 1] = 0;
	FAILS(failed_open(too_long, O_CREAT), ENAMETOOLONG);
	FAILS(sem_unlink(too_long), ENAMETOOLONG);
	FAILS(failed_open("no_slash", O_CREAT), EINVAL);
	FAILS(failed_open("/", O_CREAT), EINVAL);
}

const struct test semaphores_tests[] = {
	{"unnamed", unnamed}, {"waiters", waiters}, {"named", named}, {0, 0}};
