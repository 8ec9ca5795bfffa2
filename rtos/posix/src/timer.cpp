// SPDX-License-Identifier: BSD-3-Clause
// timer_*, and alarm(), which is one of them.
#include <errno.h>
#include <limits.h>
#include <new>
#include <unistd.h>

#include <rtos/irq_lock.hpp>
#include <rtos/timer.hpp>

#include "clock.hpp"
#include "notification.hpp"
#include "signal.hpp"
#include "status.hpp"
#include "timers.hpp"

namespace rtos::posix {

namespace {

// A timer_t is a place in the table and which use of it. Each timer has a signal entry of its own: while that
// is pending further expiries are overruns.
struct PosixTimer {
    PosixTimer() : timer(expired, this) {}

    static void expired(void *timer);
    static void signal_taken(SignalEntry &e);
    // IRQs masked.
    void start(int64_t first_ns, bool absolute, Duration every);

    // First, so that an entry is a timer.
    struct Entry : SignalEntry {
        PosixTimer *timer;
    } entry;
    Timer timer;
    Notification notification;
    clockid_t clock = CLOCK_REALTIME;
    int64_t absolute_ns = 0; // on CLOCK_REALTIME, of one that moves when that is set; 0: relative
    Duration period{};
    int overrun = 0;     // of the signal that was last delivered
    uint32_t missed = 0; // expiries since the pending one was queued
    uint32_t kernel_overruns = 0;
    uint32_t generation = 0;
    bool used = false;
};

PosixTimer *table() {
    alignas(PosixTimer) static constinit unsigned char memory[TIMER_MAX][sizeof(PosixTimer)];
    static constinit bool made;
    const IrqLock lock;
    if (!made) {
        for (auto &place : memory)
            new (place) PosixTimer;
        made = true;
    }
    return std::launder(reinterpret_cast<PosixTimer *>(memory));
}

timer_t handle_of(const PosixTimer &t) {
    return static_cast<timer_t>(t.generation << 8 | static_cast<uint32_t>(&t - table() + 1));
}

// IRQs masked.
PosixTimer *find(timer_t handle) {
    const uint32_t i = (static_cast<uint32_t>(handle) & 0xff) - 1;
    if (i >= TIMER_MAX)
        return nullptr;
    PosixTimer &t = table()[i];
    return t.used && handle_of(t) == handle ? &t : nullptr;
}

void PosixTimer::expired(void *timer) {
    PosixTimer &t = *static_cast<PosixTimer *>(timer);
    // Periods that the kernel left out.
    const uint32_t late = t.timer.overruns() - t.kernel_overruns;
    t.kernel_overruns = t.timer.overruns();
    if (t.notification.is_signal()) {
        if (t.entry.queued()) {
            t.missed += 1 + late;
            return;
        }
        t.missed = late;
        t.entry.info = t.notification.info();
        t.notification.fire(&t.entry);
    } else {
        t.missed = late;
        t.overrun = static_cast<int>(late);
        t.notification.fire(nullptr);
    }
}

void PosixTimer::signal_taken(SignalEntry &e) {
    PosixTimer &t = *static_cast<Entry &>(e).timer;
    t.overrun = t.missed > DELAYTIMER_MAX ? DELAYTIMER_MAX : static_cast<int>(t.missed);
}

void PosixTimer::start(int64_t first_ns, bool absolute, Duration every) {
    period = every;
    absolute_ns = absolute && clock == CLOCK_REALTIME ? first_ns : 0;
    const int64_t at = !absolute                 ? monotonic_ns() + first_ns
                       : clock == CLOCK_REALTIME ? first_ns - realtime_offset_ns()
                                                 : first_ns;
    timer.start(deadline_at(at), every);
    kernel_overruns = timer.overruns();
}

itimerspec state(const PosixTimer &t) {
    itimerspec s{};
    if (!t.timer.active())
        return s;
    const int64_t left = ticks_to_ns((t.timer.deadline() - now()).ticks);
    s.it_value = from_ns<timespec>(left > 0 ? left : 1); // 0 would be "not armed"
    s.it_interval = from_ns<timespec>(ticks_to_ns(t.period.ticks));
    return s;
}

void remove(PosixTimer &t) {
    {
        const IrqLock lock;
        t.timer.stop();
        withdraw(t.entry);
        t.used = false;
        ++t.generation;
    }
    t.notification.dispose();
    t.notification = {};
}

} // namespace

void realtime_was_set() {
    for (PosixTimer *t = table(); t != table() + TIMER_MAX; ++t) {
        const IrqLock lock;
        if (t->used && t->absolute_ns && t->timer.active())
            t->start(t->absolute_ns, true, t->period);
    }
}

void remove_timers() {
    for (PosixTimer *t = table(); t != table() + TIMER_MAX; ++t)
        if (t->used)
            remove(*t);
}

} // namespace rtos::posix

using namespace rtos;
using namespace rtos::posix;

extern "C" {

int timer_create(clockid_t clock, sigevent *event, timer_t *handle) {
    if (clock != CLOCK_REALTIME && clock != CLOCK_MONOTONIC) {
        timespec unused;
        return with_errno(clock_gettime(clock, &unused) == 0 ? ENOTSUP : EINVAL);
    }
    PosixTimer *t = nullptr;
    {
        const IrqLock lock;
        for (PosixTimer *i = table(); !t && i != table() + TIMER_MAX; ++i)
            if (!i->used)
                t = i;
        if (!t)
            return with_errno(EAGAIN);
        t->used = true;
    }
    t->clock = clock;
    t->absolute_ns = 0;
    t->overrun = 0;
    t->entry.timer = t;
    t->entry.taken = PosixTimer::signal_taken;
    sigevent standard{};
    standard.sigev_notify = SIGEV_SIGNAL;
    standard.sigev_signo = SIGALRM;
    standard.sigev_value.sival_int = static_cast<int>(handle_of(*t));
    if (const int error = t->notification.prepare(event ? event : &standard, SI_TIMER)) {
        remove(*t);
        return with_errno(error);
    }
    *handle = handle_of(*t);
    return 0;
}

int timer_delete(timer_t handle) {
    PosixTimer *t;
    {
        const IrqLock lock;
        t = posix::find(handle);
    }
    if (!t)
        return with_errno(EINVAL);
    remove(*t);
    return 0;
}

int timer_settime(timer_t handle, int flags, const itimerspec *value, itimerspec *old) {
    const IrqLock lock;
    PosixTimer *const t = posix::find(handle);
    if (!t || !value || !valid(value->it_value) || !valid(value->it_interval) || value->it_value.tv_sec < 0)
        return with_errno(EINVAL);
    if (old)
        *old = state(*t);
    t->timer.stop();
    t->absolute_ns = 0;
    const int64_t first = to_ns(value->it_value);
    if (first == 0)
        return 0;
    t->start(first, flags & TIMER_ABSTIME, {ns_to_ticks_up(to_ns(value->it_interval))});
    return 0;
}

int timer_gettime(timer_t handle, itimerspec *value) {
    const IrqLock lock;
    PosixTimer *const t = posix::find(handle);
    if (!t)
        return with_errno(EINVAL);
    *value = state(*t);
    return 0;
}

int timer_getoverrun(timer_t handle) {
    const IrqLock lock;
    PosixTimer *const t = posix::find(handle);
    return t ? t->overrun : with_errno(EINVAL);
}

unsigned alarm(unsigned seconds) {
    static timer_t handle;
    {
        const IrqLock lock;
        if (!posix::find(handle) && timer_create(CLOCK_MONOTONIC, nullptr, &handle) != 0)
            return 0;
    }
    itimerspec value{}, old{};
    value.it_value.tv_sec = seconds;
    if (timer_settime(handle, 0, &value, &old) != 0)
        return 0;
    return static_cast<unsigned>(old.it_value.tv_sec) + (old.it_value.tv_nsec ? 1 : 0);
}

} // extern "C"
