// SPDX-License-Identifier: BSD-3-Clause
// Memory that an application manages: smem, memheap and slab are names of RT-Thread for one allocator here,
// the kernel's. A piece of smem or memheap is freed without naming its heap, so a word before it does.
#include "object.hpp"

#include "kernel_object.hpp"

#include <rtos/heap.hpp>

using rtos::Heap;
using rtos::Status;

namespace {

// An rt_memory's place at the begin of its memory.
struct Area {
    rt_memory parent;
    Heap heap;
};

void update(rt_memory &m, const Heap &heap) {
    const Heap::Statistics s = heap.statistics();
    m.used = s.used;
    m.max = s.maximum;
}

struct Owner {
    void *owner;
};
constexpr size_t prefix = Heap::alignment;
static_assert(sizeof(Owner) <= prefix);

Owner &owner_of(void *piece) {
    return *reinterpret_cast<Owner *>(static_cast<uint8_t *>(piece) - prefix);
}
void *raw(void *piece) {
    return static_cast<uint8_t *>(piece) - prefix;
}
void *owned(void *raw_piece, void *owner) {
    if (!raw_piece)
        return nullptr;
    auto *const piece = static_cast<uint8_t *>(raw_piece) + prefix;
    owner_of(piece).owner = owner;
    return piece;
}

void *allocate(Heap &heap, rt_size_t size, void *owner) {
    return size == 0 || size > SIZE_MAX - prefix ? nullptr : owned(heap.allocate(size + prefix), owner);
}
void *reallocate(Heap &heap, void *piece, rt_size_t size, void *owner) {
    if (!piece)
        return allocate(heap, size, owner);
    if (size == 0) {
        (void)heap.free(raw(piece));
        return nullptr;
    }
    return size > SIZE_MAX - prefix ? nullptr : owned(heap.reallocate(raw(piece), size + prefix), owner);
}

Area *make_area(const char *name, const char *algorithm, void *begin, rt_size_t size) {
    const uintptr_t start = reinterpret_cast<uintptr_t>(begin);
    const uintptr_t aligned =
        RT_ALIGN(start, alignof(Area) > Heap::alignment ? alignof(Area) : Heap::alignment);
    if (!begin || size < aligned - start + sizeof(Area))
        return nullptr;
    auto *const area = new (reinterpret_cast<void *>(aligned)) Area{{}, Heap(algorithm)};
    const rt_size_t left = size - (aligned - start) - sizeof(Area);
    if (area->heap.add(area + 1, left) != Status::ok)
        return nullptr;
    rt_memory &m = area->parent;
    m.algorithm = algorithm;
    m.address = reinterpret_cast<rt_ubase_t>(area + 1);
    m.total = area->heap.statistics().total;
    update(m, area->heap);
    rt::enlist(m.parent, RT_Object_Class_Memory | RT_Object_Class_Static, name, &area->heap);
    return area;
}

Area *area_of(rt_mem_t m) {
    return rt::is_object(&m->parent, RT_Object_Class_Memory) ? rt_list_entry(m, Area, parent) : nullptr;
}

Heap &heap_of(rt_memheap &h) {
    return rt::kernel_object<Heap>(h.kernel);
}
void update(rt_memheap &h) {
    const Heap::Statistics s = heap_of(h).statistics();
    h.available_size = s.total - s.used;
    h.max_used_size = s.maximum;
}
bool usable(const struct rt_memheap *h) {
    return h && rt::is_object(&h->parent, RT_Object_Class_MemHeap);
}

} // namespace

extern "C" {

rt_smem_t rt_smem_init(const char *name, void *begin_addr, rt_size_t size) {
    Area *const area = make_area(name, "small", begin_addr, size);
    RT_REQUIRE(area, nullptr);
    return &area->parent;
}

rt_err_t rt_smem_detach(rt_smem_t m) {
    RT_REQUIRE(m && area_of(m), -RT_EINVAL);
    rt::delist(m->parent);
    return RT_EOK;
}

void *rt_smem_alloc(rt_smem_t m, rt_size_t size) {
    Area *const area = m ? area_of(m) : nullptr;
    RT_REQUIRE(area, nullptr);
    void *const piece = allocate(area->heap, size, area);
    update(*m, area->heap);
    return piece;
}

void *rt_smem_realloc(rt_smem_t m, void *rmem, rt_size_t newsize) {
    Area *const area = m ? area_of(m) : nullptr;
    RT_REQUIRE(area, nullptr);
    void *const piece = reallocate(area->heap, rmem, newsize, area);
    update(*m, area->heap);
    return piece;
}

void rt_smem_free(void *rmem) {
    if (!rmem)
        return;
    auto *const area = static_cast<Area *>(owner_of(rmem).owner);
    // Of a foreign address that is anything: only a heap that is listed is looked at.
    RT_REQUIRE(area && rt::is_listed(area->parent.parent, RT_Object_Class_Memory), );
    const Status freed = area->heap.free(raw(rmem));
    RT_REQUIRE(freed == Status::ok, );
    update(area->parent, area->heap);
}

rt_err_t rt_memheap_init(struct rt_memheap *memheap, const char *name, void *start_addr, rt_size_t size) {
    RT_REQUIRE(memheap && start_addr, -RT_EINVAL);
    RT_REQUIRE(!rt::is_listed(memheap->parent, RT_Object_Class_MemHeap), -RT_EINVAL);
    Heap &heap = rt::make_kernel_object<Heap>(memheap->kernel, "memheap");
    if (heap.add(start_addr, size) != Status::ok)
        return -RT_EINVAL;
    memheap->start_addr = start_addr;
    memheap->pool_size = heap.statistics().total;
    update(*memheap);
    rt::enlist(memheap->parent, RT_Object_Class_MemHeap | RT_Object_Class_Static, name, &heap);
    return RT_EOK;
}

rt_err_t rt_memheap_detach(struct rt_memheap *heap) {
    RT_REQUIRE(usable(heap), -RT_EINVAL);
    rt::delist(heap->parent);
    return RT_EOK;
}

void *rt_memheap_alloc(struct rt_memheap *heap, rt_size_t size) {
    RT_REQUIRE(usable(heap), nullptr);
    void *const piece = allocate(heap_of(*heap), size, heap);
    update(*heap);
    return piece;
}

void *rt_memheap_realloc(struct rt_memheap *heap, void *ptr, rt_size_t newsize) {
    RT_REQUIRE(usable(heap), nullptr);
    void *const piece = reallocate(heap_of(*heap), ptr, newsize, heap);
    update(*heap);
    return piece;
}

void rt_memheap_free(void *ptr) {
    if (!ptr)
        return;
    auto *const heap = static_cast<rt_memheap *>(owner_of(ptr).owner);
    RT_REQUIRE(heap && rt::is_listed(heap->parent, RT_Object_Class_MemHeap), );
    const Status freed = heap_of(*heap).free(raw(ptr));
    RT_REQUIRE(freed == Status::ok, );
    update(*heap);
}

void rt_memheap_info(struct rt_memheap *heap, rt_size_t *total, rt_size_t *used, rt_size_t *max_used) {
    RT_REQUIRE(usable(heap), );
    const Heap::Statistics s = heap_of(*heap).statistics();
    if (total)
        *total = s.total;
    if (used)
        *used = s.used;
    if (max_used)
        *max_used = s.maximum;
}

rt_slab_t rt_slab_init(const char *name, void *begin_addr, rt_size_t size) {
    Area *const area = make_area(name, "slab", begin_addr, size);
    RT_REQUIRE(area, nullptr);
    return &area->parent;
}

rt_err_t rt_slab_detach(rt_slab_t m) {
    return rt_smem_detach(m);
}

void *rt_slab_page_alloc(rt_slab_t m, rt_size_t npages) {
    Area *const area = m ? area_of(m) : nullptr;
    RT_REQUIRE(area && npages != 0 && npages <= SIZE_MAX / RT_MM_PAGE_SIZE, nullptr);
    void *const pages = area->heap.allocate_aligned(RT_MM_PAGE_SIZE, npages * RT_MM_PAGE_SIZE);
    update(*m, area->heap);
    return pages;
}

void rt_slab_page_free(rt_slab_t m, void *addr, rt_size_t) {
    rt_slab_free(m, addr);
}

void *rt_slab_alloc(rt_slab_t m, rt_size_t size) {
    Area *const area = m ? area_of(m) : nullptr;
    RT_REQUIRE(area, nullptr);
    void *const piece = size == 0 ? nullptr : area->heap.allocate(size);
    update(*m, area->heap);
    return piece;
}

void *rt_slab_realloc(rt_slab_t m, void *ptr, rt_size_t size) {
    Area *const area = m ? area_of(m) : nullptr;
    RT_REQUIRE(area, nullptr);
    void *piece = nullptr;
    if (size != 0)
        piece = area->heap.reallocate(ptr, size);
    else
        (void)area->heap.free(ptr);
    update(*m, area->heap);
    return piece;
}

void rt_slab_free(rt_slab_t m, void *ptr) {
    Area *const area = m ? area_of(m) : nullptr;
    RT_REQUIRE(area, );
    const Status freed = area->heap.free(ptr);
    RT_REQUIRE(freed == Status::ok, );
    update(*m, area->heap);
}
}
