// SPDX-License-Identifier: BSD-3-Clause
#include "thread.hpp"
#include "wait.hpp"

#include <ipc/waitqueue.h>

using rtos::IrqLock;
using rtos::Status;

// For the kernel each wait is one in a queue of its own.
static int wait(rt_wqueue_t *queue, int condition, int timeout, rt::Until end, const char *call) {
    if (!queue)
        return rt::refuse("a wait queue", call);
    if (condition)
        return RT_EOK;
    const rt_tick_t ticks = rt_tick_from_millisecond(timeout);
    if (const rt_err_t error = rt::before_wait(timeout, -RT_ETIMEOUT, call))
        return static_cast<int>(error);
    const rtos::Time deadline = rt::deadline_of(static_cast<rt_int32_t>(ticks));
    DEFINE_WAIT(node);
    rtos::WaitQueue here;
    Status result;
    const IrqLock lock;
    if (queue->flag == RT_WQ_FLAG_WAKEUP) {
        queue->flag = RT_WQ_FLAG_CLEAN;
        return RT_EOK;
    }
    rt_list_insert_before(&queue->waiting_list, &node.list);
    do
        result = here.wait(lock, deadline);
    while (result == Status::interrupted && end == rt::Until::done && !rt_list_isempty(&node.list));
    // Who wakes it takes it out of the list.
    const bool woken = rt_list_isempty(&node.list);
    rt_list_remove(&node.list);
    queue->flag = RT_WQ_FLAG_CLEAN;
    return woken ? RT_EOK : static_cast<int>(rt::fail(rt::error_of(result)));
}

// False: none of the waiters is to be woken. IRQs masked.
static bool wake_one(rt_wqueue_t *queue, void *key) {
    rt_wqueue_node *node;
    rt_wqueue_node *next;
    rt_list_for_each_entry_safe(node, next, &queue->waiting_list, list) {
        if (node->wakeup(node, key) != 0)
            continue;
        rt_list_remove(&node->list);
        if (node->polling_thread) {
            rtos::Thread &thread = rt::of(*node->polling_thread);
            // One that waits here stays suspended, should somebody have suspended it meanwhile; one that
            // added itself and suspended itself is to be resumed.
            if (thread.end_wait(Status::ok) != Status::ok)
                (void)thread.resume();
        }
        return true;
    }
    return false;
}

extern "C" {

int __wqueue_default_wake(rt_wqueue_node *, void *) {
    return 0;
}

void rt_wqueue_add(rt_wqueue_t *queue, rt_wqueue_node *node) {
    RT_REQUIRE(queue && node, );
    const rtos::IrqMask masked;
    rt_list_insert_before(&queue->waiting_list, &node->list);
}

void rt_wqueue_remove(rt_wqueue_node *node) {
    RT_REQUIRE(node, );
    const rtos::IrqMask masked;
    rt_list_remove(&node->list);
}

int rt_wqueue_wait(rt_wqueue_t *queue, int condition, int timeout) {
    return wait(queue, condition, timeout, rt::Until::done, RT_THIS_CALL);
}
RT_SAME_AS(rt_wqueue_wait, rt_wqueue_wait_killable);
int rt_wqueue_wait_interruptible(rt_wqueue_t *queue, int condition, int timeout) {
    return wait(queue, condition, timeout, rt::Until::done_or_signal, RT_THIS_CALL);
}

void rt_wqueue_wakeup(rt_wqueue_t *queue, void *key) {
    RT_REQUIRE(queue, );
    const IrqLock lock;
    // What is announced while nobody waits, the next one finds.
    queue->flag = RT_WQ_FLAG_WAKEUP;
    (void)wake_one(queue, key);
}

void rt_wqueue_wakeup_all(rt_wqueue_t *queue, void *key) {
    RT_REQUIRE(queue, );
    const IrqLock lock;
    queue->flag = RT_WQ_FLAG_WAKEUP;
    while (wake_one(queue, key)) {
    }
}
}
