// SPDX-License-Identifier: BSD-3-Clause
// Clocks, and sleeping on them.
#include "clock.hpp"

#include <sys/time.h>
#include <sys/times.h>
#include <unistd.h>

#include "status.hpp"
#include "thread_control.hpp"
#include "thread_table.hpp"

namespace rtos::posix {

static constinit int64_t realtime_ahead_ns;
static constinit WaitQueue realtime_sleepers;

int64_t monotonic_ns() {
    return ticks_to_ns(static_cast<int64_t>(now().ticks));
}

int64_t realtime_offset_ns() {
    const IrqMask masked;
    return realtime_ahead_ns;
}

int64_t realtime_ns() {
    return monotonic_ns() + realtime_offset_ns();
}

Time deadline_of(clockid_t clock, const timespec &t) {
    const int64_t ns = to_ns(t);
    return deadline_at(clock == CLOCK_REALTIME ? ns - realtime_offset_ns() : ns);
}

void wake_realtime_sleepers() {
    const IrqLock lock;
    realtime_sleepers.wake_all(lock, Status::ok);
}

// A thread's CPU-time clock is its handle, with the highest bit set.
static constexpr clockid_t thread_clock = clockid_t{1} << 31;

static int64_t process_ticks() {
    const SchedulerLock lock; // no thread comes or goes
    int64_t sum = ended_run_ticks;
    for_each_thread([&sum](ThreadControl &c) {
        if (!c.counted)
            sum += c.thread->run_time().ticks;
        return false;
    });
    return sum;
}

// False: no such clock.
static bool read(clockid_t clock, int64_t &ns) {
    if (clock == CLOCK_MONOTONIC) {
        ns = monotonic_ns();
    } else if (clock == CLOCK_REALTIME) {
        ns = realtime_ns();
    } else if (clock == CLOCK_THREAD_CPUTIME_ID) {
        ns = ticks_to_ns(Thread::current().run_time().ticks);
    } else if (clock == CLOCK_PROCESS_CPUTIME_ID) {
        ns = ticks_to_ns(process_ticks());
    } else if (clock & thread_clock) {
        const IrqLock lock;
        ThreadControl *const c = find(static_cast<pthread_t>(clock & ~thread_clock));
        if (!c)
            return false;
        ns = ticks_to_ns(c->thread->run_time().ticks);
    } else {
        return false;
    }
    return true;
}

// Sleep until an absolute time; CLOCK_REALTIME may be set meanwhile.
static Status sleep_until(clockid_t clock, const timespec &t) {
    static constinit WaitQueue monotonic_sleepers;
    WaitQueue &queue = clock == CLOCK_REALTIME ? realtime_sleepers : monotonic_sleepers;
    CancellationPoint point;
    return point.run([&] {
        for (;;) {
            const IrqLock lock;
            const Status s = queue.wait(lock, deadline_of(clock, t));
            if (s != Status::ok)
                return s;
        }
    });
}

static int relative_sleep(int64_t ns, timespec *remaining) {
    const int64_t end = monotonic_ns() + ns;
    const Status s = sleep_until(CLOCK_MONOTONIC, from_ns<timespec>(end));
    if (s == Status::timeout)
        return 0;
    if (remaining) {
        const int64_t left = end - monotonic_ns();
        *remaining = from_ns<timespec>(left > 0 ? left : 0);
    }
    return error_of(s);
}

} // namespace rtos::posix

using namespace rtos;
using namespace rtos::posix;

extern "C" {

int clock_gettime(clockid_t clock, timespec *t) {
    if (clock == CLOCK_MONOTONIC) {
        *t = from_ticks<timespec>(now().ticks);
        return 0;
    }
    int64_t ns;
    if (!posix::read(clock, ns))
        return with_errno(EINVAL);
    *t = from_ns<timespec>(ns);
    return 0;
}

int clock_settime(clockid_t clock, const timespec *t) {
    int64_t ns;
    if (!t || !valid(*t) || t->tv_sec < 0 || !posix::read(clock, ns) || clock == CLOCK_MONOTONIC)
        return with_errno(EINVAL);
    if (clock != CLOCK_REALTIME)
        return with_errno(EPERM);
    {
        const IrqMask masked;
        realtime_ahead_ns = to_ns(*t) - monotonic_ns();
    }
    realtime_was_set();
    wake_realtime_sleepers();
    return 0;
}

int clock_getres(clockid_t clock, timespec *resolution) {
    int64_t ns;
    if (!posix::read(clock, ns))
        return with_errno(EINVAL);
    if (resolution)
        *resolution = from_ns<timespec>(ns_per_s / port::counter_hz + 1);
    return 0;
}

int clock_getcpuclockid(pid_t pid, clockid_t *clock) {
    if (pid != 0 && pid != getpid())
        return ESRCH;
    *clock = CLOCK_PROCESS_CPUTIME_ID;
    return 0;
}

int pthread_getcpuclockid(pthread_t handle, clockid_t *clock) {
    const IrqLock lock;
    if (!find(handle))
        return ESRCH;
    *clock = thread_clock | handle;
    return 0;
}

int clock_nanosleep(clockid_t clock, int flags, const timespec *t, timespec *remaining) {
    if (clock == CLOCK_PROCESS_CPUTIME_ID)
        return ENOTSUP;
    if ((clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) || !t || !valid(*t) || t->tv_sec < 0)
        return EINVAL;
    if (!(flags & TIMER_ABSTIME))
        return relative_sleep(to_ns(*t), remaining);
    const Status s = posix::sleep_until(clock, *t);
    return s == Status::timeout ? 0 : error_of(s);
}

int nanosleep(const timespec *t, timespec *remaining) {
    return with_errno(clock_nanosleep(CLOCK_REALTIME, 0, t, remaining));
}

unsigned sleep(unsigned seconds) {
    timespec left{};
    if (relative_sleep(int64_t{seconds} * ns_per_s, &left) == 0)
        return 0;
    return static_cast<unsigned>(left.tv_sec) + (left.tv_nsec ? 1 : 0);
}

int usleep(useconds_t us) {
    return with_errno(relative_sleep(int64_t{us} * 1000, nullptr));
}

// What newlib's time(), gettimeofday() and clock() are made of.
int _gettimeofday(timeval *t, void *) {
    if (t) {
        const timespec now = from_ns<timespec>(realtime_ns());
        t->tv_sec = now.tv_sec;
        t->tv_usec = now.tv_nsec / 1000;
    }
    return 0;
}

// In CLOCKS_PER_SEC.
clock_t _times(tms *t) {
    const clock_t used = static_cast<clock_t>(ticks_to_ns(process_ticks()) / (ns_per_s / CLOCKS_PER_SEC));
    if (t)
        *t = {used, 0, 0, 0};
    return static_cast<clock_t>(monotonic_ns() / (ns_per_s / CLOCKS_PER_SEC));
}

} // extern "C"
