/* SPDX-License-Identifier: BSD-3-Clause */
/* RT-Thread's basic types, compiler attributes and error codes. */
#ifndef RT_TYPES_H__
#define RT_TYPES_H__

#include <rtconfig.h>

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

typedef int8_t rt_int8_t;
typedef int16_t rt_int16_t;
typedef int32_t rt_int32_t;
typedef int64_t rt_int64_t;
typedef uint8_t rt_uint8_t;
typedef uint16_t rt_uint16_t;
typedef uint32_t rt_uint32_t;
typedef uint64_t rt_uint64_t;

typedef int rt_bool_t;
typedef long rt_base_t; /* as wide as a register */
typedef unsigned long rt_ubase_t;
typedef size_t rt_size_t;
typedef rt_base_t rt_ssize_t;
typedef rt_base_t rt_err_t;
typedef rt_uint32_t rt_time_t;
typedef rt_uint32_t rt_tick_t;
typedef rt_base_t rt_flag_t;
typedef rt_ubase_t rt_dev_t;
typedef rt_base_t rt_off_t;
typedef rt_base_t rt_atomic_t;

#define RT_TRUE 1
#define RT_FALSE 0
#define RT_NULL 0

#define RT_UINT8_MAX 0xff
#define RT_UINT16_MAX 0xffff
#define RT_UINT32_MAX 0xffffffff
#define RT_TICK_MAX RT_UINT32_MAX
#define RT_SEM_VALUE_MAX RT_UINT16_MAX
#define RT_MUTEX_VALUE_MAX RT_UINT16_MAX
#define RT_MUTEX_HOLD_MAX RT_UINT8_MAX
#define RT_MB_ENTRY_MAX RT_UINT16_MAX
#define RT_MQ_ENTRY_MAX RT_UINT16_MAX

/* Error codes; functions return them negated. */
#define RT_EOK 0
#define RT_ERROR 1
#define RT_ETIMEOUT 2
#define RT_EFULL 3
#define RT_EEMPTY 4
#define RT_ENOMEM 5
#define RT_ENOSYS 6
#define RT_EBUSY 7
#define RT_EIO 8
#define RT_EINTR 9
#define RT_EINVAL 10
#define RT_ENOENT 11
#define RT_ENOSPC 12
#define RT_EPERM 13
#define RT_ETRAP 14
#define RT_EFAULT 15
#define RT_ENOBUFS 16
#define RT_ESCHEDISR 17 /* would block in an interrupt */
#define RT_ESCHEDLOCKED 18 /* would block while the scheduler is locked or interrupts are disabled */

/* Attributes, by their names of version 5 and the older ones. */
#define rt_section(x) __attribute__((section(x)))
#define rt_used __attribute__((used))
#define rt_unused __attribute__((unused))
#define rt_align(n) __attribute__((aligned(n)))
#define rt_weak __attribute__((weak))
#define rt_noreturn __attribute__((noreturn))
#define rt_always_inline static inline __attribute__((always_inline))
#define rt_inline static inline
#define rt_typeof __typeof__
#define SECTION(x) rt_section(x)
#define RT_USED rt_used
#define RT_WEAK rt_weak
#define RT_UNUSED(x) ((void)(x))
#define RTT_API
#ifndef ALIGN
#define ALIGN(n) rt_align(n)
#endif

#define RT_ALIGN(size, align) (((size) + (align) - 1) & ~((align) - 1))
#define RT_ALIGN_DOWN(size, align) ((size) & ~((align) - 1))

#define RT_STRINGIFY(x...) RT_STRINGIFY_(x)
#define RT_STRINGIFY_(x...) #x
#define RT_BIT(n) (1UL << (n))
#define RT_ARRAY_SIZE(a) (sizeof(a) / sizeof((a)[0]))

/* A node of a circular, doubly linked list, or its head. */
struct rt_list_node {
	struct rt_list_node *next;
	struct rt_list_node *prev;
};
typedef struct rt_list_node rt_list_t;

/* A node of a singly linked list, or its head. */
struct rt_slist_node {
	struct rt_slist_node *next;
};
typedef struct rt_slist_node rt_slist_t;

/* With one processor the lock itself has nothing to hold. */
struct rt_spinlock {
	rt_ubase_t lock;
};
typedef struct rt_spinlock rt_spinlock_t;

#define RT_SPINLOCK_INIT { 0 }
#define RT_DEFINE_SPINLOCK(x) struct rt_spinlock x = RT_SPINLOCK_INIT
#define RT_DECLARE_SPINLOCK(x) struct rt_spinlock x

#endif
