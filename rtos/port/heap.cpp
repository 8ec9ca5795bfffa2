// SPDX-License-Identifier: BSD-3-Clause
// The system heap: over the memory behind the image.
#include "executive.hpp"

#include <rtos/heap.hpp>

namespace rtos {

static bool grow(Heap &heap, size_t bytes) {
    static constexpr uint32_t usual = 4; // pages at a time
    if (port::in_isr() || bytes > port::exec->heap_size)
        return false;
    const uint32_t needed = static_cast<uint32_t>((bytes + port::page_size - 1) / port::page_size);
    uint32_t count = needed > usual ? needed : usual;
    uint8_t *memory = port::allocate_pages(count);
    if (!memory && count > needed)
        memory = port::allocate_pages(count = needed);
    if (!memory)
        return false;
    if (heap.add(memory, count * port::page_size, port::exec->heap_size) == Status::ok)
        return true;
    port::free_pages(memory, count);
    return false;
}

Heap &system_heap() {
    static constinit Heap heap{"system", grow};
    return heap;
}

} // namespace rtos
