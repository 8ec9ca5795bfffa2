// SPDX-License-Identifier: BSD-3-Clause
// Attributes of threads.
#include "attributes.hpp"

#include <errno.h>

#include "thread_control.hpp"

namespace rtos::posix {

static constexpr size_t guard_size = 4096;
static constexpr int default_priority = to_posix(priorities / 2); // main's

constinit const pthread_attr_t default_attributes = {
    .is_initialized = initialized,
    .stackaddr = nullptr,
    .stacksize = default_stack,
    .guardsize = guard_size,
    .schedparam = {.sched_priority = default_priority},
    .contentionscope = PTHREAD_SCOPE_SYSTEM,
    .inheritsched = PTHREAD_INHERIT_SCHED,
    .schedpolicy = SCHED_FIFO,
    .detachstate = PTHREAD_CREATE_JOINABLE,
};

bool valid_attributes(const pthread_attr_t &a) {
    return a.is_initialized == initialized;
}

// Run f on an attribute object if it is one.
template <class Attributes, class F> static int with(Attributes *a, F f) {
    return a && a->is_initialized == initialized ? f(*a) : EINVAL;
}

} // namespace rtos::posix

using namespace rtos::posix;

extern "C" {

int pthread_attr_init(pthread_attr_t *a) {
    *a = default_attributes;
    return 0;
}

int pthread_attr_destroy(pthread_attr_t *a) {
    return with(a, [](auto &attr) { return attr.is_initialized = 0; });
}

int pthread_attr_setdetachstate(pthread_attr_t *a, int state) {
    return with(a, [=](auto &attr) {
        if (state != PTHREAD_CREATE_DETACHED && state != PTHREAD_CREATE_JOINABLE)
            return EINVAL;
        attr.detachstate = static_cast<unsigned char>(state);
        return 0;
    });
}
int pthread_attr_getdetachstate(const pthread_attr_t *a, int *state) {
    return with(a, [=](auto &attr) { return *state = attr.detachstate, 0; });
}

int pthread_attr_setstacksize(pthread_attr_t *a, size_t size) {
    return with(a,
                [=](auto &attr) { return size < PTHREAD_STACK_MIN ? EINVAL : (attr.stacksize = size, 0); });
}
int pthread_attr_getstacksize(const pthread_attr_t *a, size_t *size) {
    return with(a, [=](auto &attr) { return *size = attr.stacksize, 0; });
}

int pthread_attr_setstack(pthread_attr_t *a, void *address, size_t size) {
    return with(a, [=](auto &attr) {
        if (size < PTHREAD_STACK_MIN || (reinterpret_cast<uintptr_t>(address) | size) % 8)
            return EINVAL;
        attr.stackaddr = address;
        attr.stacksize = size;
        return 0;
    });
}
int pthread_attr_getstack(const pthread_attr_t *a, void **address, size_t *size) {
    return with(a, [=](auto &attr) {
        *address = attr.stackaddr;
        *size = attr.stacksize;
        return 0;
    });
}

// POSIX.1-2001's, gone since 2008: the address is the lowest, as with setstack.
int pthread_attr_setstackaddr(pthread_attr_t *a, void *address) {
    return with(a, [=](auto &attr) { return attr.stackaddr = address, 0; });
}
int pthread_attr_getstackaddr(const pthread_attr_t *a, void **address) {
    return with(a, [=](auto &attr) { return *address = attr.stackaddr, 0; });
}

// A stack of the kernel's has a page of guard, whatever is asked for.
int pthread_attr_setguardsize(pthread_attr_t *a, size_t size) {
    return with(a, [=](auto &attr) { return attr.guardsize = size, 0; });
}
int pthread_attr_getguardsize(const pthread_attr_t *a, size_t *size) {
    return with(a, [=](auto &attr) { return *size = attr.guardsize, 0; });
}

int pthread_attr_setscope(pthread_attr_t *a, int scope) {
    return with(a, [=](auto &) {
        return scope == PTHREAD_SCOPE_SYSTEM ? 0 : scope == PTHREAD_SCOPE_PROCESS ? ENOTSUP : EINVAL;
    });
}
int pthread_attr_getscope(const pthread_attr_t *a, int *scope) {
    return with(a, [=](auto &attr) { return *scope = attr.contentionscope, 0; });
}

int pthread_attr_setinheritsched(pthread_attr_t *a, int inherit) {
    return with(a, [=](auto &attr) {
        if (inherit != PTHREAD_INHERIT_SCHED && inherit != PTHREAD_EXPLICIT_SCHED)
            return EINVAL;
        attr.inheritsched = static_cast<unsigned char>(inherit);
        return 0;
    });
}
int pthread_attr_getinheritsched(const pthread_attr_t *a, int *inherit) {
    return with(a, [=](auto &attr) { return *inherit = attr.inheritsched, 0; });
}

int pthread_attr_setschedpolicy(pthread_attr_t *a, int policy) {
    return with(a, [=](auto &attr) {
        if (!valid_policy(policy))
            return EINVAL;
        attr.schedpolicy = static_cast<unsigned char>(policy);
        return 0;
    });
}
int pthread_attr_getschedpolicy(const pthread_attr_t *a, int *policy) {
    return with(a, [=](auto &attr) { return *policy = attr.schedpolicy, 0; });
}

int pthread_attr_setschedparam(pthread_attr_t *a, const sched_param *param) {
    return with(a, [=](auto &attr) {
        if (!param || !valid_priority(param->sched_priority))
            return EINVAL;
        attr.schedparam = *param;
        return 0;
    });
}
int pthread_attr_getschedparam(const pthread_attr_t *a, sched_param *param) {
    return with(a, [=](auto &attr) { return *param = attr.schedparam, 0; });
}

} // extern "C"
