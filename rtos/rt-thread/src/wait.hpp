// SPDX-License-Identifier: BSD-3-Clause
// What the calls that wait have in common.
#pragma once

#include "kernel_object.hpp"
#include "object.hpp"
#include "tick.hpp"

namespace rt {

// What ends a wait before its time: nothing, or a signal too.
enum class Until { done, done_or_signal };

constexpr Until until(int suspend_flag) {
    return suspend_flag == RT_INTERRUPTIBLE ? Until::done_or_signal : Until::done;
}

// Before a wait for what is not there: the error of a call that must not wait, or cannot; or RT_EOK.
rt_err_t before_wait(rt_int32_t timeout, rt_err_t otherwise, const char *call);

// A call on an object that may have to wait.
struct Wait {
    rt_ipc_object &object;
    rt_int32_t timeout;
    Until end;
    const char *call;
    rt_err_t otherwise; // the error of not waiting: -RT_ETIMEOUT or -RT_EFULL
};

// Try the kernel's function with a deadline that has passed, and then, if it may wait, with the right one,
// again after each signal that must not end it. before, after: object hooks.
using TimedFunction = rtos::Status (*)(void *arguments, rtos::Time deadline);
rt_err_t wait(const Wait &wait, ObjectHook before, ObjectHook after, TimedFunction function, void *arguments);

// The same with what kernel(deadline) does.
template <class Kernel> rt_err_t wait(const Wait &w, ObjectHook before, ObjectHook after, Kernel kernel) {
    return wait(
        w, before, after, [](void *k, rtos::Time deadline) { return (*static_cast<Kernel *>(k))(deadline); },
        &kernel);
}

} // namespace rt
