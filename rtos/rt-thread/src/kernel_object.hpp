// SPDX-License-Identifier: BSD-3-Clause
// The kernel's object in one of RT-Thread's.
#pragma once

#include <new>
#include <rtthread.h>

#include <rtos/event.hpp>
#include <rtos/mailbox.hpp>
#include <rtos/memory_pool.hpp>
#include <rtos/message_queue.hpp>
#include <rtos/mutex.hpp>
#include <rtos/semaphore.hpp>
#include <rtos/thread.hpp>

namespace rt {

template <class Kernel, size_t words> Kernel &kernel_object(rt_uint64_t (&storage)[words]) {
    static_assert(sizeof(Kernel) <= sizeof(storage) && alignof(Kernel) <= alignof(rt_uint64_t));
    return *std::launder(reinterpret_cast<Kernel *>(storage));
}

template <class Kernel, size_t words, class... Arguments>
Kernel &make_kernel_object(rt_uint64_t (&storage)[words], Arguments... arguments) {
    static_assert(sizeof(Kernel) <= sizeof(storage) && alignof(Kernel) <= alignof(rt_uint64_t));
    return *new (storage) Kernel(arguments...);
}

inline rtos::Semaphore &of(rt_semaphore &s) {
    return kernel_object<rtos::Semaphore>(s.kernel);
}
inline rtos::Mutex &of(rt_mutex &m) {
    return kernel_object<rtos::Mutex>(m.kernel);
}
inline rtos::Event &of(rt_event &e) {
    return kernel_object<rtos::Event>(e.kernel);
}
inline rtos::Mailbox &of(rt_mailbox &m) {
    return kernel_object<rtos::Mailbox>(m.kernel);
}
inline rtos::MessageQueue &of(rt_messagequeue &q) {
    return kernel_object<rtos::MessageQueue>(q.kernel);
}
inline rtos::MemoryPool &of(rt_mempool &p) {
    return kernel_object<rtos::MemoryPool>(p.kernel);
}
inline rtos::Thread &of(rt_thread &t) {
    return *static_cast<rtos::Thread *>(t.thread);
}

// How many pieces of a size fit. Once in a pool's life, so by the library's 64-bit division, which the kernel
// needs anyway, and not by a second one.
inline rt_size_t quotient(rt_size_t size, rt_size_t piece) {
    uint64_t wide = size;
    asm("" : "+r"(wide)); // not known to be narrow
    return static_cast<rt_size_t>(wide / piece);
}

inline rtos::WaitOrder order_of(rt_uint8_t flag) {
    return flag == RT_IPC_FLAG_FIFO ? rtos::WaitOrder::fifo : rtos::WaitOrder::priority;
}

} // namespace rt
