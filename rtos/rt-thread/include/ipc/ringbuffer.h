/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Bytes from one producer to one consumer, who may be an ISR and a thread without a lock; but the
 * _force calls and a reset need both sides to themselves.
 */
#ifndef RT_RINGBUFFER_H__
#define RT_RINGBUFFER_H__

#include <rtdef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The mirror bit turns over each time the index passes the end: equal indices are full or empty by it. */
struct rt_ringbuffer {
	rt_uint8_t *buffer_ptr;
	__extension__ union {
		__extension__ struct {
			rt_uint32_t read_mirror : 1;
			rt_uint32_t read_index : 31;
		};
		volatile rt_uint32_t read_word;
	};
	__extension__ union {
		__extension__ struct {
			rt_uint32_t write_mirror : 1;
			rt_uint32_t write_index : 31;
		};
		volatile rt_uint32_t write_word;
	};
	rt_int32_t buffer_size;
};

enum rt_ringbuffer_state {
	RT_RINGBUFFER_EMPTY,
	RT_RINGBUFFER_FULL,
	RT_RINGBUFFER_HALFFULL, /* neither */
};

/* size: rounded down to a multiple of RT_ALIGN_SIZE. */
void rt_ringbuffer_init(struct rt_ringbuffer *rb, rt_uint8_t *pool, rt_int32_t size);
void rt_ringbuffer_reset(struct rt_ringbuffer *rb);
/* Bytes put: what there was room for. The _force calls drop the oldest bytes instead. */
rt_size_t rt_ringbuffer_put(struct rt_ringbuffer *rb, const rt_uint8_t *ptr, rt_uint32_t length);
rt_size_t rt_ringbuffer_put_force(struct rt_ringbuffer *rb, const rt_uint8_t *ptr, rt_uint32_t length);
rt_size_t rt_ringbuffer_putchar(struct rt_ringbuffer *rb, const rt_uint8_t ch);
rt_size_t rt_ringbuffer_putchar_force(struct rt_ringbuffer *rb, const rt_uint8_t ch);
/* Bytes got. peek: bytes at *ptr to be read in place, which it then counts as read. */
rt_size_t rt_ringbuffer_get(struct rt_ringbuffer *rb, rt_uint8_t *ptr, rt_uint32_t length);
rt_size_t rt_ringbuffer_peek(struct rt_ringbuffer *rb, rt_uint8_t **ptr);
rt_size_t rt_ringbuffer_getchar(struct rt_ringbuffer *rb, rt_uint8_t *ch);
rt_size_t rt_ringbuffer_data_len(struct rt_ringbuffer *rb);
enum rt_ringbuffer_state rt_ringbuffer_status(struct rt_ringbuffer *rb);

/* In the heap. */
struct rt_ringbuffer *rt_ringbuffer_create(rt_uint32_t length);
void rt_ringbuffer_destroy(struct rt_ringbuffer *rb);

rt_inline rt_uint32_t rt_ringbuffer_get_size(struct rt_ringbuffer *rb)
{
	return (rt_uint32_t)rb->buffer_size;
}

#define rt_ringbuffer_space_len(rb) ((rb)->buffer_size - rt_ringbuffer_data_len(rb))

#ifdef __cplusplus
}
#endif

#endif
