// SPDX-License-Identifier: BSD-3-Clause
#include "notification.hpp"

#include <errno.h>
#include <new>

#include <rtos/heap.hpp>
#include <rtos/semaphore.hpp>

#include "attributes.hpp"
#include "signal.hpp"
#include "thread_control.hpp"

namespace rtos::posix {

struct NotifyWorker {
    Semaphore events;
    sigevent event;
    bool stop = false;

    static void *run(void *argument) {
        NotifyWorker *const w = static_cast<NotifyWorker *>(argument);
        for (;;) {
            (void)uninterrupted([w] { return w->events.take(); });
            if (w->stop && w->events.count() == 0)
                break; // events that came before the stop are told of
            w->event.sigev_notify_function(w->event.sigev_value);
        }
        w->~NotifyWorker();
        (void)system_heap().free(w);
        return nullptr;
    }
};

static int start_worker(NotifyWorker &w) {
    pthread_attr_t attributes =
        w.event.sigev_notify_attributes ? *w.event.sigev_notify_attributes : default_attributes;
    attributes.detachstate = PTHREAD_CREATE_DETACHED;
    // Signals of the process are not its business.
    ThreadControl &c = self();
    const uint64_t before = c.blocked;
    c.blocked = ~uint64_t{0};
    pthread_t handle;
    const int error = pthread_create(&handle, &attributes, NotifyWorker::run, &w);
    set_mask(c, before);
    return error;
}

int Notification::prepare(const sigevent *event, int code) {
    code_ = code;
    event_.sigev_notify = SIGEV_NONE;
    if (!event)
        return 0;
    switch (event->sigev_notify) {
    case SIGEV_NONE:
        break;
    case SIGEV_SIGNAL:
        if (!valid_signal(event->sigev_signo))
            return EINVAL;
        break;
    case SIGEV_THREAD: {
        if (!event->sigev_notify_function)
            return EINVAL;
        void *const memory = system_heap().allocate(sizeof(NotifyWorker));
        if (!memory)
            return EAGAIN;
        worker_ = new (memory) NotifyWorker{Semaphore{}, *event};
        if (const int error = start_worker(*worker_)) {
            worker_->~NotifyWorker();
            (void)system_heap().free(worker_);
            worker_ = nullptr;
            return error;
        }
        break;
    }
    default:
        return EINVAL;
    }
    event_ = *event;
    return 0;
}

SignalInfo Notification::info() const {
    return {event_.sigev_signo, code_, reinterpret_cast<uintptr_t>(event_.sigev_value.sival_ptr)};
}

void Notification::fire(SignalEntry *entry) {
    if (worker_) {
        (void)worker_->events.release();
    } else if (is_signal()) {
        const SignalInfo i = info();
        generate(nullptr, entry ? entry : make_entry(i), i);
    }
}

void Notification::dispose() {
    event_.sigev_notify = SIGEV_NONE;
    if (!worker_)
        return;
    worker_->stop = true;
    (void)worker_->events.release();
    worker_ = nullptr;
}

} // namespace rtos::posix
