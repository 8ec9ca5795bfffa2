// SPDX-License-Identifier: BSD-3-Clause
// Bad input: the documented error, and with RTOS_DEBUG a report that names the call.
#pragma once

#include <rtos/assert.hpp>
#include <rtos/status.hpp>
#include <rtthread.h>

namespace rt {

// Report it, with RTOS_DEBUG; returns.
[[gnu::cold]] void report_refusal(const char *condition, const char *call, int line);

// The name of the function, for refuse(); without RTOS_DEBUG nobody asks.
#define RT_THIS_CALL (rtos::debug ? __func__ : nullptr)

// The same on behalf of a function that the application called; returns the error.
inline rt_err_t refuse(const char *what, const char *call, rt_err_t error = -RT_EINVAL) {
    if (rtos::debug)
        report_refusal(what, call, 0);
    return error;
}

// Another name for a function of this file.
#define RT_SAME_AS(function, name) decltype(function) name __attribute__((alias(#function)))

// In the function that the application called.
#define RT_REQUIRE(condition, error)                                                                         \
    do {                                                                                                     \
        if (!(condition)) [[unlikely]] {                                                                     \
            if (rtos::debug)                                                                                 \
                rt::report_refusal(#condition, __func__, __LINE__);                                          \
            return error;                                                                                    \
        }                                                                                                    \
    } while (0)

// RT-Thread's objects begin with their rt_object; a null object has none.
template <class T> rt_object *object_of(T *t) {
    return reinterpret_cast<rt_object *>(t);
}
// An object that exists, and is of this class.
inline bool is_object(const rt_object *object, rt_object_class_type type) {
    return object && (object->type & ~RT_Object_Class_Static) == type;
}
inline bool is_static(const rt_object &object) {
    return object.type & RT_Object_Class_Static;
}

// What a kernel's call returned, as an error code.
rt_err_t error_of(rtos::Status status);
// The same, kept as the running thread's errno unless it is RT_EOK.
rt_err_t fail(rt_err_t error);

// The error for what would block, where nothing may; RT_EOK where it may.
rt_err_t blocking_error();

} // namespace rt
