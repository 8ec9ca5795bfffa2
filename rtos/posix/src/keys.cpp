// SPDX-License-Identifier: BSD-3-Clause
// Thread-specific data, and pthread_once.
#include "keys.hpp"

#include <errno.h>

#include "thread_control.hpp"

namespace rtos::posix {

using Destructor = void (*)(void *);

static void no_destructor(void *) {}

// Null: the key is free.
static constinit Destructor destructors[PTHREAD_KEYS_MAX];

static bool valid_key(pthread_key_t key) {
    return key < PTHREAD_KEYS_MAX && destructors[key];
}

void destroy_specific(ThreadControl &c) {
    for (unsigned round = 0; round < PTHREAD_DESTRUCTOR_ITERATIONS; ++round) {
        bool any = false;
        for (unsigned key = 0; key < PTHREAD_KEYS_MAX; ++key) {
            const Destructor destructor = destructors[key];
            void *const value = const_cast<void *>(c.specific[key]);
            if (!value || !destructor || destructor == no_destructor)
                continue;
            c.specific[key] = nullptr;
            destructor(value);
            any = true;
        }
        if (!any)
            return;
    }
}

// Threads that wait for a pthread_once that is being run.
static constinit WaitQueue once_waiters;

enum OnceState : int { once_not_run, once_running, once_done };

static void once_given_up(void *state) {
    const IrqLock lock;
    *static_cast<int *>(state) = once_not_run;
    once_waiters.wake_all(lock, Status::ok);
}

} // namespace rtos::posix

using namespace rtos;
using namespace rtos::posix;

extern "C" {

int pthread_key_create(pthread_key_t *key, void (*destructor)(void *)) {
    const SchedulerLock lock;
    for (unsigned i = 0; i < PTHREAD_KEYS_MAX; ++i) {
        if (destructors[i])
            continue;
        destructors[i] = destructor ? destructor : no_destructor;
        *key = i;
        return 0;
    }
    return EAGAIN;
}

int pthread_key_delete(pthread_key_t key) {
    const SchedulerLock lock;
    if (!valid_key(key))
        return EINVAL;
    destructors[key] = nullptr;
    // The next user of the number finds null in every thread.
    for_each_thread([key](ThreadControl &c) {
        c.specific[key] = nullptr;
        return false;
    });
    return 0;
}

int pthread_setspecific(pthread_key_t key, const void *value) {
    if (!valid_key(key))
        return EINVAL;
    ThreadControl *const c = self_or_null();
    if (!c)
        return ENOMEM;
    c->specific[key] = value;
    return 0;
}

void *pthread_getspecific(pthread_key_t key) {
    if (!valid_key(key))
        return nullptr;
    ThreadControl *const c = self_or_null();
    return c ? const_cast<void *>(c->specific[key]) : nullptr;
}

int pthread_once(pthread_once_t *once, void (*routine)()) {
    if (!once || !routine || once->is_initialized != 1)
        return EINVAL;
    int *const state = &once->init_executed;
    {
        const IrqLock lock;
        while (*state == once_running)
            if (once_waiters.wait(lock, Time::never()) == Status::would_block)
                return EINVAL;
        if (*state == once_done)
            return 0;
        *state = once_running;
    }
    // Cancelled in the routine: the next caller runs it anew.
    pthread_cleanup_push(once_given_up, state);
    routine();
    pthread_cleanup_pop(0);
    const IrqLock lock;
    *state = once_done;
    once_waiters.wake_all(lock, Status::ok);
    return 0;
}

} // extern "C"
