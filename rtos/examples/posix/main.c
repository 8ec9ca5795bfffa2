/* SPDX-License-Identifier: BSD-3-Clause */
/* Sampler, filter and main in POSIX alone: threads with priorities, message queues, an absolute clock. */
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <mqueue.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SAMPLES 1000
#define PERIOD_NS 1000000L
#define PI 3.14159265358979

struct sample {
	int number;
	double value;
};

static void check(const char *what, int failed)
{
	if (failed) {
		fprintf(stderr, "posix: %s: %s\n", what, strerror(failed));
		exit(1);
	}
}

static mqd_t open_queue(const char *name, long size)
{
	struct mq_attr attributes = { .mq_maxmsg = 8, .mq_msgsize = size };
	mqd_t queue = mq_open(name, O_CREAT | O_RDWR, 0600, &attributes);

	check(name, queue == (mqd_t)-1 ? errno : 0);
	return queue;
}

/* Every millisecond, by absolute deadlines: a noisy sine. */
static void *sample(void *queue)
{
	struct timespec next;

	clock_gettime(CLOCK_MONOTONIC, &next);
	for (int i = 0; i < SAMPLES; i++) {
		struct sample s = { i, sin(2 * PI * i / 100) + (i % 2 ? 0.25 : -0.25) };

		next.tv_nsec += PERIOD_NS;
		if (next.tv_nsec >= 1000000000L) {
			next.tv_nsec -= 1000000000L;
			next.tv_sec++;
		}
		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
		check("mq_send", mq_send(*(mqd_t *)queue, (const char *)&s, sizeof(s), 1) ? errno : 0);
	}
	return NULL;
}

struct filter {
	mqd_t in, out;
	pthread_mutex_t lock;
	int filtered; /* under lock */
};

/* The mean of two neighbours takes the noise away. */
static void *filter(void *argument)
{
	struct filter *f = argument;
	double last = 0;
	struct sample s;

	do {
		check("mq_receive", mq_receive(f->in, (char *)&s, sizeof(s), NULL) < 0 ? errno : 0);
		const double mean = (s.value + last) / 2;

		last = s.value;
		s.value = mean;
		check("mq_send", mq_send(f->out, (const char *)&s, sizeof(s), 1) ? errno : 0);
		pthread_mutex_lock(&f->lock);
		f->filtered++;
		pthread_mutex_unlock(&f->lock);
	} while (s.number != SAMPLES - 1);
	return NULL;
}

static pthread_t start(void *(*entry)(void *), void *argument, int priority)
{
	struct sched_param parameter = { .sched_priority = priority };
	pthread_attr_t attributes;
	pthread_t thread;

	pthread_attr_init(&attributes);
	pthread_attr_setinheritsched(&attributes, PTHREAD_EXPLICIT_SCHED);
	pthread_attr_setschedpolicy(&attributes, SCHED_FIFO);
	pthread_attr_setschedparam(&attributes, &parameter);
	check("pthread_create", pthread_create(&thread, &attributes, entry, argument));
	pthread_attr_destroy(&attributes);
	return thread;
}

int main(void)
{
	struct filter f = { .in = open_queue("/raw", sizeof(struct sample)),
			    .out = open_queue("/smooth", sizeof(struct sample)),
			    .lock = PTHREAD_MUTEX_INITIALIZER };
	const int highest = sched_get_priority_max(SCHED_FIFO);
	const pthread_t sampler = start(sample, &f.in, highest - 2);
	const pthread_t smoother = start(filter, &f, highest - 3);
	double largest = 0, error = 0;
	struct sample s;

	do {
		check("mq_receive", mq_receive(f.out, (char *)&s, sizeof(s), NULL) < 0 ? errno : 0);
		if (s.number == 0)
			continue;
		largest = fmax(largest, fabs(s.value));
		/* between the two instants that it is the mean of */
		error = fmax(error, fabs(s.value - sin(2 * PI * (s.number - 0.5) / 100)));
	} while (s.number != SAMPLES - 1);
	check("pthread_join", pthread_join(sampler, NULL));
	check("pthread_join", pthread_join(smoother, NULL));
	printf("posix: %d samples, largest %.4f, error %.4f\n", f.filtered, largest, error);
	mq_close(f.in);
	mq_close(f.out);
	mq_unlink("/raw");
	mq_unlink("/smooth");
	return 0;
}
