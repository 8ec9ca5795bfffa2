// SPDX-License-Identifier: BSD-3-Clause
// Cancellation, cleanup handlers, and the end of a thread.
#include "cancel.hpp"

#include <errno.h>

#include "cxx.hpp"
#include "keys.hpp"
#include "stdio_lock.hpp"
#include "thread_control.hpp"

namespace rtos::posix {

void exit_thread(ThreadControl &c, void *result) {
    c.exiting = true;
    c.cancel_timer.stop();
    c.result = result;
    while (_pthread_cleanup_context *const handler = c.cleanup) {
        c.cleanup = handler->_previous;
        handler->_routine(handler->_arg);
    }
    destroy_thread_locals(c);
    destroy_specific(c);
    flush_own_streams(c.reent);
    {
        const IrqLock lock;
        c.blocked = ~uint64_t{0};
        c.entry.delist();
    }
    Thread::exit();
}

void cancel_in_thread(void *control) {
    ThreadControl &c = *static_cast<ThreadControl *>(control);
    if (!c.cancel_due())
        return;
    if (c.cancel_type == PTHREAD_CANCEL_ASYNCHRONOUS)
        exit_thread(c, PTHREAD_CANCELED);
    // A wait has been ended; if it had not begun yet, it is as soon as it has.
    if (c.at_point)
        cancel_wait(&c);
}

void cancel_wait(void *control) {
    static constexpr Duration again = microseconds(50);
    ThreadControl &c = *static_cast<ThreadControl *>(control);
    const IrqLock lock;
    if (c.at_point && c.cancel_due() && c.thread->end_wait() != Status::ok)
        c.cancel_timer.start(now() + again);
}

CancellationPoint::CancellationPoint() : control_(self()), outer_(control_.at_point) {
    control_.at_point = true; // before the test, so that a request after it finds the point
    if (control_.cancel_due()) {
        leave();
        exit_thread(control_, PTHREAD_CANCELED);
    }
}

void CancellationPoint::leave() {
    control_.at_point = outer_;
}

} // namespace rtos::posix

using namespace rtos;
using namespace rtos::posix;

extern "C" {

int pthread_cancel(pthread_t handle) {
    const IrqLock lock;
    ThreadControl *const c = find(handle);
    if (!c)
        return ESRCH;
    if (!c->cancelled && !c->exiting) {
        c->cancelled = true;
        (void)c->thread->post(c->cancel_call); // fails only for a thread that has ended
    }
    return 0;
}

int pthread_setcancelstate(int state, int *old) {
    if (state != PTHREAD_CANCEL_ENABLE && state != PTHREAD_CANCEL_DISABLE)
        return EINVAL;
    ThreadControl &c = self();
    if (old)
        *old = c.cancel_state;
    c.cancel_state = static_cast<uint8_t>(state);
    if (c.cancel_type == PTHREAD_CANCEL_ASYNCHRONOUS && c.cancel_due())
        exit_thread(c, PTHREAD_CANCELED);
    return 0;
}

int pthread_setcanceltype(int type, int *old) {
    if (type != PTHREAD_CANCEL_DEFERRED && type != PTHREAD_CANCEL_ASYNCHRONOUS)
        return EINVAL;
    ThreadControl &c = self();
    if (old)
        *old = c.cancel_type;
    c.cancel_type = static_cast<uint8_t>(type);
    if (type == PTHREAD_CANCEL_ASYNCHRONOUS && c.cancel_due())
        exit_thread(c, PTHREAD_CANCELED);
    return 0;
}

void pthread_testcancel() {
    const CancellationPoint point;
}

void _pthread_cleanup_push(_pthread_cleanup_context *context, void (*routine)(void *), void *argument) {
    ThreadControl &c = self();
    context->_routine = routine;
    context->_arg = argument;
    context->_canceltype = c.cancel_type;
    context->_previous = c.cleanup;
    c.cleanup = context;
}

void _pthread_cleanup_pop(_pthread_cleanup_context *context, int execute) {
    self().cleanup = context->_previous;
    if (execute)
        context->_routine(context->_arg);
}

void pthread_exit(void *result) {
    exit_thread(self(), result);
}

} // extern "C"
