// SPDX-License-Identifier: BSD-3-Clause
#include <pthread.h>

#include "attributes.hpp"
#include "in_place.hpp"
#include "status.hpp"
#include "thread_control.hpp"

namespace rtos::posix {

struct Barrier {
    explicit Barrier(unsigned n) : count(n) {}

    WaitQueue waiters;
    const unsigned count;
    unsigned arrived = 0;
    unsigned round = 0;
};
using BarrierPlace = InPlace<Barrier, pthread_barrier_t>;

static bool valid_attributes(const pthread_barrierattr_t *a) {
    return a && a->is_initialized == initialized;
}

} // namespace rtos::posix

using namespace rtos;
using namespace rtos::posix;

extern "C" {

int pthread_barrierattr_init(pthread_barrierattr_t *a) {
    *a = {.is_initialized = initialized, .pshared = PTHREAD_PROCESS_PRIVATE};
    return 0;
}
int pthread_barrierattr_destroy(pthread_barrierattr_t *a) {
    if (!posix::valid_attributes(a))
        return EINVAL;
    a->is_initialized = 0;
    return 0;
}
int pthread_barrierattr_setpshared(pthread_barrierattr_t *a, int shared) {
    if (!posix::valid_attributes(a) || shared < PTHREAD_PROCESS_PRIVATE || shared > PTHREAD_PROCESS_SHARED)
        return EINVAL;
    a->pshared = static_cast<unsigned char>(shared);
    return 0;
}
int pthread_barrierattr_getpshared(const pthread_barrierattr_t *a, int *shared) {
    if (!posix::valid_attributes(a))
        return EINVAL;
    *shared = a->pshared;
    return 0;
}

int pthread_barrier_init(pthread_barrier_t *b, const pthread_barrierattr_t *a, unsigned count) {
    if (!b || count == 0 || (a && !posix::valid_attributes(a)))
        return EINVAL;
    if (Barrier *const old = BarrierPlace::existing(b); old && old->arrived)
        return EBUSY;
    BarrierPlace::create(b, count);
    return 0;
}

int pthread_barrier_destroy(pthread_barrier_t *b) {
    Barrier *const barrier = BarrierPlace::existing(b);
    if (!barrier)
        return EINVAL;
    if (barrier->arrived)
        return EBUSY;
    BarrierPlace::destroy(b);
    return 0;
}

int pthread_barrier_wait(pthread_barrier_t *b) {
    Barrier *const barrier = BarrierPlace::existing(b);
    if (!barrier)
        return EINVAL;
    const IrqLock lock;
    if (lock.was_masked())
        return EPERM;
    const unsigned round = barrier->round;
    if (++barrier->arrived == barrier->count) {
        barrier->arrived = 0;
        ++barrier->round;
        barrier->waiters.wake_all(lock, Status::ok);
        return PTHREAD_BARRIER_SERIAL_THREAD;
    }
    // A signal's handler runs, and the wait goes on. The barrier may be destroyed once this thread has been
    // woken.
    while (barrier->waiters.wait(lock, Time::never()) == Status::interrupted && barrier->round == round) {
    }
    return 0;
}

} // extern "C"
