// SPDX-License-Identifier: BSD-3-Clause
// <signal.h>.
#include <errno.h>
#include <unistd.h>

#include "clock.hpp"
#include "signal_actions.hpp"
#include "status.hpp"

namespace rtos::posix {

static bool changeable(int number) {
    return valid_signal(number) && number != SIGKILL && number != SIGSTOP;
}

// Wait for a signal of the set. interrupted: the handler of another one ran.
static Status wait_for(uint64_t set, SignalInfo &info, Time deadline) {
    CancellationPoint point;
    return point.run([&] {
        const IrqLock lock;
        SignalWait w{set & catchable, {}};
        if (take_pending(point.control(), w.set, info))
            return Status::ok;
        const Status s = signal_waiters.wait(lock, deadline, &w);
        if (s == Status::ok)
            info = w.info;
        return s;
    });
}

static bool this_process(pid_t pid) {
    return pid == getpid() || pid == 0 || pid == -1 || pid == -getpid();
}

} // namespace rtos::posix

using namespace rtos;
using namespace rtos::posix;

extern "C" {

int sigemptyset(sigset_t *set) {
    *set = 0;
    return 0;
}
int sigfillset(sigset_t *set) {
    *set = ~sigset_t{1}; // there is no signal 0
    return 0;
}
int sigaddset(sigset_t *set, int number) {
    if (!valid_signal(number))
        return with_errno(EINVAL);
    *set |= signal_bit(number);
    return 0;
}
int sigdelset(sigset_t *set, int number) {
    if (!valid_signal(number))
        return with_errno(EINVAL);
    *set &= ~signal_bit(number);
    return 0;
}
int sigismember(const sigset_t *set, int number) {
    if (!valid_signal(number))
        return with_errno(EINVAL);
    return (*set & signal_bit(number)) != 0;
}

int sigaction(int number, const struct sigaction *action, struct sigaction *old) {
    if (!valid_signal(number) || (action && !changeable(number)))
        return with_errno(EINVAL);
    const IrqLock lock;
    if (old)
        *old = actions[number];
    if (!action)
        return 0;
    actions[number] = *action;
    return 0;
}

_sig_func_ptr signal(int number, _sig_func_ptr handler) {
    struct sigaction action {
    }, old;
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;
    return sigaction(number, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}
_sig_func_ptr _signal_r(struct _reent *, int number, _sig_func_ptr handler) {
    return signal(number, handler);
}

int pthread_sigmask(int how, const sigset_t *set, sigset_t *old) {
    ThreadControl *const c = self_or_null();
    if (!c)
        return ENOMEM;
    const uint64_t before = c->blocked;
    if (set) {
        switch (how) {
        case SIG_BLOCK:
            posix::set_mask(*c, before | *set);
            break;
        case SIG_UNBLOCK:
            posix::set_mask(*c, before & ~*set);
            break;
        case SIG_SETMASK:
            posix::set_mask(*c, *set);
            break;
        default:
            return EINVAL;
        }
    }
    if (old)
        *old = before;
    return 0;
}

int sigprocmask(int how, const sigset_t *set, sigset_t *old) {
    return with_errno(pthread_sigmask(how, set, old));
}

int sigpending(sigset_t *set) {
    ThreadControl &c = self();
    const IrqMask masked;
    *set = pending_set(c) & c.blocked;
    return 0;
}

int sigsuspend(const sigset_t *set) {
    if (!Thread::may_block())
        return with_errno(EPERM);
    CancellationPoint point;
    ThreadControl &c = point.control();
    const uint64_t before = c.blocked;
    const unsigned handlers = c.handlers_run;
    WaitQueue nothing;
    c.blocked = *set & catchable;
    while (c.handlers_run == handlers) {
        if (pending_set(c) & ~c.blocked) {
            deliver_signals(&c);
            continue;
        }
        // Ends for a handler only: one with SA_RESTART ends it as well.
        (void)point.run([&] {
            const IrqLock lock;
            if (c.handlers_run != handlers || (pending_set(c) & ~c.blocked))
                return Status::ok;
            const Status s = nothing.wait(lock, Time::never());
            return c.handlers_run != handlers ? Status::ok : s;
        });
    }
    posix::set_mask(c, before);
    return with_errno(EINTR);
}

int pause() {
    const sigset_t mask = self().blocked;
    return sigsuspend(&mask);
}

int sigwait(const sigset_t *set, int *number) {
    SignalInfo info;
    Status s;
    while ((s = wait_for(*set, info, Time::never())) == Status::interrupted) {
    }
    *number = info.number;
    return error_of(s);
}

int sigtimedwait(const sigset_t *set, siginfo_t *info, const timespec *limit) {
    Time deadline = Time::never();
    if (limit) {
        if (!valid(*limit))
            return with_errno(EINVAL);
        deadline = deadline_at(monotonic_ns() + to_ns(*limit));
    }
    SignalInfo taken;
    const Status s = wait_for(*set, taken, deadline);
    if (s == Status::timeout)
        return with_errno(EAGAIN);
    if (s != Status::ok)
        return with_errno(error_of(s));
    to_siginfo(taken, info);
    return taken.number;
}

int sigwaitinfo(const sigset_t *set, siginfo_t *info) {
    return sigtimedwait(set, info, nullptr);
}

int pthread_kill(pthread_t handle, int number) {
    if (number != 0 && !valid_signal(number))
        return EINVAL;
    const IrqLock lock;
    ThreadControl *const c = find(handle);
    if (!c)
        return ESRCH;
    if (number == 0 || c->exiting)
        return 0;
    const SignalInfo info{number, SI_USER, 0};
    generate(c, make_entry(info), info);
    return 0;
}

int raise(int number) {
    return with_errno(pthread_kill(pthread_self(), number));
}
int _raise_r(struct _reent *, int number) {
    return raise(number);
}

int kill(pid_t pid, int number) {
    if (number != 0 && !valid_signal(number))
        return with_errno(EINVAL);
    if (!this_process(pid))
        return with_errno(ESRCH);
    if (number != 0) {
        const SignalInfo info{number, SI_USER, 0};
        generate(nullptr, make_entry(info), info);
    }
    return 0;
}
int _kill(pid_t pid, int number) {
    return kill(pid, number);
}

int sigqueue(pid_t pid, int number, union sigval value) {
    if (number != 0 && !valid_signal(number))
        return with_errno(EINVAL);
    if (!this_process(pid))
        return with_errno(ESRCH);
    if (number == 0)
        return 0;
    const SignalInfo info{number, SI_QUEUE, reinterpret_cast<uintptr_t>(value.sival_ptr)};
    SignalEntry *const e = make_entry(info);
    if (!e)
        return with_errno(EAGAIN);
    generate(nullptr, e, info);
    return 0;
}

} // extern "C"
