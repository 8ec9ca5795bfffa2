/* SPDX-License-Identifier: GPL-2.0-only */
#include "check.h"

#include <limits.h>
#include <stdint.h>
#include <string.h>

static void thread_attributes(void)
{
	pthread_attr_t a, none;
	int value;
	size_t size;
	void *address;
	struct sched_param param;

	memset(&none, 0, sizeof(none));
	OK(pthread_attr_init(&a));
	OK(pthread_attr_getdetachstate(&a, &value));
	EQUAL(value, PTHREAD_CREATE_JOINABLE);
	OK(pthread_attr_getscope(&a, &value));
	EQUAL(value, PTHREAD_SCOPE_SYSTEM);
	OK(pthread_attr_getinheritsched(&a, &value));
	EQUAL(value, PTHREAD_INHERIT_SCHED);

	EQUAL(pthread_attr_setdetachstate(&a, 77), EINVAL);
	EQUAL(pthread_attr_setdetachstate(&none, PTHREAD_CREATE_DETACHED), EINVAL);
	EQUAL(pthread_attr_setscope(&a, PTHREAD_SCOPE_PROCESS), ENOTSUP);
	EQUAL(pthread_attr_setscope(&a, 77), EINVAL);
	OK(pthread_attr_setscope(&a, PTHREAD_SCOPE_SYSTEM));
	EQUAL(pthread_attr_setinheritsched(&a, 77), EINVAL);
	EQUAL(pthread_attr_setschedpolicy(&a, 77), EINVAL);
	OK(pthread_attr_setschedpolicy(&a, SCHED_RR));
	OK(pthread_attr_getschedpolicy(&a, &value));
	EQUAL(value, SCHED_RR);
	param.sched_priority = 0;
	EQUAL(pthread_attr_setschedparam(&a, &param), EINVAL);
	param.sched_priority = 3;
	OK(pthread_attr_setschedparam(&a, &param));
	param.sched_priority = 0;
	OK(pthread_attr_getschedparam(&a, &param));
	EQUAL(param.sched_priority, 3);

	EQUAL(pthread_attr_setstacksize(&a, PTHREAD_STACK_MIN - 1), EINVAL);
	OK(pthread_attr_setstacksize(&a, PTHREAD_STACK_MIN));
	OK(pthread_attr_getstacksize(&a, &size));
	EQUAL(size, PTHREAD_STACK_MIN);
	EQUAL(pthread_attr_setstack(&a, &a, 16), EINVAL);
	EQUAL(pthread_attr_setstack(&a, (char *)&size + 1, PTHREAD_STACK_MIN), EINVAL);
	OK(pthread_attr_setguardsize(&a, 100));
	OK(pthread_attr_getguardsize(&a, &size));
	EQUAL(size, 100);
	OK(pthread_attr_getstack(&a, &address, &size));
	CHECK(address == NULL);
	OK(pthread_attr_destroy(&a));
	EQUAL(pthread_attr_destroy(&a), EINVAL);
	EQUAL(pthread_attr_getstacksize(&a, &size), EINVAL);
}

static char stack[PTHREAD_STACK_MIN] __attribute__((aligned(8)));

static void *where(void *unused)
{
	char here;
	(void)unused;
	return (void *)(uintptr_t)(&here >= stack && &here < stack + sizeof(stack));
}

static void own_stack(void)
{
	pthread_attr_t a;
	pthread_t t;
	void *inside;

	OK(pthread_attr_init(&a));
	OK(pthread_attr_setstack(&a, stack, sizeof(stack)));
	OK(pthread_create(&t, &a, where, NULL));
	OK(pthread_join(t, &inside));
	CHECK(inside);
}

/* Each kind of attribute has pshared, and an init that counts. */
static void other_attributes(void)
{
	pthread_condattr_t c;
	pthread_barrierattr_t b;
	pthread_rwlockattr_t r;
	pthread_mutexattr_t m;
	clockid_t clock;
	int value;

	OK(pthread_condattr_init(&c));
	OK(pthread_condattr_getclock(&c, &clock));
	EQUAL(clock, CLOCK_REALTIME);
	OK(pthread_condattr_setclock(&c, CLOCK_MONOTONIC));
	EQUAL(pthread_condattr_setclock(&c, CLOCK_THREAD_CPUTIME_ID), EINVAL);
	EQUAL(pthread_condattr_setpshared(&c, 77), EINVAL);
	OK(pthread_condattr_setpshared(&c, PTHREAD_PROCESS_SHARED));
	OK(pthread_condattr_getpshared(&c, &value));
	EQUAL(value, PTHREAD_PROCESS_SHARED);
	OK(pthread_condattr_destroy(&c));
	EQUAL(pthread_condattr_destroy(&c), EINVAL);

	OK(pthread_barrierattr_init(&b));
	EQUAL(pthread_barrierattr_setpshared(&b, 77), EINVAL);
	OK(pthread_barrierattr_getpshared(&b, &value));
	EQUAL(value, PTHREAD_PROCESS_PRIVATE);
	OK(pthread_barrierattr_destroy(&b));
	EQUAL(pthread_barrierattr_getpshared(&b, &value), EINVAL);

	OK(pthread_rwlockattr_init(&r));
	OK(pthread_rwlockattr_setpshared(&r, PTHREAD_PROCESS_SHARED));
	OK(pthread_rwlockattr_getpshared(&r, &value));
	EQUAL(value, PTHREAD_PROCESS_SHARED);
	OK(pthread_rwlockattr_destroy(&r));
	EQUAL(pthread_rwlockattr_destroy(&r), EINVAL);

	OK(pthread_mutexattr_init(&m));
	OK(pthread_mutexattr_gettype(&m, &value));
	EQUAL(value, PTHREAD_MUTEX_DEFAULT);
	OK(pthread_mutexattr_getprotocol(&m, &value));
	EQUAL(value, PTHREAD_PRIO_NONE);
	OK(pthread_mutexattr_getrobust(&m, &value));
	EQUAL(value, PTHREAD_MUTEX_STALLED);
	EQUAL(pthread_mutexattr_settype(&m, 77), EINVAL);
	EQUAL(pthread_mutexattr_setprotocol(&m, 77), ENOTSUP);
	EQUAL(pthread_mutexattr_setrobust(&m, 77), EINVAL);
	EQUAL(pthread_mutexattr_setprioceiling(&m, 0), EINVAL);
	OK(pthread_mutexattr_setprioceiling(&m, 7));
	OK(pthread_mutexattr_getprioceiling(&m, &value));
	EQUAL(value, 7);
	OK(pthread_mutexattr_destroy(&m));
	EQUAL(pthread_mutexattr_settype(&m, PTHREAD_MUTEX_NORMAL), EINVAL);
}

const struct test attributes_tests[] = {
	{"thread", thread_attributes}, {"stack", own_stack}, {"others", other_attributes}, {0, 0},
};
