// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <mqueue.h>

#include <rtos/message_queue.hpp>
#include <rtos/object.hpp>

#include "names.hpp"
#include "notification.hpp"

namespace rtos::posix {

static_assert(MQ_PRIO_MAX == MessageQueue::levels);

struct Queue : Named {
    Queue(const char *its_name, void *memory, const mq_attr &a)
        : queue(memory, static_cast<size_t>(a.mq_msgsize), static_cast<uint32_t>(a.mq_maxmsg)),
          entry(Object::Kind::message_queue, its_name + 1, &queue, Object::Layer::posix) {}

    MessageQueue queue;
    Object entry;
    Notification notification;
    mqd_t notified = -1; // the descriptor that notification was asked for through

    // MessageQueue::Notify: IRQs masked. It is over with the first message.
    static void arrived(void *q) {
        Queue &self = *static_cast<Queue *>(q);
        self.notified = -1;
        self.notification.fire(nullptr);
    }
};

// Open or make the queue of this name: 0, or an error number of mq_open. Its references are those of the
// descriptors and calls that use it, the new one among them.
int open_queue(const char *name, int flags, const mq_attr &attributes, Queue *&opened);
// An error number of mq_unlink.
int unlink_queue(const char *name);
// Give back a reference to a Queue.
void release_queue(void *queue);

} // namespace rtos::posix
