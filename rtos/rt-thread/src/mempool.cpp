// SPDX-License-Identifier: BSD-3-Clause
#include "wait.hpp"

using rtos::MemoryPool;
using rtos::Status;

static void (*alloc_hook)(rt_mempool *, void *);
static void (*free_hook)(rt_mempool *, void *);

static bool usable(const rt_mp_t mp) {
    return rt::is_object(rt::object_of(mp), RT_Object_Class_MemPool);
}

static void make(rt_mempool &mp, unsigned type, const char *name, void *start, rt_size_t block,
                 rt_size_t count) {
    mp.start_address = start;
    mp.size = MemoryPool::slot_size(block) * count;
    mp.block_size = block;
    mp.block_total_count = count;
    rt::enlist(
        mp.parent, type, name,
        &rt::make_kernel_object<MemoryPool>(mp.kernel, start, size_t{block}, static_cast<uint32_t>(count)));
}

static void close(rt_object &object) {
    rt::of(reinterpret_cast<rt_mempool &>(object)).close();
}

// The pool in whose memory the block is, or null: what stands before a block is believed only by its pool.
static rt_mempool *pool_of(const void *block) {
    rt_list_t &pools = rt_object_get_information(RT_Object_Class_MemPool)->object_list;
    const rtos::IrqMask masked;
    rt_mempool *mp;
    rt_list_for_each_entry(mp, &pools, parent.list) {
        if (reinterpret_cast<uintptr_t>(block) - reinterpret_cast<uintptr_t>(mp->start_address) < mp->size)
            return mp;
    }
    return nullptr;
}

extern "C" {

rt_err_t rt_mp_init(rt_mempool *mp, const char *name, void *start, rt_size_t size, rt_size_t block_size) {
    RT_REQUIRE(mp && start && block_size != 0 && block_size <= size, -RT_EINVAL);
    const rt_size_t block = RT_ALIGN(block_size, RT_ALIGN_SIZE);
    const uintptr_t begin = reinterpret_cast<uintptr_t>(start);
    const uintptr_t aligned = RT_ALIGN(begin, alignof(void *));
    const rt_size_t count = rt::quotient(size - (aligned - begin), MemoryPool::slot_size(block));
    RT_REQUIRE(count != 0, -RT_EINVAL);
    RT_REQUIRE(!rt::is_listed(mp->parent, RT_Object_Class_MemPool), -RT_EINVAL);
    make(*mp, RT_Object_Class_MemPool | RT_Object_Class_Static, name, reinterpret_cast<void *>(aligned),
         block, count);
    return RT_EOK;
}

rt_err_t rt_mp_detach(rt_mempool *mp) {
    return rt::remove(rt::object_of(mp), RT_Object_Class_MemPool, rt::Made::statically, close, RT_THIS_CALL);
}

rt_mp_t rt_mp_create(const char *name, rt_size_t block_count, rt_size_t block_size) {
    RT_REQUIRE(block_count != 0 && block_size != 0, nullptr);
    size_t bytes;
    const rt_size_t block = RT_ALIGN(block_size, RT_ALIGN_SIZE);
    if (__builtin_mul_overflow(MemoryPool::slot_size(block), block_count, &bytes) ||
        bytes > SIZE_MAX - sizeof(rt_mempool))
        return nullptr;
    auto *const mp = static_cast<rt_mempool *>(rt_malloc(sizeof(rt_mempool) + bytes));
    if (mp)
        make(*mp, RT_Object_Class_MemPool, name, mp + 1, block, block_count);
    return mp;
}

rt_err_t rt_mp_delete(rt_mp_t mp) {
    return rt::remove(rt::object_of(mp), RT_Object_Class_MemPool, rt::Made::dynamically, close, RT_THIS_CALL);
}

void *rt_mp_alloc(rt_mp_t mp, rt_int32_t time) {
    RT_REQUIRE(mp && usable(mp), nullptr);
    void *block = rt::of(*mp).try_allocate();
    if (!block) {
        if (time == 0) {
            rt_set_errno(-RT_ETIMEOUT);
            return nullptr;
        }
        if (const rt_err_t error = rt::blocking_error()) {
            rt_set_errno(error);
            RT_REQUIRE(error == RT_EOK, nullptr);
        }
        const rtos::Time deadline = rt::deadline_of(time);
        Status result;
        do
            result = rt::of(*mp).allocate(block, deadline);
        while (result == Status::interrupted && usable(mp));
        if (result != Status::ok) {
            rt_set_errno(rt::error_of(result));
            return nullptr;
        }
    }
    if (alloc_hook)
        alloc_hook(mp, block);
    return block;
}

void rt_mp_free(void *block) {
    if (!block)
        return;
    rt_mempool *const mp = pool_of(block);
    RT_REQUIRE(mp, );
    if (free_hook)
        free_hook(mp, block);
    const Status freed = rt::of(*mp).free(block);
    RT_REQUIRE(freed == Status::ok, );
}

void rt_mp_alloc_sethook(void (*hook)(rt_mempool *mp, void *block)) {
    alloc_hook = hook;
}
void rt_mp_free_sethook(void (*hook)(rt_mempool *mp, void *block)) {
    free_hook = hook;
}
}
