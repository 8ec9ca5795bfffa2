/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * RT-Thread's objects. Each begins with its documented public fields; what the kernel keeps for it is in
 * `kernel`, whose size the sources check. Static objects use no other memory.
 */
#ifndef RT_DEF_H__
#define RT_DEF_H__

#include <rtkernel.h>
#include <rttypes.h>

#define RT_VERSION_MAJOR 5
#define RT_VERSION_MINOR 2
#define RT_VERSION_PATCH 0
#define RT_VERSION 5L
#define RT_SUBVERSION 2L
#define RT_REVISION 0L
#define RT_VERSION_CHECK(major, minor, revise) (((major) * 10000) + ((minor) * 100) + (revise))
#define RTTHREAD_VERSION RT_VERSION_CHECK(RT_VERSION_MAJOR, RT_VERSION_MINOR, RT_VERSION_PATCH)

#define RT_EVENT_LENGTH 32
#define RT_MM_PAGE_SIZE 4096
#define RT_MM_PAGE_MASK (RT_MM_PAGE_SIZE - 1)
#define RT_MM_PAGE_BITS 12

#define RT_KERNEL_MALLOC(sz) rt_malloc(sz)
#define RT_KERNEL_FREE(ptr) rt_free(ptr)
#define RT_KERNEL_REALLOC(ptr, size) rt_realloc(ptr, size)

#define RT_WAITING_FOREVER (-1)
#define RT_WAITING_NO 0

/* --- Object ------------------------------------------------------------------------------------------- */

enum rt_object_class_type {
	RT_Object_Class_Null = 0x00,
	RT_Object_Class_Thread = 0x01,
	RT_Object_Class_Semaphore = 0x02,
	RT_Object_Class_Mutex = 0x03,
	RT_Object_Class_Event = 0x04,
	RT_Object_Class_MailBox = 0x05,
	RT_Object_Class_MessageQueue = 0x06,
	RT_Object_Class_MemHeap = 0x07,
	RT_Object_Class_MemPool = 0x08,
	RT_Object_Class_Device = 0x09,
	RT_Object_Class_Timer = 0x0a,
	RT_Object_Class_Memory = 0x0c,
	RT_Object_Class_Custom = 0x10,
	RT_Object_Class_Unknown = 0x11,
	RT_Object_Class_Static = 0x80, /* or'ed to the class of an object that was not allocated */
};

struct rt_object {
	char name[RT_NAME_MAX]; /* not terminated if RT_NAME_MAX long */
	rt_uint8_t type;
	rt_uint8_t reserved;
	rt_uint8_t flag;
	rt_uint8_t live; /* the class, while the object exists and no object hook is set */
	rt_list_t list; /* in the list of its class */
	RT_KERNEL_STORAGE(OBJECT);
};
typedef struct rt_object *rt_object_t;
typedef rt_err_t (*rt_object_iter_t)(rt_object_t object, void *data);

struct rt_object_information {
	enum rt_object_class_type type;
	rt_list_t object_list;
	rt_size_t object_size;
};

/* --- Timer -------------------------------------------------------------------------------------------- */

#define RT_TIMER_FLAG_DEACTIVATED 0x0
#define RT_TIMER_FLAG_ACTIVATED 0x1
#define RT_TIMER_FLAG_ONE_SHOT 0x0
#define RT_TIMER_FLAG_PERIODIC 0x4
#define RT_TIMER_FLAG_HARD_TIMER 0x0 /* the function runs in the timer's interrupt */
#define RT_TIMER_FLAG_SOFT_TIMER 0x8 /* the function runs in the timers' thread */

#define RT_TIMER_CTRL_SET_TIME 0x0
#define RT_TIMER_CTRL_GET_TIME 0x1
#define RT_TIMER_CTRL_SET_ONESHOT 0x2
#define RT_TIMER_CTRL_SET_PERIODIC 0x3
#define RT_TIMER_CTRL_GET_STATE 0x4
#define RT_TIMER_CTRL_GET_REMAIN_TIME 0x5
#define RT_TIMER_CTRL_GET_FUNC 0x6
#define RT_TIMER_CTRL_SET_FUNC 0x7
#define RT_TIMER_CTRL_GET_PARM 0x8
#define RT_TIMER_CTRL_SET_PARM 0x9

typedef void (*rt_timer_func_t)(void *parameter);

struct rt_timer {
	struct rt_object parent;
	rt_timer_func_t timeout_func;
	void *parameter;
	rt_tick_t init_tick; /* the period */
	RT_KERNEL_STORAGE(TIMER);
};
typedef struct rt_timer *rt_timer_t;

/* --- Thread ------------------------------------------------------------------------------------------- */

#define RT_THREAD_INIT 0x00
#define RT_THREAD_CLOSE 0x01
#define RT_THREAD_READY 0x02
#define RT_THREAD_RUNNING 0x03
#define RT_THREAD_SUSPEND_MASK 0x04
#define RT_SIGNAL_COMMON_WAKEUP_MASK 0x02
#define RT_SIGNAL_KILL_WAKEUP_MASK 0x01
#define RT_THREAD_SUSPEND_INTERRUPTIBLE RT_THREAD_SUSPEND_MASK
#define RT_THREAD_SUSPEND RT_THREAD_SUSPEND_INTERRUPTIBLE
#define RT_THREAD_SUSPEND_KILLABLE (RT_THREAD_SUSPEND_MASK | RT_SIGNAL_COMMON_WAKEUP_MASK)
#define RT_THREAD_SUSPEND_UNINTERRUPTIBLE \
	(RT_THREAD_SUSPEND_MASK | RT_SIGNAL_COMMON_WAKEUP_MASK | RT_SIGNAL_KILL_WAKEUP_MASK)
#define RT_THREAD_BLOCK RT_THREAD_SUSPEND
#define RT_THREAD_STAT_MASK 0x07

/* Whether a signal ends the wait of rt_thread_suspend_with_flag() and of the _wait_prio calls. */
enum { RT_INTERRUPTIBLE, RT_KILLABLE, RT_UNINTERRUPTIBLE };

#define RT_THREAD_CTRL_STARTUP 0x00
#define RT_THREAD_CTRL_CLOSE 0x01
#define RT_THREAD_CTRL_CHANGE_PRIORITY 0x02
#define RT_THREAD_CTRL_INFO 0x03
#define RT_THREAD_CTRL_BIND_CPU 0x04
#define RT_THREAD_CTRL_RESET_PRIORITY 0x05

#define RT_SIG_MAX 32
typedef unsigned long rt_sigset_t;
typedef void (*rt_sighandler_t)(int signo);
typedef struct rt_siginfo {
	int si_signo;
	int si_code;
#ifndef si_value /* a macro of glibc, which only the host has */
	union {
		int sival_int;
		void *sival_ptr;
	} si_value;
#endif
} rt_siginfo_t;

struct rt_thread {
	struct rt_object parent;
	void *entry;
	void *parameter;
	void *stack_addr;
	rt_uint32_t stack_size;
	rt_err_t error; /* of the last call that failed; rt_get_errno() */
	rt_ubase_t init_tick; /* the time slice */
	void (*cleanup)(struct rt_thread *tid); /* called when it has ended */
	rt_ubase_t user_data;

	rt_sigset_t sig_pending;
	rt_sigset_t sig_mask; /* a bit set: is delivered */
	rt_sigset_t sig_waited; /* by rt_signal_wait() */
	rt_sighandler_t *sig_vectors;
	rt_uint64_t signal_call[RT_KERNEL_SIZE_ASYNC_CALL];

	void *thread; /* the kernel's: here, or what another interface made */
	__extension__ union {
		__extension__ struct {
			rt_uint8_t kernel_before[2 * sizeof(void *)];
			rt_uint8_t current_priority;
			rt_uint8_t init_priority;
			rt_uint8_t stat;
		};
		RT_KERNEL_STORAGE(THREAD);
	};
};
typedef struct rt_thread *rt_thread_t;

/* Where newer sources look for stat, init_priority and current_priority. */
#define RT_SCHED_CTX(thread) (*(thread))
#define RT_SCHED_PRIV(thread) (*(thread))

/* --- Objects to wait for ------------------------------------------------------------------------------ */

#define RT_IPC_FLAG_FIFO 0x00 /* waiters in order of arrival */
#define RT_IPC_FLAG_PRIO 0x01 /* waiters by priority */

#define RT_IPC_CMD_UNKNOWN 0x00
#define RT_IPC_CMD_RESET 0x01

struct rt_ipc_object {
	struct rt_object parent;
};

struct rt_semaphore {
	struct rt_ipc_object parent;
	__extension__ union {
		rt_uint16_t value;
		RT_KERNEL_STORAGE(SEMAPHORE);
	};
};
typedef struct rt_semaphore *rt_sem_t;

struct rt_mutex {
	struct rt_ipc_object parent;
	rt_uint8_t ceiling_priority; /* 0xff: none */
	RT_KERNEL_STORAGE_VIEW(MUTEX, 3 * sizeof(void *), rt_uint16_t hold);
};
typedef struct rt_mutex *rt_mutex_t;

#define RT_EVENT_FLAG_AND 0x01
#define RT_EVENT_FLAG_OR 0x02
#define RT_EVENT_FLAG_CLEAR 0x04

struct rt_event {
	struct rt_ipc_object parent;
	__extension__ union {
		rt_uint32_t set;
		RT_KERNEL_STORAGE(EVENT);
	};
};
typedef struct rt_event *rt_event_t;

struct rt_mailbox {
	struct rt_ipc_object parent;
	rt_ubase_t *msg_pool;
	rt_uint16_t size;
	RT_KERNEL_STORAGE_VIEW(MAILBOX, 4 * sizeof(void *), rt_uint16_t entry);
};
typedef struct rt_mailbox *rt_mailbox_t;

struct rt_messagequeue {
	struct rt_ipc_object parent;
	void *msg_pool;
	rt_uint16_t msg_size;
	rt_uint16_t max_msgs;
	RT_KERNEL_STORAGE_VIEW(MESSAGE_QUEUE, 36 * sizeof(void *), rt_uint16_t entry);
};
typedef struct rt_messagequeue *rt_mq_t;

/* --- Memory ------------------------------------------------------------------------------------------- */

struct rt_memory {
	struct rt_object parent;
	const char *algorithm;
	rt_ubase_t address;
	rt_size_t total;
	rt_size_t used;
	rt_size_t max;
};
typedef struct rt_memory *rt_mem_t;
typedef rt_mem_t rt_smem_t;
typedef rt_mem_t rt_slab_t;

struct rt_memheap {
	struct rt_object parent;
	void *start_addr;
	rt_size_t pool_size;
	rt_size_t available_size;
	rt_size_t max_used_size;
	RT_KERNEL_STORAGE(HEAP);
};

struct rt_mempool {
	struct rt_object parent;
	void *start_address;
	rt_size_t size;
	rt_size_t block_size;
	rt_size_t block_total_count;
	RT_KERNEL_STORAGE_VIEW(MEMORY_POOL, 2 * sizeof(void *) + 20, rt_uint32_t block_free_count);
};
typedef struct rt_mempool *rt_mp_t;

#ifdef __cplusplus
namespace rtthread {
enum TICK_WAIT { WAIT_NONE = 0, WAIT_FOREVER = -1 };
}
#endif

#endif
