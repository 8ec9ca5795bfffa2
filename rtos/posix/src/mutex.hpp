// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pthread.h>

#include <rtos/mutex.hpp>

#include "in_place.hpp"

namespace rtos::posix {

struct PthreadMutex {
    PthreadMutex(Mutex::Kind kind = Mutex::Kind::normal, Mutex::Protocol protocol = Mutex::Protocol::none,
                 unsigned ceiling = 0, bool is_robust = false)
        : mutex(kind, protocol, ceiling), robust(is_robust) {}

    // The error numbers of pthread_mutex_lock.
    int lock(Time deadline);
    int try_lock();
    int unlock();

    Mutex mutex;
    const bool robust;
    bool unrecoverable = false; // robust, and unlocked without being made consistent

  private:
    int locked(Status s);
};

using MutexPlace = InPlace<PthreadMutex, pthread_mutex_t>;

} // namespace rtos::posix
