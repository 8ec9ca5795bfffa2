// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace rtos {

// memcpy for a few words: what a call of the library's costs before it begins is enough for 16 bytes.
[[gnu::always_inline]] inline void copy(void *to, const void *from, size_t bytes) {
    uint8_t *out = static_cast<uint8_t *>(to);
    const uint8_t *in = static_cast<const uint8_t *>(from);
    if (((reinterpret_cast<uintptr_t>(out) | reinterpret_cast<uintptr_t>(in)) & 3) == 0) [[likely]] {
        for (; bytes >= 16; bytes -= 16, out += 16, in += 16)
            __builtin_memcpy(__builtin_assume_aligned(out, 4), __builtin_assume_aligned(in, 4), 16);
        for (; bytes >= 4; bytes -= 4, out += 4, in += 4)
            __builtin_memcpy(__builtin_assume_aligned(out, 4), __builtin_assume_aligned(in, 4), 4);
    }
    for (; bytes > 0; --bytes)
        *out++ = *in++;
}

} // namespace rtos
