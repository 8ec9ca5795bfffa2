/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef _MQUEUE_H
#define _MQUEUE_H

#include <fcntl.h>
#include <signal.h>
#include <sys/types.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef int mqd_t;

struct mq_attr {
	long mq_flags;   /* O_NONBLOCK or 0 */
	long mq_maxmsg;
	long mq_msgsize; /* bytes */
	long mq_curmsgs;
};

mqd_t mq_open(const char *__name, int __oflag, ...);
int mq_close(mqd_t);
int mq_unlink(const char *__name);
int mq_send(mqd_t, const char *, size_t, unsigned __prio);
int mq_timedsend(mqd_t, const char *, size_t, unsigned __prio, const struct timespec *__abstime);
ssize_t mq_receive(mqd_t, char *, size_t, unsigned *__prio);
ssize_t mq_timedreceive(mqd_t, char *__restrict, size_t, unsigned *__restrict __prio,
			const struct timespec *__restrict __abstime);
int mq_notify(mqd_t, const struct sigevent *);
int mq_getattr(mqd_t, struct mq_attr *);
int mq_setattr(mqd_t, const struct mq_attr *__restrict, struct mq_attr *__restrict);

#ifdef __cplusplus
}
#endif
#endif
