// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace rtos {

// What a kernel call that can fail returns.
enum class [[nodiscard]] Status {
    ok,
    timeout,     // the deadline passed first
    would_block, // called in an ISR, with IRQs masked or the scheduler locked, where nothing may block
    invalid,     // an argument out of its range, or an object in the wrong state
    no_memory,
    full,        // a queue or count is at its maximum
    empty,       // nothing there
    busy,        // somebody else has it
    interrupted, // an async call ended the wait
    deleted,     // the object was closed during the wait
    not_owner,   // of a mutex
    deadlock,    // waiting would never end
    ended,       // the thread has ended
};

} // namespace rtos
