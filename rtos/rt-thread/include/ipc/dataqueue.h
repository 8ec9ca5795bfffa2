/* SPDX-License-Identifier: BSD-3-Clause */
/* A queue of (address, size) pairs between drivers and threads; the data itself stays where it is. */
#ifndef RT_DATAQUEUE_H__
#define RT_DATAQUEUE_H__

#include <rtdef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RT_DATAQUEUE_EVENT_UNKNOWN 0x00
#define RT_DATAQUEUE_EVENT_POP 0x01
#define RT_DATAQUEUE_EVENT_PUSH 0x02
#define RT_DATAQUEUE_EVENT_LWM 0x03 /* so few are left that the producer should push */

struct rt_data_item;

struct rt_data_queue {
	rt_uint32_t magic;
	rt_uint16_t size;
	rt_uint16_t lwm;
	rt_uint16_t get_index;
	rt_uint16_t put_index;
	rt_uint16_t count;
	struct rt_data_item *queue;
	void (*evt_notify)(struct rt_data_queue *queue, rt_uint32_t event);
	rt_uint64_t pushers[RT_KERNEL_SIZE_WAIT_QUEUE];
	rt_uint64_t poppers[RT_KERNEL_SIZE_WAIT_QUEUE];
};

/* Takes size places from the heap. -RT_ENOMEM. */
rt_err_t rt_data_queue_init(struct rt_data_queue *queue, rt_uint16_t size, rt_uint16_t lwm,
			    void (*evt_notify)(struct rt_data_queue *queue, rt_uint32_t event));
rt_err_t rt_data_queue_push(struct rt_data_queue *queue, const void *data_ptr, rt_size_t data_size,
			    rt_int32_t timeout);
rt_err_t rt_data_queue_pop(struct rt_data_queue *queue, const void **data_ptr, rt_size_t *size,
			   rt_int32_t timeout);
rt_err_t rt_data_queue_peek(struct rt_data_queue *queue, const void **data_ptr, rt_size_t *size);
void rt_data_queue_reset(struct rt_data_queue *queue);
rt_err_t rt_data_queue_deinit(struct rt_data_queue *queue);
rt_uint16_t rt_data_queue_len(struct rt_data_queue *queue);

#ifdef __cplusplus
}
#endif

#endif
