// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace rtos {

// What a kernel call that can fail returns.
enum class [[nodiscard]] Status{
    ok,
    timeout,     // the deadline passed first
    would_block, // called in an ISR or with IRQs masked, where nothing may block
    invalid,     // an argument out of its range, or an object in the wrong state
    no_memory,
};

} // namespace rtos
