// SPDX-License-Identifier: BSD-3-Clause
// Generation and delivery of signals. A handler runs in the thread's own context, as an async call
// of the kernel's: before the thread goes on, wherever it was.
#include "signal.hpp"

#include <errno.h>

#include "kernel/fp_preserve.hpp"
#include "signal_actions.hpp"
#include "thread_control.hpp"

namespace rtos::posix {

constinit struct sigaction actions[NSIG];
constinit WaitQueue signal_waiters;
static constinit SignalQueue process_pending;

// The pool fills itself at its first use: its lists know their addresses only at run time.
static SignalPool &pool() {
    static constinit SignalEntry entries[SIGQUEUE_MAX];
    static constinit SignalPool free;
    static constinit bool filled;
    if (!filled) {
        for (SignalEntry &e : entries)
            free.add(e);
        filled = true;
    }
    return free;
}

static void give_back(SignalEntry *e) {
    if (!e)
        return;
    if (e->taken)
        e->taken(*e);
    else
        pool().add(*e);
}

SignalEntry *make_entry(const SignalInfo &info) {
    const IrqMask masked;
    SignalEntry *const e = pool().take();
    if (e)
        e->info = info;
    return e;
}

void withdraw(SignalEntry &e) {
    const IrqMask masked;
    if (e.queued())
        process_pending.remove(e);
}

static bool ignored_by_default(int number) {
    constexpr uint64_t set = signal_bit(SIGCHLD) | signal_bit(SIGURG) | signal_bit(SIGWINCH) |
                             signal_bit(SIGCONT) | signal_bit(SIGSTOP) | signal_bit(SIGTSTP) |
                             signal_bit(SIGTTIN) | signal_bit(SIGTTOU); // no job control
    return set & signal_bit(number);
}

static bool ignored(int number) {
    const _sig_func_ptr handler = actions[number].sa_handler;
    return handler == SIG_IGN || (handler == SIG_DFL && ignored_by_default(number));
}

// A thread that may take a signal of the process: the running one, if it does not block it, else any.
static ThreadControl *receiver(int number) {
    const uint64_t bit = signal_bit(number);
    auto *const running = static_cast<ThreadControl *>(Thread::current().posix);
    if (running && !(running->blocked & bit) && !running->exiting)
        return running;
    ThreadControl *found = nullptr;
    for_each_thread([&](ThreadControl &c) {
        if (!(c.blocked & bit) && !c.exiting)
            found = &c;
        return found != nullptr;
    });
    return found;
}

static bool hand_to_waiter(const ThreadControl *only, const SignalInfo &info) {
    for (Thread *t = signal_waiters.first(); t; t = signal_waiters.next(*t)) {
        auto &w = *static_cast<SignalWait *>(WaitQueue::data_of(*t));
        if ((only && only->thread != t) || !(w.set & signal_bit(info.number)))
            continue;
        w.info = info;
        signal_waiters.wake(*t);
        return true;
    }
    return false;
}

void generate(ThreadControl *c, SignalEntry *e, const SignalInfo &info) {
    const IrqLock lock;
    if (hand_to_waiter(c, info))
        return give_back(e);
    ThreadControl *const taker = c ? c : receiver(info.number);
    const bool blocked = !taker || (taker->blocked & signal_bit(info.number));
    if (!blocked && ignored(info.number))
        return give_back(e);
    SignalQueue &pending = c ? c->pending : process_pending;
    if (info.number < first_queued && pending.has(info.number))
        give_back(e);
    else if (e)
        pending.put(*e);
    else
        pending.put_bare(info.number);
    if (!blocked)
        (void)taker->thread->post(taker->signal_call); // again, if it was posted: it takes all
}

bool take_pending(ThreadControl &c, uint64_t set, SignalInfo &info) {
    SignalEntry *e = nullptr;
    if (!c.pending.take(set, info, e) && !process_pending.take(set, info, e))
        return false;
    give_back(e);
    return true;
}

uint64_t pending_set(const ThreadControl &c) {
    return c.pending.set() | process_pending.set();
}

static siginfo_t make_siginfo(const SignalInfo &info) {
    siginfo_t s{};
    s.si_signo = info.number;
    s.si_code = info.code ? info.code : SI_USER;
    s.si_pid = 1;
    s.si_value.sival_ptr = reinterpret_cast<void *>(info.value);
    return s;
}

void to_siginfo(const SignalInfo &info, siginfo_t *to) {
    if (to)
        *to = make_siginfo(info);
}

static void call_handler(const struct sigaction &action, const SignalInfo &info) {
    if (action.sa_handler == SIG_IGN)
        return;
    if (action.sa_handler == SIG_DFL) {
        if (!ignored_by_default(info.number))
            end_process("signal", info.number);
        return;
    }
    const int error = errno;
    {
        const FpPreserve fp; // the thread may have been interrupted anywhere
        if (action.sa_flags & SA_SIGINFO) {
            siginfo_t s = make_siginfo(info);
            action.sa_sigaction(info.number, &s, nullptr);
        } else {
            action.sa_handler(info.number);
        }
    }
    errno = error;
}

void deliver_signals(void *control) {
    ThreadControl &c = *static_cast<ThreadControl *>(control);
    for (;;) {
        SignalInfo info;
        struct sigaction action;
        uint64_t before;
        {
            const IrqLock lock;
            if (!take_pending(c, ~c.blocked, info))
                return;
            action = actions[info.number];
            before = c.blocked;
            c.blocked |= action.sa_mask & catchable;
            if (!(action.sa_flags & SA_NODEFER))
                c.blocked |= signal_bit(info.number);
            if (action.sa_flags & SA_RESETHAND)
                actions[info.number] = {};
        }
        call_handler(action, info);
        const IrqLock lock;
        c.blocked = before;
        if (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN) {
            ++c.handlers_run;
            if (!(action.sa_flags & SA_RESTART))
                c.handled = true;
        }
    }
}

void drop_signals(ThreadControl &c) {
    const IrqLock lock;
    SignalInfo info;
    SignalEntry *e = nullptr;
    while (c.pending.take(~uint64_t{0}, info, e))
        give_back(e);
}

void set_mask(ThreadControl &c, uint64_t blocked) {
    {
        const IrqLock lock;
        c.blocked = blocked & catchable;
        if (!(pending_set(c) & ~c.blocked))
            return;
    }
    deliver_signals(&c);
}

} // namespace rtos::posix
