// SPDX-License-Identifier: BSD-3-Clause
#include <rtos/heap.hpp>
#include <rtos/thread.hpp>

#include <new>

namespace rtos {

Thread *Thread::create(const char *name, unsigned priority, Entry entry, void *argument, size_t stack_bytes) {
    void *const memory = system_heap().allocate(sizeof(Thread));
    if (!memory)
        return nullptr;
    Thread *const t = new (memory) Thread(name, priority, entry, argument);
    if (!t->startable() || t->give_stack(stack_bytes) != Status::ok) {
        (void)system_heap().free(memory);
        return nullptr;
    }
    t->set_end_hook([](Thread &ended) { (void)system_heap().free(&ended); });
    return t;
}

} // namespace rtos
