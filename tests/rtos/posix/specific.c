/* SPDX-License-Identifier: GPL-2.0-only */
#include "check.h"

#include <limits.h>

static pthread_key_t key, other;
static int destroyed;

static void destroy(void *value)
{
	CHECK(pthread_getspecific(key) == NULL);
	++*(int *)value;
	++destroyed;
	/* Sets it again: called again, a bounded number of times. */
	OK(pthread_setspecific(key, value));
}

static void *use(void *value)
{
	CHECK(pthread_getspecific(key) == NULL);
	OK(pthread_setspecific(key, value));
	OK(pthread_setspecific(other, value));
	sleep_ms(1);
	CHECK(pthread_getspecific(key) == value);
	return NULL;
}

static void values(void)
{
	int a = 0, b = 0;

	OK(pthread_key_create(&key, destroy));
	OK(pthread_key_create(&other, NULL));
	OK(pthread_setspecific(key, NULL));
	destroyed = 0;
	const pthread_t first = start(use, &a, TEST_PRIORITY), second = start(use, &b, TEST_PRIORITY);
	join(first);
	join(second);
	EQUAL(a, PTHREAD_DESTRUCTOR_ITERATIONS);
	EQUAL(b, PTHREAD_DESTRUCTOR_ITERATIONS);
	OK(pthread_key_delete(key));
	OK(pthread_key_delete(other));
	EQUAL(pthread_key_delete(key), EINVAL);
	EQUAL(pthread_setspecific(key, &a), EINVAL);
	CHECK(pthread_getspecific(key) == NULL);
}

static void all(void)
{
	static pthread_key_t keys[PTHREAD_KEYS_MAX];
	int n = 0;

	while (n < PTHREAD_KEYS_MAX && pthread_key_create(&keys[n], NULL) == 0)
		++n;
	EQUAL(n, PTHREAD_KEYS_MAX);
	EQUAL(pthread_key_create(&key, NULL), EAGAIN);
	OK(pthread_setspecific(keys[5], &n));
	OK(pthread_key_delete(keys[5]));
	OK(pthread_key_create(&keys[5], NULL)); /* the number is used again, its value is gone */
	CHECK(pthread_getspecific(keys[5]) == NULL);
	while (n > 0)
		OK(pthread_key_delete(keys[--n]));
}

const struct test specific_tests[] = {{"values", values}, {"all", all}, {0, 0}};
