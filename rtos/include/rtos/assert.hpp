// SPDX-License-Identifier: BSD-3-Clause
#pragma once

// RTOS_DEBUG (a CMake option) adds the checks of arguments and contexts that name the call on the
// console. The call goes on and returns the error that it returns without them.
#ifndef RTOS_DEBUG
#define RTOS_DEBUG 0
#endif

namespace rtos {

inline constexpr bool debug = RTOS_DEBUG;

// Report a failed assertion with the thread's name and a backtrace; any context. Returns.
[[gnu::cold]] void assertion_failed(const char *condition, const char *function, const char *file, int line);

} // namespace rtos

#define RTOS_ASSERT(condition)                                                                               \
    do {                                                                                                     \
        if (::rtos::debug && !(condition))                                                                   \
            ::rtos::assertion_failed(#condition, __func__, __FILE__, __LINE__);                              \
    } while (0)
