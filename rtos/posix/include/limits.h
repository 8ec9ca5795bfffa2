/* SPDX-License-Identifier: BSD-3-Clause */
/* newlib's limits, and those of rtos_posix; sysconf() answers the same. */
#include_next <limits.h>

#ifndef _RTOS_LIMITS_H
#define _RTOS_LIMITS_H

/* Least values that POSIX allows (base definitions, <limits.h>). */
#define _POSIX_DELAYTIMER_MAX 32
#define _POSIX_MQ_OPEN_MAX 8
#define _POSIX_MQ_PRIO_MAX 32
#define _POSIX_NAME_MAX 14
#define _POSIX_OPEN_MAX 20
#define _POSIX_PATH_MAX 256
#define _POSIX_RTSIG_MAX 8
#define _POSIX_SEM_NSEMS_MAX 256
#define _POSIX_SEM_VALUE_MAX 32767
#define _POSIX_SIGQUEUE_MAX 32
#define _POSIX_STREAM_MAX 8
#define _POSIX_THREAD_DESTRUCTOR_ITERATIONS 4
#define _POSIX_THREAD_KEYS_MAX 128
#define _POSIX_THREAD_THREADS_MAX 64
#define _POSIX_TIMER_MAX 32
#define _POSIX_CLOCKRES_MIN 20000000

#define DELAYTIMER_MAX 0x7fffffff
#define MQ_OPEN_MAX 32
#define MQ_PRIO_MAX 32
#define PTHREAD_DESTRUCTOR_ITERATIONS 4
#define PTHREAD_KEYS_MAX 128
#define PTHREAD_STACK_MIN 4096
#define PTHREAD_THREADS_MAX 128
#define RTSIG_MAX 32
#define SEM_NSEMS_MAX 0x7fffffff
#define SEM_VALUE_MAX 0x7fffffff
#define SIGQUEUE_MAX 64
#define TIMER_MAX 32
#undef NAME_MAX
#define NAME_MAX 31
#undef OPEN_MAX
#define OPEN_MAX 32

#endif
