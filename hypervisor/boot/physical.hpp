// SPDX-License-Identifier: GPL-2.0-only
// Reading physical memory that is mapped piece by piece. A Physical is any
// class with
//     const uint8_t *map(uint32_t pa, uint32_t &available);
// which returns where pa can be read until the next call, and how many bytes
// are contiguous there (at least one), or nullptr if pa is not memory.
#pragma once

#include <stdint.h>
#include <string.h>

namespace rtmux {

// Calls visit(bytes, count) for the pieces of [pa, pa + length), in order.
// False if some of it is not memory.
template <class Physical, class Visit>
[[nodiscard]] bool visit_physical(Physical &physical, uint32_t pa, uint32_t length, Visit visit) {
    if (length > UINT32_MAX - pa)
        return false;
    while (length != 0) {
        uint32_t count = 0;
        const uint8_t *bytes = physical.map(pa, count);
        if (bytes == nullptr || count == 0)
            return false;
        if (count > length)
            count = length;
        visit(bytes, count);
        pa += count;
        length -= count;
    }
    return true;
}

template <class Physical>
[[nodiscard]] bool read_physical(Physical &physical, uint32_t pa, void *to, uint32_t length) {
    uint8_t *out = static_cast<uint8_t *>(to);
    return visit_physical(physical, pa, length, [&](const uint8_t *bytes, uint32_t count) {
        memcpy(out, bytes, count);
        out += count;
    });
}

} // namespace rtmux
