// SPDX-License-Identifier: BSD-3-Clause
// Variables with thread storage duration. The compiler adds an offset to what __aeabi_read_tp returns
// (-mtp=soft: the processor's register for this is the guest's): the thread pointer, kept behind the thread's
// struct _reent.
#pragma once

#include <reent.h>
#include <stddef.h>

namespace rtos::posix {

// What newlib and the compiled code find through _impure_ptr.
struct CLibrary {
    struct _reent reent;
    void *thread_pointer;
};

// How many bytes a thread's copy takes, and its making in memory that is aligned for it: the thread pointer.
inline constexpr size_t tls_alignment = 16;
size_t tls_size();
void *make_tls(void *memory);

} // namespace rtos::posix
