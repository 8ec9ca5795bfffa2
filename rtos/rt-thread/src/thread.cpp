// SPDX-License-Identifier: BSD-3-Clause
#include "thread.hpp"

#include "object.hpp"
#include "tick.hpp"

#include <rtos/interrupt.hpp>

using rtos::Status;
using rtos::Thread;
using State = rtos::ThreadState;

static_assert(RT_THREAD_PRIORITY_MAX == rtos::idle_priority);

static void (*suspend_hook)(rt_thread_t);
static void (*resume_hook)(rt_thread_t);
static void (*inited_hook)(rt_thread_t);

namespace {

bool usable(const rt_thread_t thread) {
    return rt::is_object(rt::object_of(thread), RT_Object_Class_Thread);
}

// Threads of the kernel and of other interfaces: only their own end ends them here.
bool is_adopted(const rt_thread &t) {
    return t.thread != &rt::kernel_object<Thread>(const_cast<rt_thread &>(t).kernel);
}

// After a thread's end, by the thread that reaps it.
void ended(Thread &kernel) {
    rt_thread &t = *static_cast<rt_thread_t>(kernel.rt_thread);
    if (t.cleanup)
        t.cleanup(&t);
    const bool dynamic = !rt::is_static(t.parent);
    rt::free_signals(t);
    rt::delist(t.parent);
    if (dynamic)
        rt_free(&t);
}

struct EndHook {
    Thread::Hook hook;
};

// The same for an adopted one; then comes what the interface that made it wants at its end.
void adopted_ended(Thread &kernel) {
    rt_thread &t = *static_cast<rt_thread_t>(kernel.rt_thread);
    const Thread::Hook next = rt::kernel_object<EndHook>(t.kernel).hook;
    kernel.rt_thread = nullptr;
    rt::free_signals(t);
    rt::delist(t.parent);
    rt_free(&t);
    if (next)
        next(kernel);
}

Thread &make(rt_thread &t, const char *name, void (*entry)(void *), void *parameter, rt_uint8_t priority,
             rt_uint32_t slice) {
    Thread &kernel =
        rt::make_kernel_object<Thread>(t.kernel, name, static_cast<unsigned>(priority), entry, parameter);
    kernel.rt_thread = &t;
    kernel.set_slice(rt::ticks(slice));
    kernel.set_end_hook(ended);
    t.thread = &kernel;
    t.entry = reinterpret_cast<void *>(entry);
    t.parameter = parameter;
    t.error = RT_EOK;
    t.init_tick = slice;
    t.cleanup = nullptr;
    t.user_data = 0;
    t.sig_pending = t.sig_mask = t.sig_waited = 0;
    t.sig_vectors = nullptr;
    return kernel;
}

void announce(rt_thread &t, unsigned type, const char *name) {
    const Thread &kernel = rt::of(t);
    t.stack_addr = const_cast<void *>(kernel.stack_base());
    t.stack_size = static_cast<rt_uint32_t>(kernel.stack_size());
    rt::enlist(t.parent, type, name, &rt::of(t));
    if (inited_hook)
        inited_hook(&t);
}

rt_err_t change_priority(rt_thread &t, const void *priority) {
    const rt_uint8_t p = *static_cast<const rt_uint8_t *>(priority);
    return rt::error_of(rt::of(t).set_priority(p));
}

// A thread leaves the lists at once, though its memory may serve others only after its end hook.
rt_err_t end(rt_thread &t) {
    const Status status = rt::of(t).terminate(); // does not return if it is the running one
    return rt::error_of(status);
}

rt_err_t sleep_until(rtos::Time deadline) {
    return rt::fail(rt::error_of(Thread::sleep_until(deadline)));
}

} // namespace

namespace rt {

rt_thread_t adopt(Thread &kernel) {
    auto *const t = allocate<rt_thread>();
    if (!t)
        return nullptr;
    {
        const rtos::SchedulerLock lock;
        if (!kernel.rt_thread) {
            // The place of a kernel's object has what is read there, and who else waits for the thread's end.
            rt::make_kernel_object<EndHook>(t->kernel, EndHook{kernel.end_hook()});
            kernel.set_end_hook(adopted_ended);
            t->thread = &kernel;
            t->entry = reinterpret_cast<void *>(kernel.entry_point());
            t->parameter = kernel.entry_argument();
            t->current_priority = t->init_priority = static_cast<rt_uint8_t>(kernel.priority());
            t->stat = RT_THREAD_READY;
            kernel.rt_thread = t;
            announce(*t, RT_Object_Class_Thread, kernel.name());
            return t;
        }
    }
    rt_free(t);
    return static_cast<rt_thread_t>(kernel.rt_thread);
}

} // namespace rt

extern "C" {

rt_err_t rt_thread_init(rt_thread *thread, const char *name, void (*entry)(void *parameter), void *parameter,
                        void *stack_start, rt_uint32_t stack_size, rt_uint8_t priority, rt_uint32_t tick) {
    RT_REQUIRE(thread && entry && stack_start && priority < RT_THREAD_PRIORITY_MAX, -RT_EINVAL);
    const uintptr_t start = reinterpret_cast<uintptr_t>(stack_start);
    const uintptr_t misaligned = RT_ALIGN(start, RT_ALIGN_SIZE) - start;
    RT_REQUIRE(stack_size >= rtos::minimum_stack + misaligned, -RT_EINVAL);
    RT_REQUIRE(!rt::is_listed(thread->parent, RT_Object_Class_Thread), -RT_EINVAL);
    Thread &kernel = make(*thread, name, entry, parameter, priority, tick);
    const Status status =
        kernel.use_stack(reinterpret_cast<void *>(start + misaligned), stack_size - misaligned);
    RT_REQUIRE(status == Status::ok, -RT_EINVAL);
    announce(*thread, RT_Object_Class_Thread | RT_Object_Class_Static, name);
    return RT_EOK;
}

rt_thread_t rt_thread_create(const char *name, void (*entry)(void *parameter), void *parameter,
                             rt_uint32_t stack_size, rt_uint8_t priority, rt_uint32_t tick) {
    RT_REQUIRE(entry && priority < RT_THREAD_PRIORITY_MAX && stack_size >= rtos::minimum_stack, nullptr);
    auto *const thread = rt::allocate<rt_thread>();
    if (!thread)
        return nullptr;
    if (make(*thread, name, entry, parameter, priority, tick).give_stack(stack_size) != Status::ok) {
        rt_free(thread);
        return nullptr;
    }
    announce(*thread, RT_Object_Class_Thread, name);
    return thread;
}

rt_err_t rt_thread_detach(rt_thread_t thread) {
    RT_REQUIRE(thread && rt::is_static_object(rt::object_of(thread), RT_Object_Class_Thread), -RT_EINVAL);
    return end(*thread);
}

rt_err_t rt_thread_delete(rt_thread_t thread) {
    RT_REQUIRE(thread && rt::is_dynamic_object(rt::object_of(thread), RT_Object_Class_Thread) &&
                   !is_adopted(*thread),
               -RT_EINVAL);
    return end(*thread);
}

void rt_thread_exit(void) {
    Thread::exit();
}

rt_thread_t rt_thread_self(void) {
    return rt::thread_of(Thread::current());
}

rt_thread_t rt_thread_find(char *name) {
    const rt_object_t found = rt_object_find(name, RT_Object_Class_Thread);
    return found ? rt_list_entry(found, rt_thread, parent) : nullptr;
}

rt_err_t rt_thread_startup(rt_thread_t thread) {
    RT_REQUIRE(thread && usable(thread) && rt::of(*thread).state() == State::created, -RT_EINVAL);
    return rt::error_of(rt::of(*thread).start());
}

rt_err_t rt_thread_delay(rt_tick_t tick) {
    const rt_err_t error = rt::blocking_error();
    RT_REQUIRE(error == RT_EOK, error);
    return tick == 0 ? -RT_EINVAL : sleep_until(rt::deadline_in(tick));
}

rt_err_t rt_thread_mdelay(rt_int32_t ms) {
    const rt_err_t error = rt::blocking_error();
    RT_REQUIRE(error == RT_EOK, error);
    return ms <= 0 ? -RT_EINVAL : sleep_until(rt::deadline_in(rt_tick_from_millisecond(ms)));
}

rt_err_t rt_thread_delay_until(rt_tick_t *tick, rt_tick_t inc_tick) {
    RT_REQUIRE(tick, -RT_EINVAL);
    const rt_err_t error = rt::blocking_error();
    RT_REQUIRE(error == RT_EOK, error);
    const rt_tick_t now = rt_tick_get();
    if (now - *tick >= inc_tick) { // late
        *tick = now;
        return RT_EOK;
    }
    *tick += inc_tick;
    return sleep_until(rt::begin_of(*tick));
}

rt_err_t rt_thread_control(rt_thread_t thread, int cmd, void *arg) {
    RT_REQUIRE(thread && usable(thread), -RT_EINVAL);
    switch (cmd) {
    case RT_THREAD_CTRL_STARTUP:
        return rt_thread_startup(thread);
    case RT_THREAD_CTRL_CLOSE:
        return rt::is_static(thread->parent) ? rt_thread_detach(thread) : rt_thread_delete(thread);
    case RT_THREAD_CTRL_CHANGE_PRIORITY:
    case RT_THREAD_CTRL_RESET_PRIORITY:
        RT_REQUIRE(arg && *static_cast<rt_uint8_t *>(arg) < RT_THREAD_PRIORITY_MAX, -RT_EINVAL);
        return change_priority(*thread, arg);
    case RT_THREAD_CTRL_BIND_CPU:
        return -RT_EINVAL; // there is one
    default:
        return RT_EOK;
    }
}

rt_err_t rt_thread_suspend_with_flag(rt_thread_t thread, int) {
    RT_REQUIRE(thread && usable(thread), -RT_EINVAL);
    Thread &kernel = rt::of(*thread);
    RT_REQUIRE(&kernel != &Thread::current() || !rtos::in_interrupt(), -RT_ESCHEDISR);
    if (kernel.state() != State::ready)
        return -RT_ERROR;
    if (suspend_hook)
        suspend_hook(thread);
    return rt::error_of(kernel.suspend());
}

rt_err_t rt_thread_suspend(rt_thread_t thread) {
    RT_REQUIRE(thread && usable(thread), -RT_EINVAL);
    RT_REQUIRE(&rt::of(*thread) != &Thread::current() || !rtos::in_interrupt(), -RT_ESCHEDISR);
    return rt_thread_suspend_with_flag(thread, RT_UNINTERRUPTIBLE);
}

rt_err_t rt_thread_resume(rt_thread_t thread) {
    RT_REQUIRE(thread && usable(thread), -RT_EINVAL);
    Thread &kernel = rt::of(*thread);
    if (kernel.state() != State::suspended && kernel.state() != State::waiting)
        return -RT_ERROR;
    if (resume_hook)
        resume_hook(thread);
    // One that waits for an object or a time does so no longer: for its call that is an error.
    if (kernel.resume() != Status::ok && kernel.end_wait(Status::ended) != Status::ok)
        return -RT_ERROR;
    return RT_EOK;
}

rt_err_t rt_thread_get_name(rt_thread_t thread, char *name, rt_uint8_t name_size) {
    RT_REQUIRE(thread && usable(thread), -RT_EINVAL);
    return rt_object_get_name(&thread->parent, name, name_size);
}

void rt_thread_suspend_sethook(void (*hook)(rt_thread_t thread)) {
    suspend_hook = hook;
}
void rt_thread_resume_sethook(void (*hook)(rt_thread_t thread)) {
    resume_hook = hook;
}
void rt_thread_inited_sethook(void (*hook)(rt_thread_t thread)) {
    inited_hook = hook;
}
}
