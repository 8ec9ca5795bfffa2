// SPDX-License-Identifier: BSD-3-Clause
// Mutexes, their attributes, and spin locks.
#include "mutex.hpp"

#include "attributes.hpp"
#include "clock.hpp"
#include "status.hpp"
#include "thread_control.hpp"

namespace rtos::posix {

int PthreadMutex::locked(Status s) {
    if (s == Status::deleted && unrecoverable)
        return ENOTRECOVERABLE;
    if (s == Status::full)
        return EAGAIN;
    if (s != Status::ok || !robust || !mutex.owner_died())
        return error_of(s);
    return EOWNERDEAD;
}

int PthreadMutex::lock(Time deadline) {
    if (unrecoverable)
        return ENOTRECOVERABLE;
    return locked(uninterrupted([this, deadline] { return mutex.lock(deadline); }));
}

int PthreadMutex::try_lock() {
    if (unrecoverable)
        return ENOTRECOVERABLE;
    return locked(mutex.try_lock());
}

int PthreadMutex::unlock() {
    if (robust && mutex.owner_died() && mutex.owner() == &Thread::current()) {
        const IrqLock lock;
        unrecoverable = true;
        mutex.close();
        return 0;
    }
    return error_of(mutex.unlock());
}

static bool valid_attributes(const pthread_mutexattr_t *a) {
    return a && a->is_initialized == initialized;
}

static Mutex::Kind kind_of(int type) {
    switch (type) {
    case PTHREAD_MUTEX_RECURSIVE:
        return Mutex::Kind::recursive;
    case PTHREAD_MUTEX_ERRORCHECK:
        return Mutex::Kind::error_check;
    default:
        return Mutex::Kind::normal;
    }
}

static Mutex::Protocol protocol_of(int protocol) {
    switch (protocol) {
    case PTHREAD_PRIO_INHERIT:
        return Mutex::Protocol::inherit;
    case PTHREAD_PRIO_PROTECT:
        return Mutex::Protocol::ceiling;
    default:
        return Mutex::Protocol::none;
    }
}

// On one processor a spinning thread keeps the lock's owner from running, so a spin lock is a mutex with
// inheritance.
using SpinPlace = InPlace<Mutex, pthread_spinlock_t>;

} // namespace rtos::posix

using namespace rtos;
using namespace rtos::posix;

extern "C" {

int pthread_mutexattr_init(pthread_mutexattr_t *a) {
    *a = {.is_initialized = initialized,
          .prioceiling = highest_priority,
          .type = PTHREAD_MUTEX_DEFAULT,
          .protocol = PTHREAD_PRIO_NONE,
          .pshared = PTHREAD_PROCESS_PRIVATE,
          .robust = PTHREAD_MUTEX_STALLED};
    return 0;
}

int pthread_mutexattr_destroy(pthread_mutexattr_t *a) {
    if (!posix::valid_attributes(a))
        return EINVAL;
    a->is_initialized = 0;
    return 0;
}

// Get and set of one member, whose values are 0 to most.
#define MEMBER(name, member, most)                                                                           \
    int pthread_mutexattr_set##name(pthread_mutexattr_t *a, int value) {                                     \
        if (!posix::valid_attributes(a) || value < 0 || value > (most))                                      \
            return EINVAL;                                                                                   \
        a->member = static_cast<unsigned char>(value);                                                       \
        return 0;                                                                                            \
    }                                                                                                        \
    int pthread_mutexattr_get##name(const pthread_mutexattr_t *a, int *value) {                              \
        if (!posix::valid_attributes(a))                                                                     \
            return EINVAL;                                                                                   \
        *value = a->member;                                                                                  \
        return 0;                                                                                            \
    }
MEMBER(type, type, PTHREAD_MUTEX_ERRORCHECK)
MEMBER(pshared, pshared, PTHREAD_PROCESS_SHARED)
MEMBER(robust, robust, PTHREAD_MUTEX_ROBUST)
#undef MEMBER

int pthread_mutexattr_setprotocol(pthread_mutexattr_t *a, int protocol) {
    if (!posix::valid_attributes(a))
        return EINVAL;
    if (protocol < PTHREAD_PRIO_NONE || protocol > PTHREAD_PRIO_PROTECT)
        return ENOTSUP;
    a->protocol = static_cast<unsigned char>(protocol);
    return 0;
}
int pthread_mutexattr_getprotocol(const pthread_mutexattr_t *a, int *protocol) {
    if (!posix::valid_attributes(a))
        return EINVAL;
    *protocol = a->protocol;
    return 0;
}

int pthread_mutexattr_setprioceiling(pthread_mutexattr_t *a, int ceiling) {
    if (!posix::valid_attributes(a) || !valid_priority(ceiling))
        return EINVAL;
    a->prioceiling = ceiling;
    return 0;
}
int pthread_mutexattr_getprioceiling(const pthread_mutexattr_t *a, int *ceiling) {
    if (!posix::valid_attributes(a))
        return EINVAL;
    *ceiling = a->prioceiling;
    return 0;
}

int pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *a) {
    if (!m || (a && !posix::valid_attributes(a)))
        return EINVAL;
    if (const PthreadMutex *const old = MutexPlace::existing(m); old && old->mutex.owner())
        return EBUSY;
    if (!a)
        MutexPlace::create(m);
    else
        MutexPlace::create(m, kind_of(a->type), protocol_of(a->protocol), to_kernel(a->prioceiling),
                           a->robust == PTHREAD_MUTEX_ROBUST);
    return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *m) {
    PthreadMutex *const mutex = MutexPlace::find(m);
    if (!mutex)
        return EINVAL;
    if (mutex->mutex.owner() && !mutex->unrecoverable)
        return EBUSY;
    MutexPlace::destroy(m);
    return 0;
}

int pthread_mutex_lock(pthread_mutex_t *m) {
    PthreadMutex *const mutex = MutexPlace::find(m);
    return mutex ? mutex->lock(Time::never()) : EINVAL;
}

int pthread_mutex_trylock(pthread_mutex_t *m) {
    PthreadMutex *const mutex = MutexPlace::find(m);
    return mutex ? mutex->try_lock() : EINVAL;
}

int pthread_mutex_timedlock(pthread_mutex_t *m, const timespec *deadline) {
    PthreadMutex *const mutex = MutexPlace::find(m);
    if (!mutex)
        return EINVAL;
    // The time need not be valid if the lock is to be had at once.
    if (const int error = mutex->try_lock(); error != EBUSY)
        return error;
    if (!valid(*deadline))
        return EINVAL;
    return mutex->lock(deadline_of(CLOCK_REALTIME, *deadline));
}

int pthread_mutex_unlock(pthread_mutex_t *m) {
    PthreadMutex *const mutex = MutexPlace::find(m);
    return mutex ? mutex->unlock() : EINVAL;
}

int pthread_mutex_consistent(pthread_mutex_t *m) {
    PthreadMutex *const mutex = MutexPlace::find(m);
    if (!mutex || !mutex->robust || !mutex->mutex.owner_died() || mutex->mutex.owner() != &Thread::current())
        return EINVAL;
    mutex->mutex.clear_owner_died();
    return 0;
}

int pthread_mutex_getprioceiling(const pthread_mutex_t *m, int *ceiling) {
    PthreadMutex *const mutex = MutexPlace::find(const_cast<pthread_mutex_t *>(m));
    if (!mutex || mutex->mutex.protocol() != Mutex::Protocol::ceiling)
        return EINVAL;
    *ceiling = to_posix(mutex->mutex.ceiling());
    return 0;
}

int pthread_mutex_setprioceiling(pthread_mutex_t *m, int ceiling, int *old) {
    PthreadMutex *const mutex = MutexPlace::find(m);
    if (!mutex || mutex->mutex.protocol() != Mutex::Protocol::ceiling || !valid_priority(ceiling))
        return EINVAL;
    // Lock it, change the ceiling, unlock it. One that is free is not locked for it: by its old ceiling this
    // thread might not, and POSIX says that the ceiling does not matter here.
    bool locked = false;
    for (;;) {
        {
            const IrqLock lock;
            const Thread *const owner = mutex->mutex.owner();
            if (!owner || owner == &Thread::current()) {
                const unsigned before = mutex->mutex.set_ceiling(to_kernel(ceiling));
                if (old)
                    *old = to_posix(before);
                break;
            }
        }
        const int error = mutex->lock(Time::never());
        if (error && error != EOWNERDEAD)
            return error;
        locked = true;
    }
    return locked ? mutex->unlock() : 0;
}

int pthread_spin_init(pthread_spinlock_t *s, int) {
    if (!s)
        return EINVAL;
    SpinPlace::create(s, Mutex::Kind::error_check, Mutex::Protocol::inherit);
    return 0;
}

int pthread_spin_destroy(pthread_spinlock_t *s) {
    Mutex *const mutex = SpinPlace::existing(s);
    if (!mutex)
        return EINVAL;
    if (mutex->owner())
        return EBUSY;
    SpinPlace::destroy(s);
    return 0;
}

int pthread_spin_lock(pthread_spinlock_t *s) {
    Mutex *const mutex = SpinPlace::existing(s);
    return mutex ? error_of(uninterrupted([=] { return mutex->lock(); })) : EINVAL;
}

int pthread_spin_trylock(pthread_spinlock_t *s) {
    Mutex *const mutex = SpinPlace::existing(s);
    if (!mutex)
        return EINVAL;
    const int error = error_of(mutex->try_lock());
    return error == EDEADLK ? EBUSY : error;
}

int pthread_spin_unlock(pthread_spinlock_t *s) {
    Mutex *const mutex = SpinPlace::existing(s);
    return mutex ? error_of(mutex->unlock()) : EINVAL;
}

} // extern "C"
