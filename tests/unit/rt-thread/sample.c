/* SPDX-License-Identifier: GPL-2.0-only */
/* An application as RT-Thread's are written: what the headers promise its source. headers_test.cpp runs it. */
#include <rtdevice.h>
#include <rthw.h>
#include <rtthread.h>

#define DBG_TAG "sample"
#define DBG_LVL DBG_INFO
#include <rtdbg.h>

#include "sample.h"

#define THREAD_PRIORITY 20
#define THREAD_STACK_SIZE 1024
#define THREAD_TIMESLICE 5

ALIGN(RT_ALIGN_SIZE)
static char producer_stack[THREAD_STACK_SIZE];
static struct rt_thread producer;
static rt_thread_t consumer = RT_NULL;

static struct rt_mailbox mb;
static rt_ubase_t mb_pool[4];
static struct rt_messagequeue mq;
static rt_uint8_t mq_pool[256];
static struct rt_semaphore done;
static struct rt_event event;
static rt_mutex_t lock = RT_NULL;
static rt_timer_t timer;
static struct rt_mempool mp;
ALIGN(RT_ALIGN_SIZE)
static rt_uint8_t mp_pool[(80 + 4) * 4];

static int sum;
static int expiries;

static void producer_entry(void *parameter)
{
	int i;

	for (i = 1; i <= 10; ++i) {
		rt_mutex_take(lock, RT_WAITING_FOREVER);
		sum += (int)(rt_ubase_t)parameter;
		rt_mutex_release(lock);
		rt_mb_send_wait(&mb, (rt_ubase_t)i, RT_WAITING_FOREVER);
		rt_thread_mdelay(2);
	}
	rt_event_send(&event, 1 << 3);
}

static void consumer_entry(void *parameter)
{
	rt_ubase_t value;
	rt_uint8_t text[8];
	rt_uint32_t set;
	int i;

	RT_UNUSED(parameter);
	for (i = 0; i < 10; ++i) {
		if (rt_mb_recv(&mb, &value, RT_WAITING_FOREVER) != RT_EOK)
			return;
		rt_mutex_take(lock, RT_WAITING_FOREVER);
		sum += (int)value;
		rt_mutex_release(lock);
		rt_mq_send(&mq, "message", 8);
		if (rt_mq_recv(&mq, text, sizeof(text), RT_WAITING_NO) != (rt_ssize_t)sizeof(text))
			return;
	}
	if (rt_event_recv(&event, 1 << 3 | 1 << 5, RT_EVENT_FLAG_OR | RT_EVENT_FLAG_CLEAR, 100, &set) == RT_EOK &&
	    set == 1 << 3)
		rt_sem_release(&done);
}

static void timeout(void *parameter)
{
	if (++*(int *)parameter == 3)
		rt_timer_control(timer, RT_TIMER_CTRL_SET_ONESHOT, RT_NULL);
}

int sample_run(void)
{
	void *block;
	rt_err_t result;
	rt_base_t level;

	sum = 0;
	expiries = 0;
	rt_mb_init(&mb, "mbt", &mb_pool[0], sizeof(mb_pool) / sizeof(mb_pool[0]), RT_IPC_FLAG_FIFO);
	rt_mq_init(&mq, "mqt", &mq_pool[0], 8, sizeof(mq_pool), RT_IPC_FLAG_PRIO);
	rt_sem_init(&done, "done", 0, RT_IPC_FLAG_PRIO);
	rt_event_init(&event, "event", RT_IPC_FLAG_FIFO);
	rt_mp_init(&mp, "mp1", &mp_pool[0], sizeof(mp_pool), 80);
	lock = rt_mutex_create("lock", RT_IPC_FLAG_PRIO);
	if (lock == RT_NULL)
		return -RT_ENOMEM;
	timer = rt_timer_create("timer1", timeout, &expiries, 5, RT_TIMER_FLAG_PERIODIC);
	if (timer != RT_NULL)
		rt_timer_start(timer);

	result = rt_thread_init(&producer, "producer", producer_entry, (void *)100, &producer_stack[0],
				sizeof(producer_stack), THREAD_PRIORITY - 1, THREAD_TIMESLICE);
	RT_ASSERT(result == RT_EOK);
	rt_thread_startup(&producer);
	consumer = rt_thread_create("consumer", consumer_entry, RT_NULL, THREAD_STACK_SIZE, THREAD_PRIORITY,
				    THREAD_TIMESLICE);
	if (consumer != RT_NULL)
		rt_thread_startup(consumer);

	result = rt_sem_take(&done, rt_tick_from_millisecond(500));
	if (result != RT_EOK)
		LOG_E("the threads did not end: %d", result);

	level = rt_hw_interrupt_disable();
	block = rt_mp_alloc(&mp, RT_WAITING_NO);
	rt_hw_interrupt_enable(level);
	if (block == RT_NULL || mp.block_free_count != mp.block_total_count - 1)
		result = -RT_ERROR;
	rt_mp_free(block);

	rt_enter_critical();
	rt_thread_delay(0); /* refused: the scheduler is locked */
	rt_exit_critical();

	rt_timer_delete(timer);
	rt_mutex_delete(lock);
	rt_mp_detach(&mp);
	rt_event_detach(&event);
	rt_sem_detach(&done);
	rt_mq_detach(&mq);
	rt_mb_detach(&mb);
	rt_kprintf("sum %d, expiries %d\n", sum, expiries);
	return result;
}
MSH_CMD_EXPORT(sample_run, run the sample);

static int led(int argc, char **argv)
{
	RT_UNUSED(argv);
	return argc;
}
MSH_CMD_EXPORT(led, led <on|off>, optional);
MSH_CMD_EXPORT_ALIAS(led, lamp, another name);
FINSH_FUNCTION_EXPORT(led, as a function);

char sample_order[8];
static int add(char level)
{
	sample_order[rt_strlen(sample_order)] = level;
	return 0;
}
static int app_init(void)
{
	return add('6');
}
INIT_APP_EXPORT(app_init);
static int board_init(void)
{
	return add('1');
}
INIT_BOARD_EXPORT(board_init);
static int component_init(void)
{
	return add('4');
}
INIT_COMPONENT_EXPORT(component_init);
static int device_init(void)
{
	return add('3');
}
INIT_DEVICE_EXPORT(device_init);
static int env_init(void)
{
	return add('5');
}
INIT_ENV_EXPORT(env_init);
static int prev_init(void)
{
	return add('2');
}
INIT_PREV_EXPORT(prev_init);

int sample_sum(void)
{
	return sum;
}

int sample_expiries(void)
{
	return expiries;
}
