// SPDX-License-Identifier: GPL-2.0-only
//
// The guest's memory by its own addresses, through its own mappings: an access
// that finds none fills it, or fails.
#include "guest/guest.hpp"

#include "arm/cpu.hpp"
#include "rtmux/abi/guest.h"

namespace rtmux::guest {
namespace {

bool in_window(uint32_t va) { return va >= RTMUX_WINDOW && va < RTMUX_WINDOW_END; }

bool fill(uint32_t va) {
    return shadow.fill(va, mmu::Access::read, vcpu.user_mode).kind == mmu::FillResult::Kind::filled;
}

} // namespace

bool read_word(uint32_t va, uint32_t &value) {
    if (va & 3)
        return false;
    return guest_load(va, &value) || (fill(va) && guest_load(va, &value));
}

void maintain_cache(CacheOperation operation, uint32_t start, uint32_t end) {
    // Beyond this, all of the cache is less work than the range; and a bound.
    constexpr uint32_t all_threshold = 512 * 1024;
    constexpr uint32_t page = 4096, line = 64;
    const auto lines = operation == CacheOperation::clean              ? cache_lines_clean
                       : operation == CacheOperation::clean_invalidate ? cache_lines_clean_invalidate
                                                                       : cache_lines_clean_pou;
    // The last line of the address space has no end to stop at, and nothing is mapped there.
    if (end > ~(line - 1))
        end = ~(line - 1);
    if (end <= start)
        return;
    if (end - start > all_threshold) {
        dcache_clean_invalidate_all();
        return;
    }
    for (uint32_t at = start & ~(line - 1); at < end;) {
        const uint32_t page_end = (at | (page - 1)) + 1; // 0 at the very top
        const uint32_t stop_at = page_end == 0 || page_end > end ? end : page_end;
        // A page that is not mapped has nothing in the cache that matters.
        if (!in_window(at) && !lines(at, stop_at) && fill(at))
            static_cast<void>(lines(at, stop_at));
        if (page_end == 0)
            break;
        at = page_end;
    }
    cpu::dsb();
}

} // namespace rtmux::guest
