/* SPDX-License-Identifier: GPL-2.0-only */
/* The system heap, and memory that an application manages as smem, memheap or slab: all through one set of checks. */
#include "suite.h"

struct allocator {
	const char *name;
	void *(*alloc)(void *heap, rt_size_t size);
	void *(*realloc)(void *heap, void *block, rt_size_t size);
	void (*free)(void *heap, void *block);
	rt_size_t largest; /* must be refused */
};

static void *system_alloc(void *heap, rt_size_t size)
{
	(void)heap;
	return rt_malloc(size);
}
static void *system_realloc(void *heap, void *block, rt_size_t size)
{
	(void)heap;
	return rt_realloc(block, size);
}
static void system_free(void *heap, void *block)
{
	(void)heap;
	rt_free(block);
}
static void *smem_alloc(void *heap, rt_size_t size)
{
	return rt_smem_alloc(heap, size);
}
static void *smem_realloc(void *heap, void *block, rt_size_t size)
{
	return rt_smem_realloc(heap, block, size);
}
static void smem_free(void *heap, void *block)
{
	(void)heap;
	rt_smem_free(block);
}
static void *memheap_alloc(void *heap, rt_size_t size)
{
	return rt_memheap_alloc(heap, size);
}
static void *memheap_realloc(void *heap, void *block, rt_size_t size)
{
	return rt_memheap_realloc(heap, block, size);
}
static void memheap_free(void *heap, void *block)
{
	(void)heap;
	rt_memheap_free(block);
}
static void *slab_alloc(void *heap, rt_size_t size)
{
	return rt_slab_alloc(heap, size);
}
static void *slab_realloc(void *heap, void *block, rt_size_t size)
{
	return rt_slab_realloc(heap, block, size);
}
static void slab_free(void *heap, void *block)
{
	rt_slab_free(heap, block);
}

static const struct allocator of_system = { "malloc", system_alloc, system_realloc, system_free, 0x7fffffff };
static const struct allocator of_smem = { "smem", smem_alloc, smem_realloc, smem_free, 0x10000 };
static const struct allocator of_memheap = { "memheap", memheap_alloc, memheap_realloc, memheap_free,
					     0x10000 };
static const struct allocator of_slab = { "slab", slab_alloc, slab_realloc, slab_free, 0x100000 };

enum { SLOTS = 24 };
static rt_uint8_t *slot[SLOTS];
static rt_size_t slot_size[SLOTS];

static rt_bool_t holds(int i)
{
	for (rt_size_t j = 0; j < slot_size[i]; ++j)
		if (slot[i][j] != (rt_uint8_t)(i * 7 + j))
			return RT_FALSE;
	return RT_TRUE;
}
static void fill(int i)
{
	for (rt_size_t j = 0; j < slot_size[i]; ++j)
		slot[i][j] = (rt_uint8_t)(i * 7 + j);
}

/* Allocate, grow, shrink and free at random; every block keeps what was written into it. */
static void torture(const struct allocator *a, void *heap, int rounds)
{
	rt_uint32_t random = 42;
	int wrong = 0, refused = 0, misaligned = 0;
	memset(slot, 0, sizeof(slot));
	for (int round = 0; round < rounds; ++round) {
		random = random * 1103515245 + 12345;
		const int i = (random >> 8) % SLOTS;
		const rt_size_t size = 1 + (random >> 16) % 300;
		if (!slot[i]) {
			slot[i] = a->alloc(heap, size);
		} else {
			wrong += !holds(i);
			if (random & 0x40) {
				rt_uint8_t *moved = a->realloc(heap, slot[i], size);
				if (moved) {
					slot[i] = moved;
					slot_size[i] = slot_size[i] < size ? slot_size[i] : size;
					wrong += !holds(i); /* as much as both sizes have */
				} else {
					++refused;
					continue;
				}
			} else {
				a->free(heap, slot[i]);
				slot[i] = RT_NULL;
				continue;
			}
		}
		if (!slot[i]) {
			++refused;
			continue;
		}
		misaligned += (rt_ubase_t)slot[i] % RT_ALIGN_SIZE != 0;
		slot_size[i] = size;
		fill(i);
	}
	for (int i = 0; i < SLOTS; ++i) {
		if (slot[i]) {
			wrong += !holds(i);
			a->free(heap, slot[i]);
		}
	}
	uassert_equal(0, wrong);
	uassert_equal(0, misaligned);
	uassert_equal(0, refused);
	uassert_null(a->alloc(heap, a->largest));
}

static void test_system(void)
{
	rt_size_t total, before, after, peak;
	rt_thread_delay(2);
	rt_memory_info(&total, &before, &peak);
	uassert_true(before < total && peak >= before);
	torture(&of_system, RT_NULL, 3000);
	rt_memory_info(&total, &after, &peak);
	uassert_equal(before, after);
}

static void test_malloc_family(void)
{
	uassert_null(rt_malloc(0));
	rt_uint8_t *block = rt_calloc(10, 30);
	uassert_not_null(block);
	int dirty = 0;
	for (int i = 0; i < 300; ++i)
		dirty += block[i] != 0;
	uassert_equal(0, dirty);
	uassert_null(rt_realloc(block, 0)); /* frees it */
	block = rt_realloc(RT_NULL, 20);
	uassert_not_null(block);
	rt_free(block);
	rt_free(RT_NULL);
	uassert_null(rt_calloc(0x10000, 0x10001)); /* the product does not fit 32 bits */
	for (rt_size_t align = 4; align <= 1024; align *= 2) {
		block = rt_malloc_align(30, align);
		uassert_not_null(block);
		uassert_true((rt_ubase_t)block % align == 0);
		memset(block, 0xff, 30);
		rt_free_align(block);
	}
}

static void test_exhaustion(void)
{
	static void *big[64];
	int count = 0;
	rt_size_t total, before, after, peak;
	rt_memory_info(&total, &before, &peak);
	while (count < 64 && (big[count] = rt_malloc(64 * 1024)) != RT_NULL)
		++count;
	uassert_true(count > 0 && count < 64);
	uassert_null(rt_thread_create("none", (void (*)(void *))rt_free, RT_NULL, 128 * 1024, 20, 10));
	while (count > 0)
		rt_free(big[--count]);
	rt_memory_info(&total, &after, &peak);
	uassert_equal(before, after);
	void *again = rt_malloc(128 * 1024); /* the pieces are joined again */
	uassert_not_null(again);
	rt_free(again);
}

static void test_double_free(void)
{
	rt_size_t total, before, after, peak;
	rt_memory_info(&total, &before, &peak);
	void *block = rt_malloc(40);
	rt_free(block);
	suite_watch_assertions();
	rt_free(block);
	uassert_true(suite_asserted_rightly("rt_free"));
	void *first = rt_malloc(40), *next = rt_malloc(40);
	uassert_true(first && next && first != next);
	rt_free(first);
	rt_free(next);
	rt_memory_info(&total, &after, &peak);
	uassert_equal(before, after);
}

rt_align(RT_ALIGN_SIZE) static rt_uint8_t area[16 * 1024];

static void test_smem(void)
{
	rt_smem_t heap = rt_smem_init("smem", area, sizeof(area));
	uassert_not_null(heap);
	const rt_size_t used = heap->used;
	torture(&of_smem, heap, 3000);
	uassert_equal(used, heap->used);
	uassert_equal(RT_EOK, rt_smem_detach(heap));
}

static void test_memheap(void)
{
	static struct rt_memheap heap;
	rt_size_t total, used, after, peak;
	uassert_equal(RT_EOK, rt_memheap_init(&heap, "memheap", area, sizeof(area)));
	rt_memheap_info(&heap, &total, &used, &peak);
	uassert_true(total <= sizeof(area) && total > sizeof(area) / 2);
	torture(&of_memheap, &heap, 3000);
	rt_memheap_info(&heap, &total, &after, &peak);
	uassert_equal(used, after);
	uassert_equal(RT_EOK, rt_memheap_detach(&heap));
}

static void test_slab(void)
{
	enum { SLAB_SIZE = 512 * 1024 }; /* its zones are large */
	void *memory = rt_malloc(SLAB_SIZE);
	uassert_not_null(memory);
	if (!memory)
		return;
	rt_slab_t heap = rt_slab_init("slab", memory, SLAB_SIZE);
	uassert_not_null(heap);
	torture(&of_slab, heap, 3000);
	void *page = rt_slab_page_alloc(heap, 2);
	uassert_not_null(page);
	uassert_true((rt_ubase_t)page % 4096 == 0);
	rt_slab_page_free(heap, page, 2);
	uassert_equal(RT_EOK, rt_slab_detach(heap));
	rt_free(memory);
}

static void free_in_isr(void *block)
{
	suite_watch_assertions();
	rt_free(block);
	uassert_true(suite_asserted_rightly("rt_free"));
	uassert_refused_null(rt_malloc, (8));
}

static void test_from_isr(void)
{
	void *block = rt_malloc(8);
	suite_in_isr(free_in_isr, block);
	rt_free(block);
}

static void testcase(void)
{
	UNIT(test_system);
	UNIT(test_malloc_family);
	UNIT(test_exhaustion);
	UNIT(test_double_free);
	UNIT(test_smem);
	UNIT(test_memheap);
	UNIT(test_slab);
	UNIT(test_from_isr);
}
SUITE("heap");
