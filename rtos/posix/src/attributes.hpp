// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <pthread.h>

namespace rtos::posix {

// Stack of a thread whose creator did not say: printf of a double takes about 2 KiB.
inline constexpr size_t default_stack = 16384;

inline constexpr unsigned initialized = 0x504f5358; // is_initialized of all attribute objects

extern const pthread_attr_t default_attributes;

bool valid_attributes(const pthread_attr_t &a);

} // namespace rtos::posix
