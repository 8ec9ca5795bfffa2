// SPDX-License-Identifier: GPL-2.0-only
#include "fixture.hpp"

#include <random>

namespace {

struct Memory : Api {
    alignas(16) rt_uint8_t area[16 * 1024];
};

TEST_F(Memory, BlocksOfAPoolAreCountedAndFreedOnce) {
    rt_mempool pool;
    run([&] {
        EXPECT_EQ(rt_mp_init(&pool, "p", area + 1, 500, 20), RT_EOK); // not aligned
        EXPECT_EQ(pool.block_size, 24u);
        std::vector<void *> blocks;
        while (void *const block = rt_mp_alloc(&pool, 0)) {
            std::memset(block, 0xff, 20);
            blocks.push_back(block);
        }
        EXPECT_EQ(blocks.size(), pool.block_total_count);
        EXPECT_EQ(rt_get_errno(), -RT_ETIMEOUT);
        void *got = nullptr;
        start("waiter", priority - 1, [&] { got = rt_mp_alloc(&pool, RT_WAITING_FOREVER); });
        rt_mp_free(blocks[0]);
        EXPECT_EQ(got, blocks[0]);
        for (void *block : blocks)
            rt_mp_free(block);
        EXPECT_EQ(pool.block_free_count, pool.block_total_count);
        rt_mp_free(blocks[1]); // a second time
        rt_mp_free(static_cast<uint8_t *>(blocks[1]) + 4);
        rt_mp_free(&pool); // of no pool
        EXPECT_EQ(pool.block_free_count, pool.block_total_count);
        rt_mp_detach(&pool);
    });
}

TEST_F(Memory, TheHeapRefusesWhatCannotBe) {
    run([&] {
        EXPECT_EQ(rt_malloc(0), nullptr);
        EXPECT_EQ(rt_malloc(SIZE_MAX / 2), nullptr);
        EXPECT_EQ(rt_calloc(SIZE_MAX / 2, 3), nullptr);
        EXPECT_EQ(rt_malloc_align(10, 3), nullptr);
        rt_size_t total, used, most, after;
        rt_memory_info(&total, &used, &most);
        void *const piece = rt_malloc_align(100, 256);
        EXPECT_EQ(reinterpret_cast<uintptr_t>(piece) % 256, 0u);
        rt_free_align(piece);
        machine::interrupt([] { EXPECT_EQ(rt_malloc(8), nullptr); });
        EXPECT_EQ(rt_realloc(rt_malloc(10), 0), nullptr);
        char *const copy = rt_strdup("text");
        EXPECT_STREQ(copy, "text");
        rt_free(copy);
        rt_free(nullptr);
        rt_memory_info(nullptr, &after, nullptr);
        EXPECT_EQ(after, used);
    });
}

TEST_F(Memory, AreasGiveBackAllAndKnowTheirPieces) {
    rt_memheap heap;
    run([&] {
        EXPECT_EQ(rt_smem_init("small", area, 10), nullptr);
        const rt_smem_t small = rt_smem_init("small", area + 3, 8000);
        ASSERT_NE(small, nullptr);
        EXPECT_EQ(rt_memheap_init(&heap, "heap", area + 8192, 8000), RT_EOK);
        const rt_size_t free_before = heap.available_size, used_before = small->used;
        std::mt19937 random(5);
        std::vector<std::pair<void *, bool>> pieces;
        for (int i = 0; i < 3000; ++i) {
            if (random() % 2 && !pieces.empty()) {
                std::swap(pieces[random() % pieces.size()], pieces.back());
                auto [piece, from_small] = pieces.back();
                pieces.pop_back();
                from_small ? rt_smem_free(piece) : rt_memheap_free(piece);
            } else if (const bool from_small = random() % 2;
                       void *const piece = from_small ? rt_smem_alloc(small, random() % 300 + 1)
                                                      : rt_memheap_alloc(&heap, random() % 300 + 1)) {
                EXPECT_EQ(reinterpret_cast<uintptr_t>(piece) % RT_ALIGN_SIZE, 0u);
                pieces.emplace_back(piece, from_small);
            }
        }
        for (auto [piece, from_small] : pieces)
            from_small ? rt_smem_free(piece) : rt_memheap_free(piece);
        EXPECT_EQ(heap.available_size, free_before);
        EXPECT_EQ(small->used, used_before);
        EXPECT_EQ(rt_smem_detach(small), RT_EOK);
        EXPECT_EQ(rt_smem_alloc(small, 8), nullptr);
        EXPECT_EQ(rt_memheap_detach(&heap), RT_EOK);
    });
}

// An address that no smem or memheap gave out has no owner before it.
TEST_F(Memory, ForeignAddressesAreRefused) {
    struct rt_memheap heap {};
    run([&] {
        const rt_smem_t smem = rt_smem_init("m", area, sizeof area / 2);
        ASSERT_TRUE(smem);
        EXPECT_EQ(rt_memheap_init(&heap, "h", area + sizeof area / 2, sizeof area / 2), RT_EOK);
        alignas(16) uintptr_t words[16];
        std::fill(std::begin(words), std::end(words), uintptr_t{0x10});
        rt_smem_free(words + 8);
        rt_memheap_free(words + 8);
        void *const piece = rt_smem_alloc(smem, 40);
        EXPECT_TRUE(piece);
        rt_memheap_free(piece); // the other one's
        rt_smem_free(piece);
        rt_smem_free(piece); // a second time
        EXPECT_EQ(rt_smem_detach(smem), RT_EOK);
        EXPECT_EQ(rt_memheap_detach(&heap), RT_EOK);
    });
}

} // namespace
