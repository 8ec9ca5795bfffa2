// SPDX-License-Identifier: BSD-3-Clause
// Threads: creation, join, detach.
#include <new>
#include <string.h>
#include <unistd.h>

#include <rtos/heap.hpp>

#include "attributes.hpp"
#include "signal.hpp"
#include "status.hpp"
#include "stdio_lock.hpp"
#include "thread_table.hpp"
#include "tls.hpp"

namespace rtos::posix {

constinit int64_t ended_run_ticks;

// A thread that pthread_create made: the kernel's object and POSIX's in one piece of memory.
struct CreatedThread {
    CreatedThread(unsigned priority) : kernel("pthread", priority, begin, this), control(kernel) {}

    static void begin(void *created) {
        ThreadControl &c = static_cast<CreatedThread *>(created)->control;
        set_mask(c, c.blocked); // signals that chose it before it could be told
        exit_thread(c, c.start(c.argument));
    }

    Thread kernel;
    ThreadControl control;
};

static CreatedThread &created(ThreadControl &c) {
    return *static_cast<CreatedThread *>(c.thread->entry_argument());
}

// Thread context; the kernel has reaped it, and nobody will join it.
static void release(ThreadControl &c) {
    if (c.handle)
        leave_table(c);
    drop_signals(c);
    CreatedThread &t = created(c);
    t.~CreatedThread();
    (void)system_heap().free(&t);
}

// Of a thread that has ended, once. IRQs masked.
static void count_run_time(ThreadControl &c) {
    if (!c.counted)
        ended_run_ticks += c.thread->run_time().ticks;
    c.counted = true;
}

// Thread::set_end_hook: also of a thread that a fault ended.
static void has_ended(Thread &t) {
    ThreadControl &c = *static_cast<ThreadControl *>(t.posix);
    reclaim(c.reent);
    bool last;
    {
        const IrqLock lock;
        c.entry.delist();
        c.exiting = true;
        count_run_time(c);
        c.reaped = true;
        last = c.detached;
    }
    if (last)
        release(c);
}

void apply_policy(ThreadControl &c, int policy) {
    c.policy = static_cast<uint8_t>(policy);
    c.thread->set_slice(policy == SCHED_FIFO ? Duration{0} : round_robin_slice);
}

} // namespace rtos::posix

using namespace rtos;
using namespace rtos::posix;

extern "C" {

int pthread_create(pthread_t *handle, const pthread_attr_t *given, void *(*start)(void *), void *argument) {
    const pthread_attr_t &attr = given ? *given : default_attributes;
    if (!valid_attributes(attr))
        return EINVAL;
    // Null: a thread of the kernel's own, which need not become one of POSIX for this.
    const auto *const creator = static_cast<const ThreadControl *>(Thread::current().posix);
    int policy = attr.schedpolicy;
    unsigned priority = to_kernel(attr.schedparam.sched_priority);
    if (attr.inheritsched == PTHREAD_INHERIT_SCHED) {
        policy = creator ? creator->policy : SCHED_FIFO;
        priority = Thread::current().base_priority();
    }
    const size_t tls_at = (sizeof(CreatedThread) + tls_alignment - 1) / tls_alignment * tls_alignment;
    void *const memory = system_heap().allocate_aligned(tls_alignment, tls_at + tls_size());
    if (!memory)
        return EAGAIN;
    CreatedThread *const t = new (memory) CreatedThread(priority);
    ThreadControl &c = t->control;
    c.thread_pointer = make_tls(static_cast<char *>(memory) + tls_at);
    c.start = start;
    c.argument = argument;
    c.detached = attr.detachstate == PTHREAD_CREATE_DETACHED;
    c.blocked = creator ? creator->blocked : 0;
    t->kernel.posix = &c;
    t->kernel.c_library = &c.reent;
    t->kernel.set_end_hook(has_ended);
    apply_policy(c, policy);
    // The stack last: it would have to be given back.
    if (!enter_table(c) || (attr.stackaddr ? t->kernel.use_stack(attr.stackaddr, attr.stacksize)
                                           : t->kernel.give_stack(attr.stacksize)) != Status::ok) {
        release(c);
        return EAGAIN;
    }
    c.entry.enlist();
    const pthread_t result = c.handle;
    if (handle)
        *handle = result; // before it runs: it may read it
    if (t->kernel.start() != Status::ok) {
        release(c);
        return EAGAIN;
    }
    return 0;
}

int pthread_join(pthread_t handle, void **result) {
    CancellationPoint point;
    ThreadControl *c;
    {
        const IrqLock lock;
        c = find(handle);
        if (!c)
            return ESRCH;
        if (c == &point.control())
            return EDEADLK;
        if (c->detached || c->joining)
            return EINVAL;
        c->joining = true;
    }
    // A cancelled join leaves the thread joinable.
    pthread_cleanup_push([](void *joined) { static_cast<ThreadControl *>(joined)->joining = false; }, c);
    while (point.run([c] { return c->thread->join(); }) == Status::interrupted) {
    }
    pthread_cleanup_pop(0);
    point.leave();
    if (result)
        *result = c->result;
    {
        const IrqLock lock;
        count_run_time(*c);
        leave_table(*c);
    }
    {
        // The system thread may be at work on what is left of it, and will release it then.
        const IrqLock lock;
        c->detached = true;
        if (!c->reaped)
            return 0;
    }
    release(*c);
    return 0;
}

int pthread_detach(pthread_t handle) {
    ThreadControl *c;
    {
        const IrqLock lock;
        c = find(handle);
        if (!c)
            return ESRCH;
        if (c->detached || c->joining)
            return EINVAL;
        c->detached = true;
        if (!c->reaped)
            return 0;
    }
    release(*c);
    return 0;
}

pthread_t pthread_self() {
    return self().handle;
}

int pthread_equal(pthread_t a, pthread_t b) {
    return a == b;
}

int pthread_getname_np(pthread_t handle, char *name, size_t size) {
    const IrqLock lock;
    ThreadControl *const c = find(handle);
    if (!c)
        return ESRCH;
    if (strlen(c->entry.name()) >= size)
        return ERANGE;
    strcpy(name, c->entry.name());
    return 0;
}

int pthread_setname_np(pthread_t handle, const char *name) {
    if (strlen(name) >= Object::name_size)
        return ERANGE;
    const IrqLock lock;
    ThreadControl *const c = find(handle);
    if (!c)
        return ESRCH;
    c->entry.rename(name);
    c->thread->rename(name);
    return 0;
}

int pthread_setconcurrency(int level) {
    return level < 0 ? EINVAL : 0;
}

int pthread_getconcurrency() {
    return 0;
}

int pthread_atfork(void (*)(), void (*)(), void (*)()) {
    return 0; // there is no fork to run them
}

} // extern "C"
