// SPDX-License-Identifier: BSD-3-Clause
// What POSIX and newlib keep of a thread.
#pragma once

#include <limits.h>
#include <pthread.h>
#include <reent.h>
#include <signal.h>

#include <rtos/object.hpp>
#include <rtos/thread.hpp>

#include "signal_queue.hpp"
#include "tls.hpp"

namespace rtos::posix {

struct ThreadControl : CLibrary {
    // Where pthread_create finds a thread, or where one of another interface is taken in.
    explicit ThreadControl(Thread &t);

    Thread *const thread;
    pthread_t handle = 0;
    void *(*start)(void *) = nullptr;
    void *argument = nullptr;
    void *result = PTHREAD_CANCELED; // of a thread that was ended from outside
    uint8_t policy = SCHED_FIFO;
    bool detached = false;
    bool joining = false;
    bool reaped = false;               // the kernel is done with it
    bool counted = false;              // in ended_run_ticks
    bool adopted = false;              // its kernel object is somebody else's
    Thread::Hook owner_hook = nullptr; // which has this
    bool exiting = false;

    // Cancellation.
    uint8_t cancel_state = PTHREAD_CANCEL_ENABLE;
    uint8_t cancel_type = PTHREAD_CANCEL_DEFERRED;
    bool cancelled = false;
    bool at_point = false; // in a function that is a cancellation point
    AsyncCall cancel_call;
    Timer cancel_timer; // ends a wait that began after cancel_call ran
    struct _pthread_cleanup_context *cleanup = nullptr;

    const void *specific[PTHREAD_KEYS_MAX] = {};

    // Signals.
    uint64_t blocked = 0;
    SignalQueue pending;
    AsyncCall signal_call;
    bool handled = false; // a handler without SA_RESTART ran: the wait it ended is EINTR
    unsigned handlers_run = 0;

    void *exception_globals[3] = {}; // libsupc++'s __cxa_eh_globals
    void *destructors = nullptr;     // of thread_local objects, see cxx.cpp
    Object entry;

    bool cancel_due() const { return cancelled && cancel_state == PTHREAD_CANCEL_ENABLE && !exiting; }
};

// The running thread's. A thread of another interface gets one at its first call that needs one; null when
// there is no memory for it, or in an ISR before that.
ThreadControl *self_or_null();
// The same for calls that have no way to fail; ends the thread with a report if there is no memory.
ThreadControl &self();

// The thread of this handle, or null: it has ended and been joined, or never was. IRQs masked.
ThreadControl *find(pthread_t handle);
// Call f(ThreadControl &) for each thread until it returns true. IRQs masked, or the scheduler locked.
template <class F> void for_each_thread(F f);

struct ThreadSlot {
    ThreadControl *control;
    uint32_t generation;
};
extern ThreadSlot thread_slots[PTHREAD_THREADS_MAX];
extern unsigned thread_slots_used; // so many slots from the first have ever been used

template <class F> void for_each_thread(F f) {
    for (unsigned i = 0; i < thread_slots_used; ++i)
        if (ThreadControl *const c = thread_slots[i].control)
            if (f(*c))
                return;
}

// Priorities: POSIX's rise with importance, the kernel's fall; idle's is nobody's.
inline constexpr int lowest_priority = 1;
inline constexpr int highest_priority = idle_priority;
constexpr unsigned to_kernel(int priority) {
    return idle_priority - static_cast<unsigned>(priority);
}
constexpr int to_posix(unsigned priority) {
    return static_cast<int>(idle_priority - priority);
}
constexpr bool valid_priority(int priority) {
    return priority >= lowest_priority && priority <= highest_priority;
}
constexpr bool valid_policy(int policy) {
    return policy == SCHED_FIFO || policy == SCHED_RR || policy == SCHED_OTHER;
}
// SCHED_RR's, and so SCHED_OTHER's.
inline constexpr Duration round_robin_slice = milliseconds(10);
void apply_policy(ThreadControl &c, int policy);

// Run cleanup handlers and destructors, and end the running thread.
[[noreturn]] void exit_thread(ThreadControl &c, void *result);

// End all threads of POSIX ("the process"), the running one last.
[[noreturn]] void end_process(const char *why, int value);

// Scope of a function that is a cancellation point: while it lasts a cancellation request ends the
// thread's wait, or keeps it from beginning. Acts on a request before and after.
class CancellationPoint {
  public:
    CancellationPoint();
    CancellationPoint(const CancellationPoint &) = delete;
    CancellationPoint &operator=(const CancellationPoint &) = delete;
    ~CancellationPoint() { leave(); }

    // Of an operation that blocks: call it until it ends for another reason than a signal that is to
    // restart it. interrupted: EINTR.
    template <class F> Status run(F operation) {
        for (;;) {
            control_.handled = false;
            const Status s = operation();
            if (s != Status::interrupted)
                return s;
            if (control_.cancel_due()) {
                leave();
                exit_thread(control_, PTHREAD_CANCELED);
            }
            if (control_.handled)
                return s;
        }
    }
    // The scope ends early.
    void leave();
    ThreadControl &control() { return control_; }

  private:
    ThreadControl &control_;
    const bool outer_;
};

// Of an operation that neither signals nor cancellation end.
template <class F> Status uninterrupted(F operation) {
    for (;;) {
        const Status s = operation();
        if (s != Status::interrupted)
            return s;
    }
}

} // namespace rtos::posix
