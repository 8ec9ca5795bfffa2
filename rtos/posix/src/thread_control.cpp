// SPDX-License-Identifier: BSD-3-Clause
#include "thread_control.hpp"

#include <new>
#include <string.h>

#include <rtos/heap.hpp>
#include <rtos/log.hpp>

#include "cancel.hpp"
#include "signal.hpp"
#include "stdio_lock.hpp"
#include "thread_table.hpp"
#include "tls.hpp"

namespace rtos::posix {

constinit ThreadSlot thread_slots[PTHREAD_THREADS_MAX];
constinit unsigned thread_slots_used;

static_assert(PTHREAD_THREADS_MAX <= 255);

ThreadControl::ThreadControl(Thread &t)
    : CLibrary{}, thread(&t), cancel_call(cancel_in_thread, this), cancel_timer(cancel_wait, this),
      signal_call(deliver_signals, this), entry(Object::Kind::thread, t.name(), &t, Object::Layer::posix) {
    _REENT_INIT_PTR(&reent);
}

bool enter_table(ThreadControl &c) {
    const SchedulerLock lock;
    for (unsigned i = 0; i < PTHREAD_THREADS_MAX; ++i) {
        ThreadSlot &slot = thread_slots[i];
        if (slot.control)
            continue;
        c.handle = slot.generation << 8 | (i + 1);
        slot.control = &c; // a signal's interrupt sees it from here on
        if (i >= thread_slots_used)
            thread_slots_used = i + 1;
        return true;
    }
    return false;
}

void leave_table(ThreadControl &c) {
    const IrqLock lock;
    ThreadSlot &slot = thread_slots[(c.handle & 0xff) - 1];
    slot.control = nullptr;
    ++slot.generation;
    c.handle = 0;
}

ThreadControl *find(pthread_t handle) {
    const unsigned i = (handle & 0xff) - 1;
    if (i >= thread_slots_used)
        return nullptr;
    ThreadControl *const c = thread_slots[i].control;
    return c && c->handle == handle ? c : nullptr;
}

ThreadControl *self_or_null() {
    Thread &t = Thread::current();
    if (t.posix) [[likely]]
        return static_cast<ThreadControl *>(t.posix);
    return adopt(t);
}

ThreadControl &self() {
    ThreadControl *const c = self_or_null();
    if (!c) {
        log("a thread ends: no memory for what POSIX keeps of it");
        Thread::exit();
    }
    return *c;
}

// A thread of the kernel's or RT-Thread's own calls POSIX: it is one from now on, detached, with the
// process's signals blocked, for it did not ask for them.
static void adopted_has_ended(Thread &t) {
    ThreadControl *const c = static_cast<ThreadControl *>(t.posix);
    const Thread::Hook owner = c->owner_hook;
    t.posix = nullptr;
    t.c_library = &rtos_c_library;
    t.set_end_hook(owner);
    leave_table(*c);
    drop_signals(*c);
    reclaim(c->reent);
    c->~ThreadControl();
    (void)system_heap().free(c);
    if (owner)
        owner(t);
}

ThreadControl *adopt(Thread &t) {
    if (!Thread::may_block())
        return nullptr;
    const size_t tls_at = (sizeof(ThreadControl) + tls_alignment - 1) / tls_alignment * tls_alignment;
    void *const memory = system_heap().allocate_aligned(tls_alignment, tls_at + tls_size());
    if (!memory)
        return nullptr;
    ThreadControl *const c = new (memory) ThreadControl(t);
    c->thread_pointer = make_tls(static_cast<char *>(memory) + tls_at);
    c->adopted = true;
    c->detached = true;
    c->blocked = ~uint64_t{0};
    c->policy = t.slice().ticks ? SCHED_RR : SCHED_FIFO;
    if (!enter_table(*c)) {
        c->~ThreadControl();
        (void)system_heap().free(memory);
        return nullptr;
    }
    c->owner_hook = t.end_hook();
    t.set_end_hook(adopted_has_ended);
    t.c_library = &c->reent;
    t.posix = c;
    use_c_library(t);
    return c;
}

} // namespace rtos::posix
