// SPDX-License-Identifier: BSD-3-Clause
// sysconf and its kin, and functions that are trivial where all memory is resident and there is one process.
#include <errno.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "status.hpp"

using rtos::posix::with_errno;

extern "C" {

long sysconf(int name) {
    switch (name) {
    case _SC_VERSION:
        return _POSIX_VERSION;
    case _SC_BARRIERS:
    case _SC_CLOCK_SELECTION:
    case _SC_CPUTIME:
    case _SC_MEMLOCK:
    case _SC_MEMLOCK_RANGE:
    case _SC_MESSAGE_PASSING:
    case _SC_MONOTONIC_CLOCK:
    case _SC_PRIORITY_SCHEDULING:
    case _SC_READER_WRITER_LOCKS:
    case _SC_REALTIME_SIGNALS:
    case _SC_SEMAPHORES:
    case _SC_SPIN_LOCKS:
    case _SC_THREADS:
    case _SC_THREAD_ATTR_STACKADDR:
    case _SC_THREAD_ATTR_STACKSIZE:
    case _SC_THREAD_CPUTIME:
    case _SC_THREAD_PRIORITY_SCHEDULING:
    case _SC_THREAD_PRIO_INHERIT:
    case _SC_THREAD_PRIO_PROTECT:
    case _SC_THREAD_PROCESS_SHARED:
    case _SC_THREAD_ROBUST_PRIO_INHERIT:
    case _SC_THREAD_ROBUST_PRIO_PROTECT:
    case _SC_THREAD_SAFE_FUNCTIONS:
    case _SC_TIMEOUTS:
    case _SC_TIMERS:
        return 200809L;
    case _SC_ADVISORY_INFO:
    case _SC_ASYNCHRONOUS_IO:
    case _SC_FSYNC:
    case _SC_IPV6:
    case _SC_JOB_CONTROL:
    case _SC_MAPPED_FILES:
    case _SC_MEMORY_PROTECTION:
    case _SC_PRIORITIZED_IO:
    case _SC_RAW_SOCKETS:
    case _SC_REGEXP:
    case _SC_SAVED_IDS:
    case _SC_SHARED_MEMORY_OBJECTS:
    case _SC_SHELL:
    case _SC_SPAWN:
    case _SC_SPORADIC_SERVER:
    case _SC_SYNCHRONIZED_IO:
    case _SC_THREAD_SPORADIC_SERVER:
    case _SC_TRACE:
    case _SC_TYPED_MEMORY_OBJECTS:
        return -1; // not there; errno stays
    case _SC_CLK_TCK:
        return CLOCKS_PER_SEC;
    case _SC_DELAYTIMER_MAX:
        return DELAYTIMER_MAX;
    case _SC_MQ_OPEN_MAX:
        return MQ_OPEN_MAX;
    case _SC_MQ_PRIO_MAX:
        return MQ_PRIO_MAX;
    case _SC_NPROCESSORS_CONF:
    case _SC_NPROCESSORS_ONLN:
        return 1;
    case _SC_OPEN_MAX:
        return OPEN_MAX;
    case _SC_PAGESIZE:
        return 4096;
    case _SC_RTSIG_MAX:
        return RTSIG_MAX;
    case _SC_SEM_NSEMS_MAX:
        return -1; // as many as there is memory for
    case _SC_SEM_VALUE_MAX:
        return SEM_VALUE_MAX;
    case _SC_SIGQUEUE_MAX:
        return SIGQUEUE_MAX;
    case _SC_THREAD_DESTRUCTOR_ITERATIONS:
        return PTHREAD_DESTRUCTOR_ITERATIONS;
    case _SC_THREAD_KEYS_MAX:
        return PTHREAD_KEYS_MAX;
    case _SC_THREAD_STACK_MIN:
        return PTHREAD_STACK_MIN;
    case _SC_THREAD_THREADS_MAX:
        return PTHREAD_THREADS_MAX;
    case _SC_TIMER_MAX:
        return TIMER_MAX;
    default:
        return with_errno(EINVAL);
    }
}

// There are no strings to configure.
size_t confstr(int, char *, size_t) {
    errno = EINVAL;
    return 0;
}

int mlockall(int flags) {
    return flags == 0 || (flags & ~(MCL_CURRENT | MCL_FUTURE)) ? with_errno(EINVAL) : 0;
}
int munlockall() {
    return 0;
}
int mlock(const void *, size_t) {
    return 0;
}
int munlock(const void *, size_t) {
    return 0;
}

int uname(utsname *u) {
    strcpy(u->sysname, "RTMux");
    strcpy(u->nodename, "rtos");
    strcpy(u->release, RTMUX_VERSION);
    strcpy(u->version, "POSIX.13 PSE52");
    strcpy(u->machine, "armv7l");
    return 0;
}

// There is no file system to change; newlib's stdio asks.
int _unlink(const char *) {
    return with_errno(ENOENT);
}
int _link(const char *, const char *) {
    return with_errno(EROFS);
}

// There is no source of randomness.
int getentropy(void *, size_t) {
    return with_errno(ENOSYS);
}

// Kept for programs of newlib's that call it: malloc does not.
void *_sbrk(ptrdiff_t) {
    errno = ENOMEM;
    return reinterpret_cast<void *>(-1);
}

} // extern "C"
