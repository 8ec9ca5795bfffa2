// SPDX-License-Identifier: BSD-3-Clause
#include <pthread.h>

#include "attributes.hpp"
#include "clock.hpp"
#include "in_place.hpp"
#include "rw_lock.hpp"
#include "status.hpp"
#include "thread_control.hpp"

namespace rtos::posix {

using RwLockPlace = InPlace<RwLock, pthread_rwlock_t>;

static bool valid_attributes(const pthread_rwlockattr_t *a) {
    return a && a->is_initialized == initialized;
}

using Lock = Status (RwLock::*)(Time);
using Try = Status (RwLock::*)();

static int lock(pthread_rwlock_t *l, Lock operation, Time deadline) {
    RwLock *const rwlock = RwLockPlace::find(l);
    return rwlock ? error_of(uninterrupted([=] { return (rwlock->*operation)(deadline); })) : EINVAL;
}

static int try_lock(pthread_rwlock_t *l, Try operation) {
    RwLock *const rwlock = RwLockPlace::find(l);
    return rwlock ? error_of((rwlock->*operation)()) : EINVAL;
}

// The time need not be valid if the lock is to be had at once.
static int timed_lock(pthread_rwlock_t *l, Try attempt, Lock operation, const timespec *deadline) {
    if (const int error = try_lock(l, attempt); error != EBUSY)
        return error;
    return valid(*deadline) ? lock(l, operation, deadline_of(CLOCK_REALTIME, *deadline)) : EINVAL;
}

} // namespace rtos::posix

using namespace rtos;
using namespace rtos::posix;

extern "C" {

int pthread_rwlockattr_init(pthread_rwlockattr_t *a) {
    *a = {.is_initialized = initialized, .pshared = PTHREAD_PROCESS_PRIVATE};
    return 0;
}
int pthread_rwlockattr_destroy(pthread_rwlockattr_t *a) {
    if (!posix::valid_attributes(a))
        return EINVAL;
    a->is_initialized = 0;
    return 0;
}
int pthread_rwlockattr_setpshared(pthread_rwlockattr_t *a, int shared) {
    if (!posix::valid_attributes(a) || shared < PTHREAD_PROCESS_PRIVATE || shared > PTHREAD_PROCESS_SHARED)
        return EINVAL;
    a->pshared = static_cast<unsigned char>(shared);
    return 0;
}
int pthread_rwlockattr_getpshared(const pthread_rwlockattr_t *a, int *shared) {
    if (!posix::valid_attributes(a))
        return EINVAL;
    *shared = a->pshared;
    return 0;
}

int pthread_rwlock_init(pthread_rwlock_t *l, const pthread_rwlockattr_t *a) {
    if (!l || (a && !posix::valid_attributes(a)))
        return EINVAL;
    if (RwLock *const old = RwLockPlace::existing(l); old && old->in_use())
        return EBUSY;
    RwLockPlace::create(l);
    return 0;
}

int pthread_rwlock_destroy(pthread_rwlock_t *l) {
    RwLock *const rwlock = RwLockPlace::find(l);
    if (!rwlock)
        return EINVAL;
    if (rwlock->in_use())
        return EBUSY;
    RwLockPlace::destroy(l);
    return 0;
}

int pthread_rwlock_rdlock(pthread_rwlock_t *l) {
    return posix::lock(l, &RwLock::lock_shared, Time::never());
}
int pthread_rwlock_wrlock(pthread_rwlock_t *l) {
    return posix::lock(l, &RwLock::lock_exclusive, Time::never());
}
int pthread_rwlock_tryrdlock(pthread_rwlock_t *l) {
    return posix::try_lock(l, &RwLock::try_lock_shared);
}
int pthread_rwlock_trywrlock(pthread_rwlock_t *l) {
    return posix::try_lock(l, &RwLock::try_lock_exclusive);
}
int pthread_rwlock_timedrdlock(pthread_rwlock_t *l, const timespec *deadline) {
    return timed_lock(l, &RwLock::try_lock_shared, &RwLock::lock_shared, deadline);
}
int pthread_rwlock_timedwrlock(pthread_rwlock_t *l, const timespec *deadline) {
    return timed_lock(l, &RwLock::try_lock_exclusive, &RwLock::lock_exclusive, deadline);
}

int pthread_rwlock_unlock(pthread_rwlock_t *l) {
    RwLock *const rwlock = RwLockPlace::find(l);
    return rwlock ? error_of(rwlock->unlock()) : EINVAL;
}

} // extern "C"
