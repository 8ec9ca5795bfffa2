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

// Let wait(deadline) wait for the object, again after each signal that must not end it.
template <class Wait> rtos::Status wait(const rt_ipc_object &object, Until end, rt_int32_t timeout, Wait wait) {
    const rtos::Time deadline = deadline_of(timeout);
    const rt_uint8_t type = object.parent.type;
    for (;;) {
        const rtos::Status result = wait(deadline);
        if (result != rtos::Status::interrupted || end == Until::done_or_signal)
            return result;
        if (object.parent.type != type) // deleted by the signal's handler, or during it
            return rtos::Status::deleted;
    }
}

// In a function with a timeout, once it is known that what is wanted is not there: return the error of not waiting, or
// make sure that it may wait.
#define RT_REQUIRE_BLOCKING(call, timeout, otherwise)                                                        \
    do {                                                                                                     \
        if ((timeout) == 0)                                                                                  \
            return rt::fail(otherwise);                                                                      \
        if (const rt_err_t error = rt::blocking_error()) [[unlikely]] {                                      \
            if (rtos::debug)                                                                                 \
                rt::report_refusal("may block here", call, __LINE__);                                        \
            return error;                                                                                    \
        }                                                                                                    \
    } while (0)

} // namespace rt
