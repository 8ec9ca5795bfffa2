// SPDX-License-Identifier: BSD-3-Clause
#include "kernel_object.hpp"
#include "object.hpp"
#include "tick.hpp"

#include <ipc/workqueue.h>

#include <rtos/work_queue.hpp>

using rtos::Status;
using rtos::Work;
using rtos::WorkQueue;

struct rt_workqueue {
    WorkQueue kernel;
    rt_thread_t thread;
};

static Work &of(rt_work &w) {
    return rt::kernel_object<Work>(w.kernel);
}

static void run_queue(void *queue) {
    static_cast<rt_workqueue *>(queue)->kernel.run();
}

static void run_work(Work &, void *work) {
    auto &w = *static_cast<rt_work *>(work);
    w.work_func(&w, w.work_data);
}

static rt_workqueue *system_queue;

static int begin_system_queue(void) {
    system_queue =
        rt_workqueue_create("sys workq", RT_SYSTEM_WORKQUEUE_STACKSIZE, RT_SYSTEM_WORKQUEUE_PRIORITY);
    return system_queue ? RT_EOK : -RT_ENOMEM;
}
// Only in an image that has works at all.
INIT_PREV_EXPORT(begin_system_queue);

static rt_err_t submitted(rt_workqueue *queue, rt_work *work, Status status) {
    if (status == Status::ok)
        work->workqueue = queue;
    return rt::error_of(status);
}

// Nothing to cancel is no error.
static rt_err_t cancelled(Status status) {
    return status == Status::invalid ? RT_EOK : rt::error_of(status);
}

extern "C" {

void rt_work_init(rt_work *work, void (*work_func)(rt_work *work, void *work_data), void *work_data) {
    RT_REQUIRE(work && work_func, );
    work->work_func = work_func;
    work->work_data = work_data;
    work->workqueue = nullptr;
    rt::make_kernel_object<Work>(work->kernel, run_work, static_cast<void *>(work));
}

rt_workqueue *rt_workqueue_create(const char *name, rt_uint16_t stack_size, rt_uint8_t priority) {
    void *const memory = rt_malloc(sizeof(rt_workqueue));
    if (!memory)
        return nullptr;
    auto *const queue = new (memory) rt_workqueue{};
    queue->thread = rt_thread_create(name, run_queue, queue, stack_size, priority, 10);
    if (!queue->thread) {
        rt_free(queue);
        return nullptr;
    }
    rt_thread_startup(queue->thread);
    return queue;
}

rt_err_t rt_workqueue_destroy(rt_workqueue *queue) {
    RT_REQUIRE(queue && queue->thread != rt_thread_self(), -RT_EINVAL);
    queue->kernel.cancel_all();
    rt_thread_delete(queue->thread);
    queue->~rt_workqueue();
    rt_free(queue);
    return RT_EOK;
}

rt_err_t rt_workqueue_dowork(rt_workqueue *queue, rt_work *work) {
    RT_REQUIRE(queue && work, -RT_EINVAL);
    return submitted(queue, work, queue->kernel.submit(of(*work)));
}

rt_err_t rt_workqueue_submit_work(rt_workqueue *queue, rt_work *work, rt_tick_t ticks) {
    RT_REQUIRE(queue && work && ticks < RT_TICK_MAX / 2, -RT_EINVAL);
    return submitted(queue, work,
                     ticks == 0 ? queue->kernel.submit(of(*work))
                                : queue->kernel.submit_at(of(*work), rt::deadline_in(ticks)));
}

rt_err_t rt_workqueue_urgent_work(rt_workqueue *queue, rt_work *work) {
    RT_REQUIRE(queue && work, -RT_EINVAL);
    return submitted(queue, work, queue->kernel.submit_urgent(of(*work)));
}

rt_err_t rt_workqueue_critical_work(rt_workqueue *queue, rt_work *work) {
    RT_REQUIRE(queue && work, -RT_EINVAL);
    return submitted(queue, work, queue->kernel.submit_urgent(of(*work)));
}

rt_err_t rt_workqueue_cancel_work(rt_workqueue *queue, rt_work *work) {
    RT_REQUIRE(queue && work, -RT_EINVAL);
    return cancelled(queue->kernel.cancel(of(*work)));
}

rt_err_t rt_workqueue_cancel_work_sync(rt_workqueue *queue, rt_work *work) {
    RT_REQUIRE(queue && work, -RT_EINVAL);
    const rt_err_t error = rt::blocking_error();
    RT_REQUIRE(error == RT_EOK, error);
    return cancelled(queue->kernel.cancel_sync(of(*work)));
}

rt_err_t rt_workqueue_cancel_all_work(rt_workqueue *queue) {
    RT_REQUIRE(queue, -RT_EINVAL);
    queue->kernel.cancel_all();
    return RT_EOK;
}

rt_err_t rt_work_submit(rt_work *work, rt_tick_t ticks) {
    return rt_workqueue_submit_work(system_queue, work, ticks);
}

rt_err_t rt_work_urgent(rt_work *work) {
    return rt_workqueue_urgent_work(system_queue, work);
}

rt_err_t rt_work_cancel(rt_work *work) {
    return rt_workqueue_cancel_work(system_queue, work);
}
}
