// SPDX-License-Identifier: BSD-3-Clause
// Semaphores.
#include <new>
#include <semaphore.h>
#include <stdarg.h>

#include <rtos/heap.hpp>
#include <rtos/object.hpp>
#include <rtos/scheduler_lock.hpp>
#include <rtos/semaphore.hpp>

#include "clock.hpp"
#include "in_place.hpp"
#include "names.hpp"
#include "status.hpp"
#include "thread_control.hpp"

namespace rtos::posix {

using SemPlace = InPlace<Semaphore, sem_t>;

struct NamedSemaphore;

// In a sem_t behind the semaphore: what it is a part of; null: sem_init made it.
static NamedSemaphore *&named(sem_t *s) {
    static constexpr size_t last = sizeof(s->__opaque) / sizeof(s->__opaque[0]) - 1;
    static_assert(sizeof(SemPlace) <= last * sizeof(s->__opaque[0]));
    void *const place = &s->__opaque[last];
    return *static_cast<NamedSemaphore **>(place);
}

struct NamedSemaphore : Named {
    NamedSemaphore(const char *its_name, unsigned value)
        : entry(Object::Kind::semaphore, its_name + 1,
                &SemPlace::create(&sem, value, uint32_t{SEM_VALUE_MAX}), Object::Layer::posix) {
        named(&sem) = this;
    }

    sem_t sem;
    Object entry;
};

static constinit Names names;

static void destroy(NamedSemaphore &s) {
    SemPlace::destroy(&s.sem);
    s.~NamedSemaphore();
    (void)system_heap().free(&s);
}

static NamedSemaphore *open_existing(const char *name, int flags, int &error) {
    return static_cast<NamedSemaphore *>(names.open(name, flags, error));
}

static int take(sem_t *s, Time deadline) {
    Semaphore *const semaphore = SemPlace::existing(s);
    if (!semaphore)
        return with_errno(EINVAL);
    CancellationPoint point;
    return with_errno(error_of(point.run([=] { return semaphore->take(deadline); })));
}

} // namespace rtos::posix

using namespace rtos;
using namespace rtos::posix;

extern "C" {

int sem_init(sem_t *s, int, unsigned value) {
    if (!s || value > SEM_VALUE_MAX)
        return with_errno(EINVAL);
    SemPlace::create(s, value, uint32_t{SEM_VALUE_MAX});
    named(s) = nullptr;
    return 0;
}

int sem_destroy(sem_t *s) {
    Semaphore *const semaphore = SemPlace::existing(s);
    if (!semaphore || named(s))
        return with_errno(EINVAL);
    const IrqLock lock;
    if (!semaphore->waiters().empty())
        return with_errno(EBUSY);
    SemPlace::destroy(s);
    return 0;
}

sem_t *sem_open(const char *name, int flags, ...) {
    unsigned value = 0;
    if (flags & O_CREAT) {
        va_list arguments;
        va_start(arguments, flags);
        (void)va_arg(arguments, mode_t);
        value = va_arg(arguments, unsigned);
        va_end(arguments);
    }
    int error = check_name(name);
    if (!error && value > SEM_VALUE_MAX)
        error = EINVAL;
    NamedSemaphore *s = nullptr;
    if (!error) {
        const SchedulerLock lock;
        s = open_existing(name, flags, error);
    }
    if (error == ENOENT && (flags & O_CREAT)) {
        void *const memory = system_heap().allocate(sizeof(NamedSemaphore));
        if (!memory)
            return errno = ENOSPC, SEM_FAILED;
        NamedSemaphore *const made = new (memory) NamedSemaphore(name, value);
        const SchedulerLock lock;
        s = open_existing(name, flags, error); // another thread may have been faster
        if (error == ENOENT) {
            names.add(*made, name);
            made->entry.enlist();
            s = made;
            error = 0;
        } else {
            posix::destroy(*made);
        }
    }
    if (error)
        return errno = error, SEM_FAILED;
    return &s->sem;
}

int sem_close(sem_t *s) {
    if (!SemPlace::existing(s) || !named(s))
        return with_errno(EINVAL);
    NamedSemaphore &closed = *named(s);
    {
        const SchedulerLock lock;
        if (closed.references == 0) // closed by all who opened it
            return with_errno(EINVAL);
        if (names.close(closed))
            return 0;
    }
    posix::destroy(closed);
    return 0;
}

int sem_unlink(const char *name) {
    if (const int error = check_name(name))
        return with_errno(error == EINVAL ? ENOENT : error);
    NamedSemaphore *found;
    {
        const SchedulerLock lock;
        found = static_cast<NamedSemaphore *>(names.find(name));
        if (!found)
            return with_errno(ENOENT);
        if (names.unlink(*found))
            return 0;
    }
    posix::destroy(*found);
    return 0;
}

int sem_wait(sem_t *s) {
    return posix::take(s, Time::never());
}

int sem_timedwait(sem_t *s, const timespec *deadline) {
    Semaphore *const semaphore = SemPlace::existing(s);
    if (!semaphore)
        return with_errno(EINVAL);
    const CancellationPoint point; // also if there is a unit
    // The time need not be valid then.
    if (semaphore->try_take())
        return 0;
    return valid(*deadline) ? posix::take(s, deadline_of(CLOCK_REALTIME, *deadline)) : with_errno(EINVAL);
}

int sem_trywait(sem_t *s) {
    Semaphore *const semaphore = SemPlace::existing(s);
    if (!semaphore)
        return with_errno(EINVAL);
    return semaphore->try_take() ? 0 : with_errno(EAGAIN);
}

int sem_post(sem_t *s) {
    Semaphore *const semaphore = SemPlace::existing(s);
    if (!semaphore)
        return with_errno(EINVAL);
    return semaphore->release() == Status::ok ? 0 : with_errno(EOVERFLOW);
}

int sem_getvalue(sem_t *s, int *value) {
    Semaphore *const semaphore = SemPlace::existing(s);
    if (!semaphore)
        return with_errno(EINVAL);
    *value = static_cast<int>(semaphore->count());
    return 0;
}

} // extern "C"
