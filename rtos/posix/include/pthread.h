/* SPDX-License-Identifier: BSD-3-Clause */
/* newlib's declarations, and what POSIX.1-2008 has besides. */
#ifndef _RTOS_PTHREAD_H
#define _RTOS_PTHREAD_H

#include_next <pthread.h>

#ifdef __cplusplus
extern "C" {
#endif

int pthread_mutexattr_getrobust(const pthread_mutexattr_t *__restrict, int *__restrict);
int pthread_mutexattr_setrobust(pthread_mutexattr_t *, int);
int pthread_mutex_consistent(pthread_mutex_t *);

#ifdef __cplusplus
}
#endif
#endif
