/* SPDX-License-Identifier: GPL-2.0-only */
/* Barriers, read-write locks, spin locks. */
#include "check.h"

#include <string.h>

static pthread_barrier_t barrier;
static int serial, passed;

static void *meet(void *unused)
{
	(void)unused;
	for (int i = 0; i < 3; ++i) {
		const int result = pthread_barrier_wait(&barrier);
		if (result == PTHREAD_BARRIER_SERIAL_THREAD)
			++serial;
		else
			OK(result);
	}
	++passed;
	return NULL;
}

static void barriers(void)
{
	pthread_t t[3];

	EQUAL(pthread_barrier_init(&barrier, NULL, 0), EINVAL);
	OK(pthread_barrier_init(&barrier, NULL, 3));
	serial = passed = 0;
	for (int i = 0; i < 2; ++i)
		t[i] = start(meet, NULL, TEST_PRIORITY + 1);
	EQUAL(passed, 0);
	EQUAL(pthread_barrier_destroy(&barrier), EBUSY);
	EQUAL(pthread_barrier_init(&barrier, NULL, 2), EBUSY);
	t[2] = start(meet, NULL, TEST_PRIORITY + 1);
	for (int i = 0; i < 3; ++i)
		join(t[i]);
	EQUAL(serial, 3);
	OK(pthread_barrier_destroy(&barrier));
	EQUAL(pthread_barrier_destroy(&barrier), EINVAL);
	EQUAL(pthread_barrier_wait(&barrier), EINVAL);
}

static pthread_rwlock_t rw = PTHREAD_RWLOCK_INITIALIZER;
static char order[8];

static void *reader(void *name)
{
	OK(pthread_rwlock_rdlock(&rw));
	strcat(order, name);
	OK(pthread_rwlock_unlock(&rw));
	return NULL;
}

static void *writer(void *name)
{
	OK(pthread_rwlock_wrlock(&rw));
	strcat(order, name);
	OK(pthread_rwlock_unlock(&rw));
	return NULL;
}

static void *tries(void *unused)
{
	struct timespec begin, until = {.tv_sec = 0, .tv_nsec = -1};
	(void)unused;
	EQUAL(pthread_rwlock_tryrdlock(&rw), EBUSY);
	EQUAL(pthread_rwlock_trywrlock(&rw), EBUSY);
	EQUAL(pthread_rwlock_timedrdlock(&rw, &until), EINVAL);
	OK(clock_gettime(CLOCK_MONOTONIC, &begin));
	until = after_ms(CLOCK_REALTIME, 10);
	EQUAL(pthread_rwlock_timedrdlock(&rw, &until), ETIMEDOUT);
	until = after_ms(CLOCK_REALTIME, 10);
	EQUAL(pthread_rwlock_timedwrlock(&rw, &until), ETIMEDOUT);
	EQUAL(elapsed_ms(CLOCK_MONOTONIC, &begin), 20);
	EQUAL(pthread_rwlock_unlock(&rw), EPERM);
	return NULL;
}

static void *timed_writer(void *unused)
{
	const struct timespec until = after_ms(CLOCK_REALTIME, 10);
	(void)unused;
	EQUAL(pthread_rwlock_timedwrlock(&rw, &until), ETIMEDOUT);
	return NULL;
}

static void rwlocks(void)
{
	pthread_t t[4];

	/* Readers share; a writer waits for them; a reader of lower priority waits behind the writer. */
	order[0] = 0;
	OK(pthread_rwlock_rdlock(&rw));
	join(start(reader, "1", TEST_PRIORITY + 1));
	t[0] = start(writer, "w", TEST_PRIORITY + 2);
	t[1] = start(reader, "2", TEST_PRIORITY + 1);
	CHECK(strcmp(order, "1") == 0);
	t[2] = start(reader, "3", TEST_PRIORITY + 3); /* more important than the writer: does not wait */
	CHECK(strcmp(order, "13") == 0);
	EQUAL(pthread_rwlock_destroy(&rw), EBUSY);
	OK(pthread_rwlock_unlock(&rw));
	CHECK(strcmp(order, "13w2") == 0);
	for (int i = 0; i < 3; ++i)
		join(t[i]);

	OK(pthread_rwlock_wrlock(&rw));
	EQUAL(pthread_rwlock_wrlock(&rw), EDEADLK);
	EQUAL(pthread_rwlock_rdlock(&rw), EDEADLK);
	join(start(tries, NULL, TEST_PRIORITY + 1));
	OK(pthread_rwlock_unlock(&rw));
	EQUAL(pthread_rwlock_unlock(&rw), EPERM);

	/* A writer that gives up lets the readers behind it go on. */
	order[0] = 0;
	OK(pthread_rwlock_rdlock(&rw));
	t[0] = start(timed_writer, NULL, TEST_PRIORITY + 2);
	t[1] = start(reader, "4", TEST_PRIORITY + 1);
	CHECK(strcmp(order, "") == 0);
	join(t[0]);
	CHECK(strcmp(order, "4") == 0);
	join(t[1]);
	OK(pthread_rwlock_unlock(&rw));
	OK(pthread_rwlock_destroy(&rw));
	EQUAL(pthread_rwlock_rdlock(&rw), EINVAL);
	OK(pthread_rwlock_init(&rw, NULL));
	OK(pthread_rwlock_destroy(&rw));
}

static pthread_spinlock_t spin;

static void *spin_late(void *name)
{
	EQUAL(pthread_spin_trylock(&spin), EBUSY);
	OK(pthread_spin_lock(&spin));
	strcat(order, name);
	OK(pthread_spin_unlock(&spin));
	return NULL;
}

static void spinlocks(void)
{
	order[0] = 0;
	OK(pthread_spin_init(&spin, PTHREAD_PROCESS_PRIVATE));
	OK(pthread_spin_lock(&spin));
	EQUAL(pthread_spin_lock(&spin), EDEADLK);
	EQUAL(pthread_spin_trylock(&spin), EBUSY);
	const pthread_t t = start(spin_late, "s", TEST_PRIORITY + 1);
	strcat(order, "l");
	EQUAL(pthread_spin_destroy(&spin), EBUSY);
	OK(pthread_spin_unlock(&spin));
	join(t);
	CHECK(strcmp(order, "ls") == 0);
	OK(pthread_spin_destroy(&spin));
	EQUAL(pthread_spin_lock(&spin), EINVAL);
}

const struct test locks_tests[] = {
	{"barriers", barriers}, {"rwlocks", rwlocks}, {"spinlocks", spinlocks}, {0, 0}};
