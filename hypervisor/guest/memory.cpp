// SPDX-License-Identifier: GPL-2.0-only
//
// The guest's memory by its own addresses, through its own mappings: an access
// that finds none fills it, or fails.
#include "guest/guest.hpp"

#include "arm/cpu.hpp"
#include "guest/cache_range.hpp"
#include "rtmux/abi/guest.h"

namespace rtmux::guest {
namespace {

bool in_window(uint32_t va) {
    return va >= RTMUX_WINDOW && va < RTMUX_WINDOW_END;
}

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
    const auto lines = operation == CacheOperation::clean              ? cache_lines_clean
                       : operation == CacheOperation::clean_invalidate ? cache_lines_clean_invalidate
                                                                       : cache_lines_clean_pou;
    if (end > start && end - start > all_threshold) {
        dcache_clean_invalidate_all();
        return;
    }
    for_each_page_part(start, end, [lines](uint32_t from, uint32_t to) {
        // A page that is not mapped has nothing in the cache that matters.
        if (!in_window(from) && !lines(from, to) && fill(from))
            static_cast<void>(lines(from, to));
    });
    cpu::dsb();
}

} // namespace rtmux::guest
