/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What RT-Thread's configuration tool would write for this port: the parts that exist. Application code
 * tests these names; changing one here does not add or remove anything.
 */
#ifndef RT_CONFIG_H__
#define RT_CONFIG_H__

#define RT_NAME_MAX 16
#define RT_ALIGN_SIZE 8
#define RT_TICK_PER_SECOND 1000
#define RT_CPUS_NR 1

/* The kernel's lowest priority belongs to the guest alone. */
#ifndef RTOS_PRIORITIES
#define RTOS_PRIORITIES 32
#endif
#define RT_THREAD_PRIORITY_MAX (RTOS_PRIORITIES - 1)

#define IDLE_THREAD_STACK_SIZE 4096
#define RT_MAIN_THREAD_STACK_SIZE 8192
#define RT_MAIN_THREAD_PRIORITY 16
#define RT_TIMER_THREAD_PRIO 0

#define RT_USING_OVERFLOW_CHECK
#define RT_USING_HOOK
#define RT_USING_IDLE_HOOK
#define RT_USING_TIMER_SOFT
#define RT_USING_CPU_USAGE

#define RT_USING_SEMAPHORE
#define RT_USING_MUTEX
#define RT_USING_EVENT
#define RT_USING_MAILBOX
#define RT_USING_MESSAGEQUEUE
#define RT_USING_MESSAGEQUEUE_PRIORITY
#define RT_USING_SIGNALS

#define RT_USING_MEMPOOL
#define RT_USING_MEMHEAP
#define RT_USING_SMALL_MEM
#define RT_USING_SLAB
#define RT_USING_HEAP

#define RT_USING_DEVICE
#define RT_USING_DEVICE_IPC
#define RT_USING_SYSTEM_WORKQUEUE
#define RT_SYSTEM_WORKQUEUE_STACKSIZE 4096
#define RT_SYSTEM_WORKQUEUE_PRIORITY 23
#define RT_USING_CONSOLE
#define RT_CONSOLEBUF_SIZE 128
#define RT_USING_INTERRUPT_INFO
#define RT_USING_HW_ATOMIC

#define RT_USING_COMPONENTS_INIT
#define RT_USING_USER_MAIN
#define RT_USING_FINSH
#define RT_USING_MSH
#define FINSH_USING_MSH
#define FINSH_USING_SYMTAB
#define FINSH_USING_DESCRIPTION
#define RT_USING_UTEST
#define RT_USING_NEWLIBC

/* -DRTOS_DEBUG=ON: wrong use of the API ends in a report that names the call. */
#if RTOS_DEBUG
#define RT_USING_DEBUG
#define RT_DEBUGING_ASSERT
#define RT_DEBUGING_CONTEXT
#endif

#define ARCH_ARM
#define ARCH_ARM_CORTEX_A
#define ARCH_ARM_CORTEX_A8

#endif
