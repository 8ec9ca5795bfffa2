// SPDX-License-Identifier: BSD-3-Clause
// RT-Thread's public fields that are the kernel's own: each stands where the kernel's does.
#include "kernel_object.hpp"

#pragma GCC diagnostic ignored "-Winvalid-offsetof" // Thread and Mutex have a base

namespace rtos {

#define SAME_PLACE(rt_struct, rt_field, Kernel, field)                                                       \
    static_assert(offsetof(rt_struct, rt_field) - offsetof(rt_struct, kernel) == offsetof(Kernel, field) &&  \
                  sizeof(rt_struct::rt_field) <= sizeof(Kernel::field))

// The kernel's friend: it sees the private fields. Little-endian, so a shorter field is the low part.
struct RtThreadView {
    SAME_PLACE(rt_semaphore, value, Semaphore, count_);
    SAME_PLACE(rt_mutex, hold, Mutex, holds_);
    SAME_PLACE(rt_event, set, Event, flags_);
    SAME_PLACE(rt_mailbox, entry, Mailbox, count_);
    SAME_PLACE(rt_messagequeue, entry, MessageQueue, count_);
    SAME_PLACE(rt_mempool, block_free_count, MemoryPool, available_);
    SAME_PLACE(rt_thread, current_priority, Thread, priority_);
    SAME_PLACE(rt_thread, init_priority, Thread, base_priority_);
    SAME_PLACE(rt_thread, stat, Thread, state_);
};

using State = ThreadState;
constexpr unsigned stat(State s) {
    return static_cast<unsigned>(s) & RT_THREAD_STAT_MASK;
}
static_assert(stat(State::created) == RT_THREAD_INIT && stat(State::ready) == RT_THREAD_READY &&
              stat(State::waiting) == RT_THREAD_SUSPEND && stat(State::suspended) == RT_THREAD_SUSPEND &&
              stat(State::ended) == RT_THREAD_CLOSE && stat(State::faulted) == RT_THREAD_CLOSE);

} // namespace rtos
