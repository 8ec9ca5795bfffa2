// SPDX-License-Identifier: BSD-3-Clause
// The RTOS's memory behind its image: taken page by page from its start, never given back.
#include "executive.hpp"
#include "kernel/scheduler.hpp"

namespace rtos::port {

static constexpr uint32_t page = 4096;
static constexpr uint32_t isr_stack_size = page;
static uint32_t heap_used;

extern "C" {
uint8_t *rtos_isr_stack_top;
}

static uint8_t *take_pages(uint32_t count) {
    const IrqLock lock;
    const uint32_t misaligned = reinterpret_cast<uintptr_t>(exec->heap) % page;
    if (heap_used == 0 && misaligned)
        heap_used = page - misaligned;
    if (heap_used > exec->heap_size || count > (exec->heap_size - heap_used) / page)
        return nullptr;
    uint8_t *const taken = exec->heap + heap_used;
    heap_used += count * page;
    return taken;
}

Stack allocate_stack(size_t bytes) {
    if (bytes > exec->heap_size)
        return {};
    const uint32_t pages = (bytes + page - 1) / page;
    uint8_t *const guard = take_pages(1 + pages);
    if (!guard || exec->unmap_page(guard) != 0)
        return {};
    return {guard + page, pages * page};
}

bool begin_isr_stack() {
    const Stack stack = allocate_stack(isr_stack_size);
    rtos_isr_stack_top = stack.base + stack.size;
    return stack.base != nullptr;
}

bool in_isr_stack(uint32_t address) {
    // The guard page below counts as well: that is how the interrupt stack overflows.
    const uint32_t top = reinterpret_cast<uint32_t>(rtos_isr_stack_top);
    return address <= top && address > top - isr_stack_size - page;
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

extern "C" [[noreturn]] void rtos_thread_end() {
    Thread::exit();
}

} // namespace rtos::port
