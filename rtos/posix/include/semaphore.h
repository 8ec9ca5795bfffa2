/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef _SEMAPHORE_H
#define _SEMAPHORE_H

#include <fcntl.h>
#include <sys/types.h>
#include <time.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct {
	unsigned long long __opaque[6];
} sem_t;

#define SEM_FAILED ((sem_t *)0)

int sem_init(sem_t *, int __pshared, unsigned __value);
int sem_destroy(sem_t *);
sem_t *sem_open(const char *__name, int __oflag, ...);
int sem_close(sem_t *);
int sem_unlink(const char *__name);
int sem_wait(sem_t *);
int sem_trywait(sem_t *);
int sem_timedwait(sem_t *__restrict, const struct timespec *__restrict __abstime);
int sem_post(sem_t *);
int sem_getvalue(sem_t *__restrict, int *__restrict);

#ifdef __cplusplus
}
#endif
#endif
