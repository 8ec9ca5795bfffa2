// SPDX-License-Identifier: GPL-2.0-only
//
// A range of a guest's addresses, as it asked for cache maintenance: hostile.
#pragma once

#include <cstdint>

namespace rtmux {

constexpr uint32_t cache_line = 64; // Cortex-A8, L1 and L2

// Calls visit(from, to) for the parts of [start, end) page by page, in order: from
// at the beginning of a cache line, to > from, both in one page (to: or at its
// end). Nothing for an empty or inverted range. The last line of the address
// space is left out: it has no end to stop at, and nothing is mapped there.
template <class Visit> void for_each_page_part(uint32_t start, uint32_t end, Visit visit) {
    constexpr uint32_t page = 4096, last_line = ~(cache_line - 1);
    if (end > last_line)
        end = last_line;
    for (uint32_t at = start & ~(cache_line - 1); start < end && at < end;) {
        const uint32_t page_end = (at | (page - 1)) + 1; // 0 behind the last page
        const uint32_t to = page_end == 0 || page_end > end ? end : page_end;
        visit(at, to);
        at = to;
    }
}

} // namespace rtmux
