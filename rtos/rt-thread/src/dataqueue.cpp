// SPDX-License-Identifier: BSD-3-Clause
#include "kernel_object.hpp"
#include "wait.hpp"

#include <ipc/dataqueue.h>

using rtos::IrqLock;
using rtos::Status;
using rtos::WaitQueue;

struct rt_data_item {
    const void *data;
    rt_size_t size;
};

static constexpr rt_uint32_t initialised = 0xbead0e0e;

static WaitQueue &pushers(rt_data_queue &q) {
    return rt::kernel_object<WaitQueue>(q.pushers);
}
static WaitQueue &poppers(rt_data_queue &q) {
    return rt::kernel_object<WaitQueue>(q.poppers);
}
static bool usable(const rt_data_queue *q) {
    return q && q->magic == initialised;
}
static void notify(rt_data_queue &q, rt_uint32_t event) {
    if (q.evt_notify)
        q.evt_notify(&q, event);
}
static rt_uint16_t next(const rt_data_queue &q, rt_uint16_t index) {
    return index + 1 == q.size ? 0 : static_cast<rt_uint16_t>(index + 1);
}

// Until the deadline, and while ready() is false. IRQs masked.
template <class Ready>
static Status await(WaitQueue &waiters, const IrqLock &lock, const rt_data_queue &q, rtos::Time deadline,
                    Ready ready) {
    while (!ready()) {
        const Status result = waiters.wait(lock, deadline);
        if (!usable(&q))
            return Status::deleted;
        if (result != Status::ok && result != Status::interrupted && !ready())
            return result;
    }
    return Status::ok;
}

extern "C" {

rt_err_t rt_data_queue_init(rt_data_queue *queue, rt_uint16_t size, rt_uint16_t lwm,
                            void (*evt_notify)(rt_data_queue *queue, rt_uint32_t event)) {
    RT_REQUIRE(queue && size != 0, -RT_EINVAL);
    queue->queue = static_cast<rt_data_item *>(rt_calloc(size, sizeof(rt_data_item)));
    if (!queue->queue)
        return -RT_ENOMEM;
    queue->size = size;
    queue->lwm = lwm;
    queue->get_index = queue->put_index = queue->count = 0;
    queue->evt_notify = evt_notify;
    rt::make_kernel_object<WaitQueue>(queue->pushers);
    rt::make_kernel_object<WaitQueue>(queue->poppers);
    queue->magic = initialised;
    return RT_EOK;
}

rt_err_t rt_data_queue_push(rt_data_queue *queue, const void *data_ptr, rt_size_t data_size,
                            rt_int32_t timeout) {
    RT_REQUIRE(usable(queue), -RT_EINVAL);
    if (queue->count == queue->size)
        if (const rt_err_t error = rt::before_wait(timeout, -RT_ETIMEOUT, RT_THIS_CALL))
            return error;
    const rtos::Time deadline = rt::deadline_of(timeout);
    {
        const IrqLock lock;
        const Status result =
            await(pushers(*queue), lock, *queue, deadline, [=] { return queue->count < queue->size; });
        if (result != Status::ok)
            return rt::fail(rt::error_of(result));
        queue->queue[queue->put_index] = {data_ptr, data_size};
        queue->put_index = next(*queue, queue->put_index);
        ++queue->count;
        poppers(*queue).wake_first();
    }
    notify(*queue, RT_DATAQUEUE_EVENT_PUSH);
    return RT_EOK;
}

rt_err_t rt_data_queue_pop(rt_data_queue *queue, const void **data_ptr, rt_size_t *size, rt_int32_t timeout) {
    RT_REQUIRE(usable(queue) && data_ptr && size, -RT_EINVAL);
    if (queue->count == 0)
        if (const rt_err_t error = rt::before_wait(timeout, -RT_ETIMEOUT, RT_THIS_CALL))
            return error;
    const rtos::Time deadline = rt::deadline_of(timeout);
    bool low;
    {
        const IrqLock lock;
        const Status result =
            await(poppers(*queue), lock, *queue, deadline, [=] { return queue->count > 0; });
        if (result != Status::ok)
            return rt::fail(rt::error_of(result));
        const rt_data_item item = queue->queue[queue->get_index];
        *data_ptr = item.data;
        *size = item.size;
        queue->get_index = next(*queue, queue->get_index);
        --queue->count;
        low = queue->count <= queue->lwm;
        if (low)
            pushers(*queue).wake_first();
    }
    if (low)
        notify(*queue, RT_DATAQUEUE_EVENT_LWM);
    notify(*queue, RT_DATAQUEUE_EVENT_POP);
    return RT_EOK;
}

rt_err_t rt_data_queue_peek(rt_data_queue *queue, const void **data_ptr, rt_size_t *size) {
    RT_REQUIRE(usable(queue) && data_ptr && size, -RT_EINVAL);
    const rtos::IrqMask masked;
    if (queue->count == 0)
        return -RT_EEMPTY;
    *data_ptr = queue->queue[queue->get_index].data;
    *size = queue->queue[queue->get_index].size;
    return RT_EOK;
}

void rt_data_queue_reset(rt_data_queue *queue) {
    RT_REQUIRE(usable(queue), );
    const IrqLock lock;
    queue->get_index = queue->put_index = queue->count = 0;
    pushers(*queue).wake_all(lock, Status::deleted);
    poppers(*queue).wake_all(lock, Status::deleted);
}

rt_err_t rt_data_queue_deinit(rt_data_queue *queue) {
    RT_REQUIRE(usable(queue), -RT_EINVAL);
    queue->magic = 0;
    pushers(*queue).close();
    poppers(*queue).close();
    rt_free(queue->queue);
    queue->queue = nullptr;
    return RT_EOK;
}

rt_uint16_t rt_data_queue_len(rt_data_queue *queue) {
    RT_REQUIRE(usable(queue), 0);
    return queue->count;
}
}
