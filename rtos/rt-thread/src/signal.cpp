// SPDX-License-Identifier: BSD-3-Clause
// Signals between threads, on the kernel's asynchronous calls. One of a number is pending at most.
#include "check.hpp"
#include "thread.hpp"
#include "tick.hpp"

#include "kernel/fp_preserve.hpp"

#include <rtos/async_call.hpp>

using rtos::AsyncCall;
using rtos::IrqLock;

static constexpr unsigned numbers = RT_SIG_MAX;

static bool is_signal(int signo) {
    return signo >= 0 && signo < static_cast<int>(numbers);
}
static constexpr rt_sigset_t bit(int signo) {
    return rt_sigset_t{1} << signo;
}
static rt_sigset_t deliverable(const rt_thread &t) {
    return t.sig_pending & t.sig_mask;
}

// Takes the lowest one of a set out of the pending ones; -1: none. IRQs masked.
static int take(rt_thread &t, rt_sigset_t set) {
    const rt_sigset_t candidates = t.sig_pending & set;
    if (candidates == 0)
        return -1;
    const int signo = __builtin_ctzl(candidates);
    t.sig_pending &= ~bit(signo);
    return signo;
}

// In the thread's own context.
static void run_handlers(void *thread) {
    rt_thread &t = *static_cast<rt_thread_t>(thread);
    for (;;) {
        int signo;
        rt_sighandler_t handler;
        {
            const IrqLock lock;
            signo = take(t, t.sig_mask);
            if (signo < 0)
                return;
            handler = t.sig_vectors ? t.sig_vectors[signo] : SIG_DFL;
        }
        if (handler == SIG_DFL || handler == SIG_IGN) // by default they are ignored
            continue;
        // Of rt_signal_wait(), which it has interrupted: what the handler itself waits for is something else.
        const rt_sigset_t waited = t.sig_waited;
        t.sig_waited = 0;
        {
            const rtos::FpPreserve fp; // the thread may have been interrupted anywhere
            handler(signo);
        }
        t.sig_waited = waited;
    }
}

static AsyncCall &call_of(rt_thread &t) {
    return rt::kernel_object<AsyncCall>(t.signal_call);
}

// IRQs masked.
static void deliver(rt_thread &t) {
    if (t.sig_waited & t.sig_pending) {
        (void)rt::of(t).end_wait(rtos::Status::ok);
        return;
    }
    if (!deliverable(t) || !t.sig_vectors)
        return;
    if (!call_of(t).pending())
        (void)rt::of(t).post(call_of(t));
}

void rt::free_signals(rt_thread &t) {
    rt_thread_free_sig(&t);
}

extern "C" {

void rt_thread_alloc_sig(rt_thread_t tid) {
    RT_REQUIRE(tid, );
    if (tid->sig_vectors)
        return;
    static_assert(SIG_DFL == nullptr);
    auto *const vectors = static_cast<rt_sighandler_t *>(rt_calloc(numbers, sizeof(rt_sighandler_t)));
    if (!vectors)
        return;
    rt::make_kernel_object<AsyncCall>(tid->signal_call, run_handlers, static_cast<void *>(tid));
    const IrqLock lock;
    tid->sig_vectors = vectors;
    deliver(*tid);
}

void rt_thread_free_sig(rt_thread_t tid) {
    RT_REQUIRE(tid, );
    rt_sighandler_t *const vectors = tid->sig_vectors;
    if (!vectors)
        return;
    {
        const IrqLock lock;
        tid->sig_vectors = nullptr;
        call_of(*tid).cancel();
    }
    rt_free(vectors);
}

rt_sighandler_t rt_signal_install(int signo, rt_sighandler_t handler) {
    if (!is_signal(signo))
        return SIG_ERR;
    rt_thread_t self = rt_thread_self();
    rt_thread_alloc_sig(self);
    if (!self->sig_vectors)
        return SIG_ERR;
    const IrqLock lock;
    const rt_sighandler_t before = self->sig_vectors[signo];
    self->sig_vectors[signo] = handler;
    return before;
}

void rt_signal_mask(int signo) {
    RT_REQUIRE(is_signal(signo), );
    rt_thread_t self = rt_thread_self();
    const IrqLock lock;
    self->sig_mask &= ~bit(signo);
}

void rt_signal_unmask(int signo) {
    RT_REQUIRE(is_signal(signo), );
    rt_thread_t self = rt_thread_self();
    const IrqLock lock;
    self->sig_mask |= bit(signo);
    deliver(*self);
}

int rt_thread_kill(rt_thread_t tid, int sig) {
    RT_REQUIRE(tid && rt::is_object(&tid->parent, RT_Object_Class_Thread), -RT_EINVAL);
    if (!is_signal(sig))
        return -RT_EINVAL;
    const IrqLock lock;
    if (rt::of(*tid).has_ended())
        return -RT_EINVAL;
    tid->sig_pending |= bit(sig);
    deliver(*tid);
    return RT_EOK;
}

int rt_signal_wait(const rt_sigset_t *set, rt_siginfo_t *si, rt_int32_t timeout) {
    RT_REQUIRE(set && *set != 0 && si, -RT_EINVAL);
    const rt_err_t error = timeout == 0 ? RT_EOK : rt::blocking_error();
    RT_REQUIRE(error == RT_EOK, error);
    rt_thread_t self = rt_thread_self();
    const rtos::Time deadline = rt::deadline_of(timeout);
    rtos::WaitQueue here;
    const IrqLock lock;
    int signo;
    while ((signo = take(*self, *set)) < 0) {
        self->sig_waited = *set;
        const rtos::Status result = here.wait(lock, deadline);
        self->sig_waited = 0;
        if (result == rtos::Status::timeout && !(self->sig_pending & *set))
            return rt::fail(-RT_ETIMEOUT);
    }
    *si = {};
    si->si_signo = signo;
    return RT_EOK;
}
}
