/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * In place of newlib's, whose objects are 32-bit handles to something allocated:
 * here the object itself is in the variable, so a static initializer needs no
 * memory and the first lock cannot fail. All zeros is "not yet initialized".
 */
#ifndef _SYS__PTHREADTYPES_H_
#define _SYS__PTHREADTYPES_H_

#include <sys/sched.h>

/* A handle: the number of the thread's slot and which use of the slot it is. */
typedef __UINT32_TYPE__ pthread_t;

#define PTHREAD_SCOPE_PROCESS 0
#define PTHREAD_SCOPE_SYSTEM 1

#define PTHREAD_INHERIT_SCHED 1
#define PTHREAD_EXPLICIT_SCHED 2

#define PTHREAD_CREATE_DETACHED 0
#define PTHREAD_CREATE_JOINABLE 1

#define PTHREAD_PROCESS_PRIVATE 0
#define PTHREAD_PROCESS_SHARED 1

#define PTHREAD_PRIO_NONE 0
#define PTHREAD_PRIO_INHERIT 1
#define PTHREAD_PRIO_PROTECT 2

#define PTHREAD_MUTEX_NORMAL 0
#define PTHREAD_MUTEX_RECURSIVE 1
#define PTHREAD_MUTEX_ERRORCHECK 2
#define PTHREAD_MUTEX_DEFAULT PTHREAD_MUTEX_NORMAL

#define PTHREAD_MUTEX_STALLED 0
#define PTHREAD_MUTEX_ROBUST 1

/* is_initialized, here and below: a constant that a forgotten init is told by (EINVAL). */
typedef struct {
	unsigned is_initialized;
	void *stackaddr;
	__SIZE_TYPE__ stacksize;
	__SIZE_TYPE__ guardsize;
	struct sched_param schedparam;
	unsigned char contentionscope;
	unsigned char inheritsched;
	unsigned char schedpolicy;
	unsigned char detachstate;
} pthread_attr_t;

typedef struct {
	unsigned is_initialized;
	int prioceiling;
	unsigned char type;
	unsigned char protocol;
	unsigned char pshared;
	unsigned char robust;
} pthread_mutexattr_t;

typedef struct {
	unsigned is_initialized;
	unsigned char clock;
	unsigned char pshared;
} pthread_condattr_t;

typedef struct {
	unsigned is_initialized;
	unsigned char pshared;
} pthread_rwlockattr_t, pthread_barrierattr_t;

typedef struct {
	unsigned long long __opaque[10];
} pthread_mutex_t, pthread_spinlock_t;

typedef struct {
	unsigned long long __opaque[6];
} pthread_cond_t, pthread_barrier_t;

typedef struct {
	unsigned long long __opaque[8];
} pthread_rwlock_t;

#define _PTHREAD_MUTEX_INITIALIZER { { 0 } }
#define _PTHREAD_COND_INITIALIZER { { 0 } }
#define _PTHREAD_RWLOCK_INITIALIZER { { 0 } }

typedef unsigned pthread_key_t;

typedef struct {
	int is_initialized;
	int init_executed;
} pthread_once_t;
#define _PTHREAD_ONCE_INIT { 1, 0 }

#endif
