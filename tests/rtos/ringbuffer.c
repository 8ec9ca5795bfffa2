/* SPDX-License-Identifier: GPL-2.0-only */
/* The ring buffer of the device framework. */
#include "suite.h"
#include <rtdevice.h>

static struct rt_ringbuffer ring;
static rt_uint8_t pool[16];

static void test_put_and_get(void)
{
	rt_uint8_t data[32];
	rt_ringbuffer_init(&ring, pool, sizeof(pool));
	uassert_equal(16, rt_ringbuffer_get_size(&ring));
	uassert_equal(16, rt_ringbuffer_space_len(&ring));
	for (int round = 0; round < 20; ++round) { /* wraps at every place */
		rt_uint8_t in[11];
		for (int i = 0; i < 11; ++i)
			in[i] = (rt_uint8_t)(round * 11 + i);
		uassert_equal(11, rt_ringbuffer_put(&ring, in, 11));
		uassert_equal(11, rt_ringbuffer_data_len(&ring));
		uassert_equal(5, rt_ringbuffer_space_len(&ring));
		memset(data, 0, sizeof(data));
		uassert_equal(11, rt_ringbuffer_get(&ring, data, sizeof(data)));
		uassert_buf_equal(in, data, 11);
		uassert_equal(0, rt_ringbuffer_data_len(&ring));
	}
	uassert_equal(0, rt_ringbuffer_get(&ring, data, 1));
}

static void test_full(void)
{
	rt_uint8_t data[32], in[20];
	for (int i = 0; i < 20; ++i)
		in[i] = (rt_uint8_t)i;
	rt_ringbuffer_init(&ring, pool, sizeof(pool));
	uassert_equal(16, rt_ringbuffer_put(&ring, in, 20)); /* what fits */
	uassert_equal(0, rt_ringbuffer_put(&ring, in, 1));
	uassert_equal(0, rt_ringbuffer_putchar(&ring, 1));
	uassert_equal(16, rt_ringbuffer_get(&ring, data, 20));
	uassert_buf_equal(in, data, 16);
	/* by force: the oldest go */
	rt_ringbuffer_put(&ring, in, 10);
	uassert_equal(10, rt_ringbuffer_put_force(&ring, in + 10, 10));
	uassert_equal(16, rt_ringbuffer_data_len(&ring));
	uassert_equal(16, rt_ringbuffer_get(&ring, data, 20));
	uassert_buf_equal(in + 4, data, 16);
	/* more than the whole: the last of it stay */
	uassert_equal(16, rt_ringbuffer_put_force(&ring, in, 20));
	uassert_equal(16, rt_ringbuffer_get(&ring, data, 20));
	uassert_buf_equal(in + 4, data, 16);
}

static void test_single_bytes(void)
{
	rt_uint8_t byte = 0;
	rt_ringbuffer_init(&ring, pool, sizeof(pool));
	for (rt_uint8_t i = 0; i < 16; ++i)
		uassert_equal(1, rt_ringbuffer_putchar(&ring, i));
	uassert_equal(1, rt_ringbuffer_putchar_force(&ring, 16)); /* 0 goes */
	for (rt_uint8_t i = 1; i <= 16; ++i) {
		uassert_equal(1, rt_ringbuffer_getchar(&ring, &byte));
		uassert_equal(i, byte);
	}
	uassert_equal(0, rt_ringbuffer_getchar(&ring, &byte));
}

static void test_peek(void)
{
	rt_uint8_t *at = RT_NULL;
	rt_ringbuffer_init(&ring, pool, sizeof(pool));
	rt_ringbuffer_put(&ring, (const rt_uint8_t *)"abc", 3);
	uassert_equal(3, rt_ringbuffer_peek(&ring, &at));
	uassert_true(at && at[0] == 'a' && at[2] == 'c');
	rt_ringbuffer_reset(&ring);
	uassert_equal(0, rt_ringbuffer_data_len(&ring));
}

static void test_create(void)
{
	struct rt_ringbuffer *created = rt_ringbuffer_create(64);
	uassert_not_null(created);
	uassert_equal(64, rt_ringbuffer_get_size(created));
	uassert_equal(4, rt_ringbuffer_put(created, (const rt_uint8_t *)"data", 4));
	rt_ringbuffer_destroy(created);
}

static void testcase(void)
{
	UNIT(test_put_and_get);
	UNIT(test_full);
	UNIT(test_single_bytes);
	UNIT(test_peek);
	UNIT(test_create);
}
SUITE("ringbuffer");
