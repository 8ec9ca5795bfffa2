/* SPDX-License-Identifier: BSD-3-Clause */
/* Producers and a consumer in RT-Thread's API: a message queue, a mutex, an event. */
#include <rtthread.h>

#include <finsh.h>
#include <msh.h>

#define PRODUCERS 3
#define MESSAGES 1000
#define STACK 2048

struct message {
	rt_uint32_t producer;
	rt_uint32_t number;
};

static rt_mq_t queue;
static rt_event_t finished;
static rt_mutex_t lock;
static rt_uint32_t sent, received; /* under lock: sent */

static void produce(void *parameter)
{
	rt_uint32_t producer = (rt_uint32_t)(rt_ubase_t)parameter;

	for (rt_uint32_t i = 0; i < MESSAGES; i++) {
		struct message m = { producer, i };

		rt_mq_send_wait(queue, &m, sizeof(m), RT_WAITING_FOREVER);
		rt_mutex_take(lock, RT_WAITING_FOREVER);
		sent++;
		rt_mutex_release(lock);
	}
	rt_event_send(finished, 1u << producer);
}

/* Each producer's messages must come in the order in which it sent them. */
static void consume(void *parameter)
{
	rt_uint32_t next[PRODUCERS] = { 0 };
	rt_uint32_t wrong = 0;
	struct message m;

	(void)parameter;
	while (received < PRODUCERS * MESSAGES) {
		if (rt_mq_recv(queue, &m, sizeof(m), RT_WAITING_FOREVER) < 0)
			break;
		if (m.producer >= PRODUCERS || m.number != next[m.producer]++)
			wrong++;
		received++;
	}
	rt_kprintf("producer_consumer: %u messages, %u out of order\n", received, wrong);
	rt_event_send(finished, 1u << PRODUCERS);
}

/* A command for the shell */
static int progress(int argc, char **argv)
{
	(void)argc;
	(void)argv;
	rt_kprintf("sent %u, received %u\n", sent, received);
	return 0;
}
MSH_CMD_EXPORT(progress, of producers and consumer);

static void start(const char *name, void (*entry)(void *), void *parameter, rt_uint8_t priority)
{
	rt_thread_t thread = rt_thread_create(name, entry, parameter, STACK, priority, 10);

	if (thread)
		rt_thread_startup(thread);
	else
		rt_kprintf("producer_consumer: no memory for %s\n", name);
}

int main(void)
{
	char name[RT_NAME_MAX];

	finsh_system_init();
	queue = rt_mq_create("messages", sizeof(struct message), 8, RT_IPC_FLAG_PRIO);
	finished = rt_event_create("finished", RT_IPC_FLAG_PRIO);
	lock = rt_mutex_create("sent", RT_IPC_FLAG_PRIO);
	if (!queue || !finished || !lock)
		return 1;
	start("consumer", consume, RT_NULL, 18);
	for (rt_ubase_t i = 0; i < PRODUCERS; i++) {
		rt_snprintf(name, sizeof(name), "producer%u", (unsigned)i);
		start(name, produce, (void *)i, (rt_uint8_t)(19 + i));
	}
	rt_event_recv(finished, (1u << (PRODUCERS + 1)) - 1, RT_EVENT_FLAG_AND | RT_EVENT_FLAG_CLEAR,
		      RT_WAITING_FOREVER, RT_NULL);
	rt_kprintf("producer_consumer: done, sent %u\n", sent);
	return 0;
}
