/* SPDX-License-Identifier: GPL-2.0-only */
/* Memory pools: blocks, exhaustion, waiting for one to come back. */
#include "suite.h"

enum { BLOCK = 24, COUNT = 4 };
static struct rt_mempool pool;
rt_align(RT_ALIGN_SIZE) static rt_uint8_t memory[(BLOCK + sizeof(void *)) * COUNT];
static void *volatile given;

static void init(void)
{
	uassert_equal(RT_EOK, rt_mp_init(&pool, "pool", memory, sizeof(memory), BLOCK));
}

static void wait_for_block(void *letter)
{
	given = rt_mp_alloc(&pool, RT_WAITING_FOREVER);
	mark((char)(rt_ubase_t)letter);
	if (given)
		rt_mp_free(given);
}
#define LETTER(c) ((void *)(rt_ubase_t)(c))

static void test_blocks(void)
{
	rt_uint8_t *block[COUNT];
	init();
	uassert_equal(COUNT, pool.block_total_count);
	for (int round = 0; round < 3; ++round) {
		for (int i = 0; i < COUNT; ++i) {
			block[i] = rt_mp_alloc(&pool, 0);
			uassert_not_null(block[i]);
			uassert_true((rt_ubase_t)block[i] % sizeof(void *) == 0); /* each follows a pointer */
			uassert_true(block[i] >= memory && block[i] + BLOCK <= memory + sizeof(memory));
			memset(block[i], i + 1, BLOCK);
		}
		uassert_equal(0, pool.block_free_count);
		uassert_null(rt_mp_alloc(&pool, 0)); /* exhausted */
		for (int i = 0; i < COUNT; ++i) {
			for (int j = 0; j < BLOCK; ++j)
				if (block[i][j] != i + 1)
					uassert_equal(i + 1, block[i][j]); /* blocks do not overlap */
			rt_mp_free(block[(i + round) % COUNT]);
		}
		uassert_equal(COUNT, pool.block_free_count);
	}
	rt_mp_detach(&pool);
}

static void test_waiting(void)
{
	void *block[COUNT];
	init();
	for (int i = 0; i < COUNT; ++i)
		block[i] = rt_mp_alloc(&pool, 0);
	rt_thread_delay(1);
	uassert_equal(3, TICKS_OF(uassert_null(rt_mp_alloc(&pool, 3))));
	uassert_equal(-RT_ETIMEOUT, rt_get_errno());
	suite_start("waits", HIGHER, wait_for_block, LETTER('w'));
	uassert_order("");
	rt_mp_free(block[1]);
	uassert_order("w");
	uassert_true(given == block[1]);
	uassert_equal(1, pool.block_free_count);
	rt_mp_detach(&pool);
}

static void test_detach_while_waiting(void)
{
	init();
	for (int i = 0; i < COUNT; ++i)
		rt_mp_alloc(&pool, 0);
	given = memory;
	suite_start("waits", HIGHER, wait_for_block, LETTER('w'));
	uassert_equal(RT_EOK, rt_mp_detach(&pool));
	uassert_order("w");
	uassert_null(given);
}

static void test_dynamic(void)
{
	rt_size_t total, before, after, peak;
	rt_memory_info(&total, &before, &peak);
	rt_mp_t dynamic = rt_mp_create("dynamic", 8, 40);
	uassert_not_null(dynamic);
	for (int i = 0; i < 8; ++i)
		uassert_not_null(rt_mp_alloc(dynamic, 0));
	uassert_null(rt_mp_alloc(dynamic, 0));
	uassert_equal(RT_EOK, rt_mp_delete(dynamic));
	rt_memory_info(&total, &after, &peak);
	uassert_equal(before, after);
}

static void calls_in_isr(void *unused)
{
	(void)unused;
	void *block = rt_mp_alloc(&pool, 0);
	uassert_not_null(block);
	rt_mp_free(block);
	for (int i = 0; i < COUNT; ++i)
		rt_mp_alloc(&pool, 0);
	uassert_refused_null(rt_mp_alloc, (&pool, 5));
}

static void test_from_isr(void)
{
	init();
	suite_in_isr(calls_in_isr, RT_NULL);
	rt_mp_detach(&pool);
}

static void test_double_free(void)
{
	init();
	void *block = rt_mp_alloc(&pool, 0);
	rt_mp_free(block);
	uassert_equal(COUNT, pool.block_free_count);
	suite_watch_assertions();
	rt_mp_free(block);
	uassert_true(suite_asserted_rightly("rt_mp_free"));
	uassert_equal(COUNT, pool.block_free_count);
	void *first = rt_mp_alloc(&pool, 0);
	void *next = rt_mp_alloc(&pool, 0);
	uassert_true(first && next && first != next); /* the list is what it was */
	rt_mp_free(RT_NULL);
	rt_mp_detach(&pool);
}

static void test_bad_input(void)
{
	uassert_refused(rt_mp_init, -RT_EINVAL, (RT_NULL, "bad", memory, sizeof(memory), BLOCK));
	uassert_refused(rt_mp_init, -RT_EINVAL, (&pool, "bad", RT_NULL, sizeof(memory), BLOCK));
	uassert_refused(rt_mp_init, -RT_EINVAL, (&pool, "bad", memory, 8, BLOCK));
	uassert_refused(rt_mp_init, -RT_EINVAL, (&pool, "bad", memory, sizeof(memory), 0));
	uassert_refused_null(rt_mp_alloc, (RT_NULL, 0));
	uassert_null(rt_mp_create("large", 1000, 0x1000000));
	init();
	rt_mp_detach(&pool);
	uassert_refused_null(rt_mp_alloc, (&pool, 0));
	uassert_refused(rt_mp_detach, -RT_EINVAL, (&pool));
}

static void testcase(void)
{
	UNIT(test_blocks);
	UNIT(test_waiting);
	UNIT(test_detach_while_waiting);
	UNIT(test_dynamic);
	UNIT(test_from_isr);
	UNIT(test_double_free);
	UNIT(test_bad_input);
}
SUITE("memory_pool");
