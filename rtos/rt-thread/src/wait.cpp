// SPDX-License-Identifier: BSD-3-Clause
#include "wait.hpp"

using rtos::Status;

namespace rt {

rt_err_t before_wait(rt_int32_t timeout, rt_err_t otherwise, const char *call) {
    if (timeout == 0)
        return fail(otherwise);
    const rt_err_t error = blocking_error();
    return error == RT_EOK ? RT_EOK : refuse("may block here", call, error);
}

rt_err_t wait(const Wait &w, ObjectHook before, ObjectHook after, TimedFunction function, void *arguments) {
    rt_object &object = w.object.parent;
    const rt_uint8_t type = object.type;
    call(before, object);
    Status result = function(arguments, rtos::Time::past());
    if (result == Status::timeout) {
        if (const rt_err_t error = before_wait(w.timeout, w.otherwise, w.call))
            return error;
        const rtos::Time deadline = deadline_of(w.timeout);
        // Success first: a woken thread is on its way.
        while ((result = function(arguments, deadline)) != Status::ok) {
            if (result != Status::interrupted || w.end == Until::done_or_signal)
                break;
            if (object.type != type) // deleted by the signal's handler, or during it
                return fail(-RT_ERROR);
        }
    }
    if (result != Status::ok) [[unlikely]]
        return fail(error_of(result));
    call(after, object);
    return RT_EOK;
}

} // namespace rt
