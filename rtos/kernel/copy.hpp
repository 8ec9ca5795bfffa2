// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stddef.h>
#include <stdint.h>

namespace rtos {

// memcpy for a few words: what a call of the library's costs before it begins is enough for 16 bytes.
[[gnu::always_inline]] inline void copy(void *to, const void *from, size_t bytes) {
    uint8_t *out = static_cast<uint8_t *>(to);
    const uint8_t *in = static_cast<const uint8_t *>(from);
    const auto words = [&](size_t size) {
        __builtin_memcpy(__builtin_assume_aligned(out, 4), __builtin_assume_aligned(in, 4), size);
        out += size;
        in += size;
        bytes -= size;
        asm("" : "+r"(bytes)); // one count is enough: no ends of ranges to be computed first
    };
    if (((reinterpret_cast<uintptr_t>(out) | reinterpret_cast<uintptr_t>(in)) & 3) == 0) [[likely]] {
        while (bytes >= 16)
            words(16);
        if (bytes == 0) [[likely]]
            return;
        while (bytes >= 4)
            words(4);
    }
    for (; bytes > 0; --bytes)
        *out++ = *in++;
}

} // namespace rtos
