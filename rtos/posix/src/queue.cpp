// SPDX-License-Identifier: BSD-3-Clause
// Message queues by name.
#include "queue.hpp"

#include <new>

#include <rtos/heap.hpp>
#include <rtos/irq_lock.hpp>
#include <rtos/scheduler_lock.hpp>

namespace rtos::posix {

static constinit Names names;

static void destroy(Queue &q) {
    q.notification.dispose();
    q.~Queue();
    (void)system_heap().free(&q);
}

void release_queue(void *queue) {
    Queue &q = *static_cast<Queue *>(queue);
    {
        const SchedulerLock lock;
        if (names.close(q))
            return;
    }
    destroy(q);
}

static Queue *make(const char *name, const mq_attr &a, int &error) {
    if (a.mq_maxmsg <= 0 || a.mq_maxmsg > UINT16_MAX || a.mq_msgsize <= 0 ||
        a.mq_msgsize > static_cast<long>(MessageQueue::longest))
        return error = EINVAL, nullptr;
    const size_t slot = MessageQueue::slot_size(static_cast<size_t>(a.mq_msgsize));
    const size_t slots = static_cast<size_t>(a.mq_maxmsg);
    constexpr size_t head = (sizeof(Queue) + 15) / 16 * 16;
    void *const memory = slots < SIZE_MAX / 2 / slot ? system_heap().allocate(head + slots * slot) : nullptr;
    if (!memory)
        return error = ENOSPC, nullptr;
    error = 0;
    return new (memory) Queue(name, static_cast<char *>(memory) + head, a);
}

static Queue *open_existing(const char *name, int flags, int &error) {
    return static_cast<Queue *>(names.open(name, flags, error));
}

int open_queue(const char *name, int flags, const mq_attr &attributes, Queue *&opened) {
    int error = check_name(name);
    if (!error) {
        const SchedulerLock lock;
        opened = open_existing(name, flags, error);
    }
    if (error == ENOENT && (flags & O_CREAT)) {
        Queue *const made = make(name, attributes, error);
        if (made) {
            bool superfluous = false;
            {
                const SchedulerLock lock;
                opened = open_existing(name, flags, error); // another thread may have been faster
                if (error == ENOENT) {
                    names.add(*made, name);
                    made->entry.enlist();
                    opened = made;
                    error = 0;
                } else {
                    superfluous = true;
                }
            }
            if (superfluous)
                destroy(*made);
        }
    }
    return error;
}

int unlink_queue(const char *name) {
    if (const int error = check_name(name))
        return error == EINVAL ? ENOENT : error;
    Queue *q;
    {
        const SchedulerLock lock;
        q = static_cast<Queue *>(names.find(name));
        if (!q)
            return ENOENT;
        if (names.unlink(*q))
            return 0;
    }
    destroy(*q);
    return 0;
}

} // namespace rtos::posix
