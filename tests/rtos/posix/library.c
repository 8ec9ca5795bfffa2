/* SPDX-License-Identifier: GPL-2.0-only */
/* newlib in many threads. */
#include "check.h"

#include <limits.h>
#include <malloc.h>
#include <math.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <unistd.h>

static void *format(void *start_)
{
	const int from = *(int *)start_;
	char text[64], expected[64];

	for (int i = 0; i < 300; ++i) {
		const double x = from + i / 8.0;
		snprintf(text, sizeof(text), "%.3f %d %s %g", x, i, "text", sqrt(x * x));
		CHECK(strtod(text, NULL) == x);
		snprintf(expected, sizeof(expected), "%d.%03d %d text %g", from + i / 8, i % 8 * 125, i, x);
		if (strcmp(text, expected) != 0)
			check_failed(__FILE__, __LINE__, text, i);
		if (i % 16 == 0)
			sched_yield();
	}
	return NULL;
}

/* printf of doubles in threads that a time slice cuts anywhere. */
static void printing(void)
{
	int from[] = {0, 1000, 50000};
	pthread_t t[3];
	pthread_attr_t attr;

	OK(pthread_attr_init(&attr));
	OK(pthread_attr_setinheritsched(&attr, PTHREAD_EXPLICIT_SCHED));
	OK(pthread_attr_setschedpolicy(&attr, SCHED_RR));
	for (int i = 0; i < 3; ++i)
		OK(pthread_create(&t[i], &attr, format, &from[i]));
	for (int i = 0; i < 3; ++i)
		join(t[i]);
}

static void *churn(void *seed)
{
	unsigned state = *(unsigned *)seed;
	unsigned char *pieces[32] = {0};

	for (int i = 0; i < 2000; ++i) {
		const int k = rand_r(&state) % 32;
		if (pieces[k]) {
			CHECK(pieces[k][0] == k);
			free(pieces[k]);
			pieces[k] = NULL;
		} else {
			const size_t size = 2 + rand_r(&state) % 300;
			pieces[k] = malloc(size);
			CHECK(pieces[k]);
			memset(pieces[k], k, size);
		}
	}
	for (int k = 0; k < 32; ++k)
		free(pieces[k]);
	return NULL;
}

static void allocation(void)
{
	unsigned seeds[] = {1, 2, 3};
	pthread_t t[3];
	void *p = NULL;
	const size_t before = mallinfo().uordblks;

	for (int i = 0; i < 3; ++i)
		t[i] = start(churn, &seeds[i], TEST_PRIORITY - 1);
	for (int i = 0; i < 3; ++i)
		join(t[i]);
	sleep_ms(5); /* the system thread may still be giving their memory back */
	EQUAL(mallinfo().uordblks, before);
	CHECK(malloc(1u << 30) == NULL && errno == ENOMEM);
	volatile size_t many = 1u << 20;
	CHECK(calloc(many, many) == NULL);
	OK(posix_memalign(&p, 256, 100));
	EQUAL((unsigned long)p % 256, 0);
	free(p);
	EQUAL(posix_memalign(&p, 3, 100), EINVAL);
	char *text = realloc(NULL, 8);
	strcpy(text, "kept");
	text = realloc(text, 4000);
	CHECK(strcmp(text, "kept") == 0);
	CHECK(malloc_usable_size(text) >= 4000);
	free(text);
	free(NULL);
	EQUAL(mallinfo().uordblks, before);
}

/* A stream over memory that two threads write to: each fputs is one piece. */
static FILE *stream;

static void *write_lines(void *line)
{
	for (int i = 0; i < 50; ++i) {
		CHECK(fputs(line, stream) >= 0);
		if (i % 4 == 0)
			sleep_ms(1);
	}
	flockfile(stream);
	fputs(line, stream);
	sleep_ms(1);
	fputs(line, stream);
	funlockfile(stream);
	return NULL;
}

static void streams(void)
{
	char *text = NULL, *line, *rest;
	size_t size = 0;
	int a = 0, b = 0;

	stream = open_memstream(&text, &size);
	CHECK(stream);
	const pthread_t first = start(write_lines, "aaaaaaaaaaaa\n", TEST_PRIORITY),
			second = start(write_lines, "bbbbbbbbbbbb\n", TEST_PRIORITY);
	join(first);
	join(second);
	OK(fclose(stream));
	for (line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
		if (strcmp(line, "aaaaaaaaaaaa") == 0)
			++a;
		else if (strcmp(line, "bbbbbbbbbbbb") == 0)
			++b;
		else
			check_failed(__FILE__, __LINE__, line, a + b);
	}
	EQUAL(a, 52);
	EQUAL(b, 52);
	free(text);
}

static void *environment(void *name)
{
	char value[16];
	for (int i = 0; i < 100; ++i) {
		snprintf(value, sizeof(value), "%d", i);
		OK(setenv(name, value, 1));
		CHECK(strcmp(getenv(name), value) == 0);
		if (i % 8 == 0)
			sched_yield();
	}
	return NULL;
}

static void variables(void)
{
	const pthread_t a = start(environment, "FIRST", TEST_PRIORITY), b = start(environment, "SECOND", TEST_PRIORITY);
	join(a);
	join(b);
	CHECK(strcmp(getenv("FIRST"), "99") == 0 && strcmp(getenv("SECOND"), "99") == 0);
	OK(unsetenv("FIRST"));
	CHECK(getenv("FIRST") == NULL);
}

static void *tokens(void *text)
{
	int n = 0;
	for (char *t = strtok(text, " "); t; t = strtok(NULL, " ")) {
		++n;
		sched_yield();
	}
	EQUAL(n, 4);
	return NULL;
}

/* strtok, rand and their like keep their state per thread. */
static void state(void)
{
	char a[] = "1 2 3 4", b[] = "5 6 7 8";
	const pthread_t first = start(tokens, a, TEST_PRIORITY), second = start(tokens, b, TEST_PRIORITY);
	join(first);
	join(second);
}

static void configuration(void)
{
	struct utsname name;

	EQUAL(sysconf(_SC_THREADS), 200809);
	EQUAL(sysconf(_SC_TIMERS), _POSIX_TIMERS);
	EQUAL(sysconf(_SC_OPEN_MAX), OPEN_MAX);
	EQUAL(sysconf(_SC_RTSIG_MAX), 32);
	EQUAL(sysconf(_SC_PAGESIZE), 4096);
	errno = 0;
	EQUAL(sysconf(_SC_TRACE), -1);
	EQUAL(errno, 0);
	FAILS(sysconf(9999), EINVAL);
	errno = 0;
	EQUAL(confstr(1, NULL, 0), 0);
	EQUAL(errno, EINVAL);
	OK(uname(&name));
	CHECK(strcmp(name.sysname, "RTMux") == 0);
	OK(mlockall(MCL_CURRENT | MCL_FUTURE));
	FAILS(mlockall(0), EINVAL);
	OK(munlockall());
}

const struct test library_tests[] = {
	{"printing", printing}, {"allocation", allocation}, {"streams", streams},
	{"variables", variables}, {"state", state},         {"configuration", configuration},
	{0, 0},
};
