// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <errno.h>

#include <rtos/status.hpp>

namespace rtos::posix {

// The error number of a kernel result that POSIX has no special word for at this call.
constexpr int error_of(Status s) {
    switch (s) {
    case Status::ok:
        return 0;
    case Status::timeout:
        return ETIMEDOUT;
    case Status::would_block:
        return EPERM; // an ISR, or a thread under a lock where nothing may block
    case Status::no_memory:
        return ENOMEM;
    case Status::full:
    case Status::empty:
        return EAGAIN;
    case Status::busy:
        return EBUSY;
    case Status::interrupted:
        return EINTR;
    case Status::not_owner:
        return EPERM;
    case Status::deadlock:
        return EDEADLK;
    case Status::ended:
        return ESRCH;
    case Status::deleted:
    case Status::invalid:
        break;
    }
    return EINVAL;
}

// The other convention: 0, or -1 with errno.
inline int with_errno(int error) {
    if (!error)
        return 0;
    errno = error;
    return -1;
}

} // namespace rtos::posix
