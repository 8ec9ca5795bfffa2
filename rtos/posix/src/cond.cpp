// SPDX-License-Identifier: BSD-3-Clause
// Condition variables.
#include <pthread.h>

#include "attributes.hpp"
#include "clock.hpp"
#include "mutex.hpp"
#include "status.hpp"
#include "thread_control.hpp"

namespace rtos::posix {

struct Cond {
    explicit Cond(clockid_t c = CLOCK_REALTIME) : clock(c) {}

    WaitQueue waiters;
    const clockid_t clock;
};
using CondPlace = InPlace<Cond, pthread_cond_t>;

static bool valid_attributes(const pthread_condattr_t *a) {
    return a && a->is_initialized == initialized;
}

// The mutex is given up and the wait begun in one step. A signal's handler makes a spurious wake-up of it.
static int wait(Cond &cond, PthreadMutex &mutex, Time deadline) {
    ThreadControl &c = self();
    // Not CancellationPoint: the mutex is to be locked before the first cleanup handler runs.
    if (c.cancel_due())
        exit_thread(c, PTHREAD_CANCELED);
    if (mutex.mutex.owner() != c.thread)
        return EPERM;
    if (!Thread::may_block())
        return EPERM;
    Status s;
    bool given_up = false;
    {
        const IrqLock lock;
        if (c.cancel_due()) {
            s = Status::interrupted;
        } else {
            if (const int error = mutex.unlock())
                return error;
            given_up = true; // once; of a recursive one that may leave it locked
            s = cond.waiters.wait(lock, deadline);
        }
    }
    const int locked = given_up ? mutex.lock(Time::never()) : 0;
    if (s == Status::interrupted && c.cancel_due())
        exit_thread(c, PTHREAD_CANCELED);
    if (locked)
        return locked;
    return s == Status::timeout ? ETIMEDOUT : 0;
}

} // namespace rtos::posix

using namespace rtos;
using namespace rtos::posix;

extern "C" {

int pthread_condattr_init(pthread_condattr_t *a) {
    *a = {.is_initialized = initialized, .clock = CLOCK_REALTIME, .pshared = PTHREAD_PROCESS_PRIVATE};
    return 0;
}

int pthread_condattr_destroy(pthread_condattr_t *a) {
    if (!posix::valid_attributes(a))
        return EINVAL;
    a->is_initialized = 0;
    return 0;
}

int pthread_condattr_setclock(pthread_condattr_t *a, clockid_t clock) {
    if (!posix::valid_attributes(a) || (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC))
        return EINVAL;
    a->clock = static_cast<unsigned char>(clock);
    return 0;
}
int pthread_condattr_getclock(const pthread_condattr_t *a, clockid_t *clock) {
    if (!posix::valid_attributes(a))
        return EINVAL;
    *clock = a->clock;
    return 0;
}

int pthread_condattr_setpshared(pthread_condattr_t *a, int shared) {
    if (!posix::valid_attributes(a) || shared < PTHREAD_PROCESS_PRIVATE || shared > PTHREAD_PROCESS_SHARED)
        return EINVAL;
    a->pshared = static_cast<unsigned char>(shared);
    return 0;
}
int pthread_condattr_getpshared(const pthread_condattr_t *a, int *shared) {
    if (!posix::valid_attributes(a))
        return EINVAL;
    *shared = a->pshared;
    return 0;
}

int pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *a) {
    if (!c || (a && !posix::valid_attributes(a)))
        return EINVAL;
    CondPlace::create(c, a ? clockid_t{a->clock} : CLOCK_REALTIME);
    return 0;
}

int pthread_cond_destroy(pthread_cond_t *c) {
    const IrqLock lock;
    Cond *const cond = CondPlace::find(c);
    if (!cond)
        return EINVAL;
    if (!cond->waiters.empty())
        return EBUSY;
    CondPlace::destroy(c);
    return 0;
}

int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m) {
    Cond *const cond = CondPlace::find(c);
    PthreadMutex *const mutex = MutexPlace::find(m);
    return cond && mutex ? posix::wait(*cond, *mutex, Time::never()) : EINVAL;
}

int pthread_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m, const timespec *deadline) {
    Cond *const cond = CondPlace::find(c);
    PthreadMutex *const mutex = MutexPlace::find(m);
    if (!cond || !mutex || !valid(*deadline))
        return EINVAL;
    return posix::wait(*cond, *mutex, deadline_of(cond->clock, *deadline));
}

int pthread_cond_signal(pthread_cond_t *c) {
    Cond *const cond = CondPlace::find(c);
    if (!cond)
        return EINVAL;
    const IrqLock lock;
    cond->waiters.wake_first();
    return 0;
}

int pthread_cond_broadcast(pthread_cond_t *c) {
    Cond *const cond = CondPlace::find(c);
    if (!cond)
        return EINVAL;
    const IrqLock lock;
    cond->waiters.wake_all(lock, Status::ok);
    return 0;
}

} // extern "C"
