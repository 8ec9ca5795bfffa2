// SPDX-License-Identifier: BSD-3-Clause
// What the C++ run-time library asks of threads. Debian's is built for a single one, so these take the place
// of its own: exceptions in flight, static variables in functions, thread_local.
#include "cxx.hpp"

#include <stdlib.h>

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

// Destructors of a thread's thread_local objects, in the order to call them.
struct Destructor {
    void (*function)(void *);
    void *object;
    Destructor *next;
};

void destroy_thread_locals(ThreadControl &c) {
    while (Destructor *const d = static_cast<Destructor *>(c.destructors)) {
        c.destructors = d->next;
        d->function(d->object);
        free(d);
    }
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

int __cxa_thread_atexit(void (*function)(void *), void *object, void *) {
    auto *const d = static_cast<Destructor *>(malloc(sizeof(Destructor)));
    if (!d)
        return -1;
    ThreadControl &c = self();
    *d = {function, object, static_cast<Destructor *>(c.destructors)};
    c.destructors = d;
    return 0;
}

} // extern "C"

namespace __gnu_cxx {

// Instead of one that brings the demangler and stdio along.
void __verbose_terminate_handler() {
    rtos::log("std::terminate: an exception was not caught");
    abort();
}

} // namespace __gnu_cxx
