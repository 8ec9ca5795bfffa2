// SPDX-License-Identifier: BSD-3-Clause
// The system's heap by RT-Thread's names.
#include "check.hpp"

#include <rtos/heap.hpp>
#include <rtos/interrupt.hpp>

static void (*malloc_hook)(void **, rt_size_t);
static void (*realloc_entry_hook)(void **, rt_size_t);
static void (*realloc_exit_hook)(void **, rt_size_t);
static void (*free_hook)(void **);

static void *allocated(void *piece, rt_size_t size) {
    if (malloc_hook)
        malloc_hook(&piece, size);
    return piece;
}

extern "C" {

void *rt_malloc(rt_size_t size) {
    RT_REQUIRE(!rtos::in_interrupt(), nullptr);
    return size == 0 ? nullptr : allocated(rtos::system_heap().allocate(size), size);
}

void *rt_calloc(rt_size_t count, rt_size_t size) {
    RT_REQUIRE(!rtos::in_interrupt(), nullptr);
    size_t bytes;
    if (__builtin_mul_overflow(count, size, &bytes))
        return nullptr;
    void *const piece = rt_malloc(bytes);
    if (piece)
        rt_memset(piece, 0, bytes);
    return piece;
}

void *rt_malloc_align(rt_size_t size, rt_size_t align) {
    RT_REQUIRE(!rtos::in_interrupt(), nullptr);
    RT_REQUIRE(align != 0 && (align & (align - 1)) == 0, nullptr);
    return allocated(rtos::system_heap().allocate_aligned(align, size), size);
}

void *rt_realloc(void *ptr, rt_size_t newsize) {
    RT_REQUIRE(!rtos::in_interrupt(), nullptr);
    if (realloc_entry_hook)
        realloc_entry_hook(&ptr, newsize);
    void *piece = nullptr;
    if (newsize == 0)
        rt_free(ptr);
    else
        piece = rtos::system_heap().reallocate(ptr, newsize);
    if (realloc_exit_hook)
        realloc_exit_hook(&piece, newsize);
    return piece;
}

void rt_free(void *ptr) {
    RT_REQUIRE(!rtos::in_interrupt(), );
    if (free_hook)
        free_hook(&ptr);
    const rtos::Status freed = rtos::system_heap().free(ptr);
    RT_REQUIRE(freed == rtos::Status::ok, );
}

void rt_free_align(void *ptr) {
    rt_free(ptr);
}

void rt_memory_info(rt_size_t *total, rt_size_t *used, rt_size_t *max_used) {
    const rtos::Heap::Statistics s = rtos::system_heap().statistics();
    if (total)
        *total = s.total;
    if (used)
        *used = s.used;
    if (max_used)
        *max_used = s.maximum;
}

void rt_malloc_sethook(void (*hook)(void **ptr, rt_size_t size)) {
    malloc_hook = hook;
}
void rt_realloc_set_entry_hook(void (*hook)(void **ptr, rt_size_t size)) {
    realloc_entry_hook = hook;
}
void rt_realloc_set_exit_hook(void (*hook)(void **ptr, rt_size_t size)) {
    realloc_exit_hook = hook;
}
void rt_free_sethook(void (*hook)(void **ptr)) {
    free_hook = hook;
}
}
