// SPDX-License-Identifier: BSD-3-Clause
// The RTOS's memory behind its image, page by page: stacks from its end, the heap from its start.
#include "executive.hpp"

#include <rtmux/layout.h>
#include <rtos/heap.hpp>
#include <rtos/scheduler.hpp>
#include <rtos/scheduler_lock.hpp>

namespace rtos::port {

static constexpr uint32_t isr_stack_size = page_size;

static constinit uint8_t *memory; // its first whole page
static constinit uint32_t pages;  // how many there are
static constinit bool taken[RTMUX_RTOS_SIZE / page_size];
static constinit bool lent[RTMUX_RTOS_SIZE / page_size]; // a stack begins here that is a piece of the heap

void begin_memory() {
    const uint32_t start = reinterpret_cast<uintptr_t>(exec->heap);
    const uint32_t skip = (page_size - start % page_size) % page_size;
    memory = exec->heap + skip;
    pages = exec->heap_size > skip ? (exec->heap_size - skip) / page_size : 0;
}

// The first of count free pages in a row, or pages. No thread takes any meanwhile, so IRQs stay open.
static uint32_t find_low(uint32_t count) {
    uint32_t run = 0;
    for (uint32_t i = 0; i < pages; ++i) {
        run = taken[i] ? 0 : run + 1;
        if (run == count)
            return i + 1 - count;
    }
    return pages;
}
static uint32_t find_high(uint32_t count) {
    uint32_t run = 0;
    for (uint32_t i = pages; i-- > 0;) {
        run = taken[i] ? 0 : run + 1;
        if (run == count)
            return i;
    }
    return pages;
}

static uint8_t *take(uint32_t first, uint32_t count) {
    if (first == pages)
        return nullptr;
    for (uint32_t i = first; i < first + count; ++i)
        taken[i] = true;
    return memory + first * page_size;
}

uint8_t *allocate_pages(uint32_t count) {
    const SchedulerLock lock;
    return count == 0 ? nullptr : take(find_low(count), count);
}

static uint32_t page_index(const uint8_t *page) {
    return static_cast<uint32_t>(page - memory) / page_size;
}

void free_pages(uint8_t *first, uint32_t count) {
    const SchedulerLock lock;
    const uint32_t index = page_index(first);
    for (uint32_t i = index; i < index + count; ++i)
        taken[i] = false;
}

static void give_back(uint8_t *guard, uint32_t count) {
    bool &from_heap = lent[page_index(guard)];
    if (!from_heap)
        return free_pages(guard, count);
    from_heap = false;
    (void)system_heap().free(guard);
}

Stack allocate_stack(size_t bytes) {
    if (bytes > pages * page_size)
        return {};
    const uint32_t count = (bytes + page_size - 1) / page_size;
    const SchedulerLock lock;
    uint8_t *guard = take(find_high(1 + count), 1 + count);
    if (!guard) { // the heap may have what it does not use now, and never gives pages back
        guard = static_cast<uint8_t *>(system_heap().allocate_aligned(page_size, (1 + count) * page_size));
        if (!guard)
            return {};
        lent[page_index(guard)] = true;
    }
    if (exec->unmap_page(guard) != 0) {
        give_back(guard, 1 + count);
        return {};
    }
    return {guard + page_size, count * page_size};
}

void free_stack(Stack stack) {
    uint8_t *const guard = stack.base - page_size;
    if (exec->map_page(guard) == 0)
        give_back(guard, 1 + stack.size / page_size);
}

bool begin_isr_stack() {
    const Stack stack = allocate_stack(isr_stack_size);
    scheduler.isr_stack() = stack.base + stack.size;
    return stack.base != nullptr;
}

bool in_isr_stack(uint32_t address) {
    // The guard page below counts as well: that is how the interrupt stack overflows.
    const uint32_t top = reinterpret_cast<uint32_t>(scheduler.isr_stack());
    return address <= top && address > top - isr_stack_size - page_size;
}

bool in_isr() {
    return in_isr_stack(reinterpret_cast<uintptr_t>(__builtin_frame_address(0)));
}

extern "C" void rtos_thread_begin();

void make_context(Context &c, uint8_t *stack, size_t size, void (*entry)(void *), void *argument) {
    // What rtos_switch and rtos_load pop: r4-r11 and pc.
    uint32_t *const top = reinterpret_cast<uint32_t *>(stack + size);
    uint32_t *const frame = top - 9;
    for (unsigned i = 0; i < 9; ++i)
        frame[i] = 0;
    frame[0] = reinterpret_cast<uint32_t>(entry);
    frame[1] = reinterpret_cast<uint32_t>(argument);
    frame[8] = reinterpret_cast<uint32_t>(rtos_thread_begin);
    c.sp = frame;
}

} // namespace rtos::port
