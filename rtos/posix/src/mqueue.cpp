// SPDX-License-Identifier: BSD-3-Clause
// Message queues: descriptors and what is done with them.
#include <mqueue.h>
#include <pthread.h>
#include <stdarg.h>

#include "clock.hpp"
#include "queue.hpp"
#include "status.hpp"
#include "thread_control.hpp"

namespace rtos::posix {

namespace {

struct Descriptor {
    Queue *queue;
    int flags; // O_ACCMODE and O_NONBLOCK
};

constinit Descriptor descriptors[MQ_OPEN_MAX];

constexpr mq_attr default_queue = {.mq_flags = 0, .mq_maxmsg = 8, .mq_msgsize = 128, .mq_curmsgs = 0};

// What a call is about; the queue stays while it is used. IRQs masked.
Queue *acquire(mqd_t d, int access, int &flags) {
    if (d < 0 || d >= MQ_OPEN_MAX || !descriptors[d].queue)
        return nullptr;
    flags = descriptors[d].flags;
    const int mode = flags & O_ACCMODE;
    if (access >= 0 && mode != O_RDWR && mode != access)
        return nullptr;
    ++descriptors[d].queue->references;
    return descriptors[d].queue;
}

mqd_t new_descriptor(Queue &q, int flags) {
    const IrqLock lock;
    for (mqd_t d = 0; d < MQ_OPEN_MAX; ++d) {
        if (descriptors[d].queue)
            continue;
        descriptors[d] = {&q, flags & (O_ACCMODE | O_NONBLOCK)};
        return d;
    }
    return -1;
}

int queue_error(Status s) {
    return s == Status::deleted ? EBADF : error_of(s);
}

// Run operation(queue, deadline) on the queue of d: at once if that is possible, then as a wait.
template <class Attempt, class Operation>
int transfer(mqd_t d, int access, const timespec *until, Attempt attempt, Operation operation) {
    CancellationPoint point;
    int flags = 0;
    Queue *q;
    {
        const IrqLock lock;
        q = acquire(d, access, flags);
    }
    if (!q)
        return EBADF;
    int error = attempt(*q);
    if (error == EAGAIN && !(flags & O_NONBLOCK)) {
        if (until && !valid(*until)) {
            error = EINVAL;
        } else {
            const Time deadline = until ? deadline_of(CLOCK_REALTIME, *until) : Time::never();
            pthread_cleanup_push(release_queue, q);
            error = queue_error(point.run([&] { return operation(*q, deadline); }));
            pthread_cleanup_pop(0);
        }
    }
    release_queue(q);
    return error;
}

int send(mqd_t d, const char *message, size_t length, unsigned priority, const timespec *until) {
    if (priority >= MQ_PRIO_MAX)
        return EINVAL;
    return transfer(
        d, O_WRONLY, until,
        [=](Queue &q) {
            return length > q.queue.maximum() ? EMSGSIZE
                                              : queue_error(q.queue.try_send(message, length, priority));
        },
        [=](Queue &q, Time deadline) { return q.queue.send(message, length, deadline, priority); });
}

ssize_t receive(mqd_t d, char *buffer, size_t room, unsigned *priority, const timespec *until) {
    size_t length = 0;
    const int error = transfer(
        d, O_RDONLY, until,
        [&](Queue &q) {
            return room < q.queue.maximum()
                       ? EMSGSIZE
                       : queue_error(q.queue.try_receive(buffer, room, length, priority));
        },
        [&](Queue &q, Time deadline) { return q.queue.receive(buffer, room, length, deadline, priority); });
    return error ? with_errno(error) : static_cast<ssize_t>(length);
}

} // namespace
} // namespace rtos::posix

using namespace rtos;
using namespace rtos::posix;

extern "C" {

mqd_t mq_open(const char *name, int flags, ...) {
    mq_attr attributes = default_queue;
    if (flags & O_CREAT) {
        va_list arguments;
        va_start(arguments, flags);
        (void)va_arg(arguments, mode_t);
        if (const mq_attr *const given = va_arg(arguments, const mq_attr *))
            attributes = *given;
        va_end(arguments);
    }
    Queue *q = nullptr;
    const int error = (flags & O_ACCMODE) == O_ACCMODE ? EINVAL : open_queue(name, flags, attributes, q);
    if (error)
        return with_errno(error);
    const mqd_t d = new_descriptor(*q, flags);
    if (d < 0) {
        release_queue(q);
        return with_errno(EMFILE);
    }
    return d;
}

int mq_close(mqd_t d) {
    Queue *q;
    bool notified;
    {
        const IrqLock lock;
        int flags;
        q = posix::acquire(d, -1, flags);
        if (!q)
            return with_errno(EBADF);
        descriptors[d].queue = nullptr;
        --q->references; // acquire's; the descriptor's is still there
        notified = q->notified == d;
        if (notified) {
            q->queue.on_arrival(nullptr, nullptr);
            q->notified = -1;
        }
    }
    if (notified)
        q->notification.dispose();
    release_queue(q);
    return 0;
}

int mq_unlink(const char *name) {
    return with_errno(unlink_queue(name));
}

int mq_send(mqd_t d, const char *message, size_t length, unsigned priority) {
    return with_errno(posix::send(d, message, length, priority, nullptr));
}

int mq_timedsend(mqd_t d, const char *message, size_t length, unsigned priority, const timespec *until) {
    return with_errno(posix::send(d, message, length, priority, until));
}

ssize_t mq_receive(mqd_t d, char *buffer, size_t room, unsigned *priority) {
    return posix::receive(d, buffer, room, priority, nullptr);
}

ssize_t mq_timedreceive(mqd_t d, char *buffer, size_t room, unsigned *priority, const timespec *until) {
    return posix::receive(d, buffer, room, priority, until);
}

int mq_notify(mqd_t d, const sigevent *event) {
    int flags;
    Queue *q;
    {
        const IrqLock lock;
        q = posix::acquire(d, -1, flags);
        if (!q)
            return with_errno(EBADF);
        if (!event || q->notified < 0) {
            q->queue.on_arrival(nullptr, nullptr);
            q->notified = event ? d : -1;
        } else {
            --q->references;
            return with_errno(EBUSY);
        }
    }
    q->notification.dispose();
    int error = 0;
    if (event) {
        error = q->notification.prepare(event, SI_MESGQ);
        const IrqLock lock;
        if (error)
            q->notified = -1;
        else
            q->queue.on_arrival(Queue::arrived, q);
    }
    release_queue(q);
    return with_errno(error);
}

int mq_getattr(mqd_t d, mq_attr *a) {
    const IrqLock lock;
    int flags;
    Queue *const q = posix::acquire(d, -1, flags);
    if (!q)
        return with_errno(EBADF);
    --q->references;
    *a = {.mq_flags = flags & O_NONBLOCK,
          .mq_maxmsg = static_cast<long>(q->queue.capacity()),
          .mq_msgsize = static_cast<long>(q->queue.maximum()),
          .mq_curmsgs = static_cast<long>(q->queue.count())};
    return 0;
}

int mq_setattr(mqd_t d, const mq_attr *a, mq_attr *old) {
    if (old && mq_getattr(d, old) != 0)
        return -1;
    const IrqLock lock;
    if (d < 0 || d >= MQ_OPEN_MAX || !descriptors[d].queue)
        return with_errno(EBADF);
    int &flags = descriptors[d].flags;
    flags = (flags & ~O_NONBLOCK) | (a->mq_flags & O_NONBLOCK);
    return 0;
}

} // extern "C"
