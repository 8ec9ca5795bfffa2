// SPDX-License-Identifier: BSD-3-Clause
// What the C++ run-time library asks of threads. Debian's is built for a single one, so these take the place
// of its own: exceptions in flight, static variables in functions, thread_local.
#include "cxx.hpp"

#include <stdlib.h>

#include <rtos/heap.hpp>
#include <rtos/log.hpp>

#include "thread_control.hpp"

namespace rtos::posix {

static constinit WaitQueue guard_waiters;

// A guard variable (Itanium C++ ABI 3.3.2, for Arm 32 bits of which the lowest says "done").
enum Guard : int { guard_done = 1, guard_running = 0x100 };

static void end_guard(int *guard, int value) {
    const IrqLock lock;
    *guard = value;
    guard_waiters.wake_all(lock, Status::ok);
}

// Emulated TLS (gcc/emutls.c): the compiler's description of a variable.
struct EmulatedVariable {
    size_t size;
    size_t align;
    size_t index; // 0: not used yet
    const void *initial;
};

// A thread's copies of them, and its destructors in the order to call.
struct ThreadLocals {
    struct Destructor {
        void (*function)(void *);
        void *object;
        Destructor *next;
    };
    Destructor *destructors = nullptr;
    size_t count = 0;
    void **copies = nullptr;
};

static constinit size_t variables = 0;

static ThreadLocals &locals(ThreadControl &c) {
    if (!c.thread_locals) {
        c.thread_locals = calloc(1, sizeof(ThreadLocals));
        if (!c.thread_locals)
            abort();
    }
    return *static_cast<ThreadLocals *>(c.thread_locals);
}

static void *copy_of(const EmulatedVariable &v) {
    void *const copy = system_heap().allocate_aligned(v.align < Heap::alignment ? Heap::alignment : v.align, v.size);
    if (!copy)
        abort();
    if (v.initial)
        __builtin_memcpy(copy, v.initial, v.size);
    else
        __builtin_memset(copy, 0, v.size);
    return copy;
}

void destroy_thread_locals(ThreadControl &c) {
    auto *const l = static_cast<ThreadLocals *>(c.thread_locals);
    if (!l)
        return;
    while (ThreadLocals::Destructor *const d = l->destructors) {
        l->destructors = d->next;
        d->function(d->object);
        free(d);
    }
    for (size_t i = 0; i < l->count; ++i)
        free(l->copies[i]);
    free(l->copies);
    free(l);
    c.thread_locals = nullptr;
}

} // namespace rtos::posix

using namespace rtos;
using namespace rtos::posix;

extern "C" {

// __cxa_eh_globals: what is caught, how many are uncaught, and what propagates.
void *__cxa_get_globals() {
    return self().exception_globals;
}
void *__cxa_get_globals_fast() {
    return self().exception_globals;
}

int __cxa_guard_acquire(int *guard) {
    const IrqLock lock;
    while (*guard & guard_running)
        if (guard_waiters.wait(lock, Time::never()) == Status::would_block)
            abort();
    if (*guard & guard_done)
        return 0;
    *guard = guard_running;
    return 1;
}
void __cxa_guard_release(int *guard) {
    end_guard(guard, guard_done);
}
void __cxa_guard_abort(int *guard) {
    end_guard(guard, 0);
}

void *__emutls_get_address(EmulatedVariable *v) {
    if (!v->index) {
        const IrqLock lock;
        if (!v->index)
            v->index = ++variables;
    }
    ThreadLocals &l = locals(self());
    if (v->index > l.count) {
        const size_t count = v->index + 3; // some more, for the next ones
        void **const copies = static_cast<void **>(realloc(l.copies, count * sizeof(void *)));
        if (!copies)
            abort();
        for (size_t i = l.count; i < count; ++i)
            copies[i] = nullptr;
        l.copies = copies;
        l.count = count;
    }
    void *&copy = l.copies[v->index - 1];
    if (!copy)
        copy = copy_of(*v);
    return copy;
}

int __cxa_thread_atexit(void (*function)(void *), void *object, void *) {
    auto *const d = static_cast<ThreadLocals::Destructor *>(malloc(sizeof(ThreadLocals::Destructor)));
    if (!d)
        return -1;
    ThreadLocals &l = locals(self());
    *d = {function, object, l.destructors};
    l.destructors = d;
    return 0;
}

} // extern "C"

namespace __gnu_cxx {

// Instead of one that brings the demangler and stdio along.
void __verbose_terminate_handler() {
    rtos::log("thread %s: terminate called, an exception was not caught", rtos::Thread::current().name());
    abort();
}

} // namespace __gnu_cxx
