/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Room for the kernel's objects in RT-Thread's, in units of 8 bytes, and where in them the fields stand that
 * RT-Thread lets applications read. The sources check each number.
 */
#ifndef RT_KERNEL_H__
#define RT_KERNEL_H__

#include <rttypes.h>

#if __SIZEOF_POINTER__ == 4
#define RT_KERNEL_SIZE_ASYNC_CALL 2
#define RT_KERNEL_SIZE_COMPLETION 2
#define RT_KERNEL_SIZE_EVENT 2
#define RT_KERNEL_SIZE_HEAP 6
#define RT_KERNEL_SIZE_MAILBOX 6
#define RT_KERNEL_SIZE_MEMORY_POOL 6
#define RT_KERNEL_SIZE_MESSAGE_QUEUE 24
#define RT_KERNEL_SIZE_MUTEX 4
#define RT_KERNEL_SIZE_OBJECT 5
#define RT_KERNEL_SIZE_SEMAPHORE 3
#define RT_KERNEL_SIZE_THREAD 62
#define RT_KERNEL_SIZE_TIMER 9
#define RT_KERNEL_SIZE_WAIT_QUEUE 2
#define RT_KERNEL_SIZE_WORK 9
#else /* the host's tests */
#define RT_KERNEL_SIZE_ASYNC_CALL 4
#define RT_KERNEL_SIZE_COMPLETION 4
#define RT_KERNEL_SIZE_EVENT 4
#define RT_KERNEL_SIZE_HEAP 11
#define RT_KERNEL_SIZE_MAILBOX 11
#define RT_KERNEL_SIZE_MEMORY_POOL 8
#define RT_KERNEL_SIZE_MESSAGE_QUEUE 46
#define RT_KERNEL_SIZE_MUTEX 8
#define RT_KERNEL_SIZE_OBJECT 7
#define RT_KERNEL_SIZE_SEMAPHORE 4
#define RT_KERNEL_SIZE_THREAD 48
#define RT_KERNEL_SIZE_TIMER 14
#define RT_KERNEL_SIZE_WAIT_QUEUE 3
#define RT_KERNEL_SIZE_WORK 13
#endif

#define RT_KERNEL_STORAGE(NAME) rt_uint64_t kernel[RT_KERNEL_SIZE_##NAME]

/* The same, with a field of the kernel's object to be read behind so many bytes of it. */
#define RT_KERNEL_STORAGE_VIEW(NAME, before, field) \
	__extension__ union { \
		__extension__ struct { \
			rt_uint8_t kernel_before[before]; \
			field; \
		}; \
		RT_KERNEL_STORAGE(NAME); \
	}

#endif
