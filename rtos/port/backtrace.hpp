// SPDX-License-Identifier: BSD-3-Clause
// Who called, without frame pointers or unwinding tables, which cost every call or the image's size: the
// words on the stack that are the address behind a call instruction. Some may be left over
// from earlier calls, none of the true ones is missing.
#pragma once

#include <stdint.h>

namespace rtos::port {

// BL, BLX of ARM and Thumb (Arm ARM A8.8.25, A8.8.26). before: the 4 bytes before the return address.
constexpr bool is_call_arm(uint32_t before) {
    return ((before & 0x0f000000) == 0x0b000000 && before < 0xf0000000) ||
           (before & 0xfe000000) == 0xfa000000 ||
           ((before & 0x0ffffff0) == 0x012fff30 && before < 0xf0000000);
}
constexpr bool is_call_thumb(uint16_t first, uint16_t second) {
    return ((first & 0xf800) == 0xf000 && (second & 0xc000) == 0xc000) || (second & 0xff87) == 0x4780;
}

// A text segment: [start, end), readable as words.
struct Text {
    uintptr_t start;
    uintptr_t end;

    // Whether this is the address behind a call in it.
    bool returns_to(uintptr_t address) const {
        if (address < start + 4 || address > end)
            return false;
        if (address & 1) {
            const uint16_t *const behind = reinterpret_cast<const uint16_t *>(address & ~uintptr_t{1});
            return is_call_thumb(behind[-2], behind[-1]);
        }
        return address % 4 == 0 && is_call_arm(*reinterpret_cast<const uint32_t *>(address - 4));
    }
};

struct Caller {
    uintptr_t address = 0; // of the return
    uint32_t times = 0;    // in a row
};

// The callers in the stack from sp to end, innermost first: at most max. Returns how many.
inline unsigned find_callers(const Text &text, const uintptr_t *sp, const uintptr_t *end, Caller *callers,
                             unsigned max) {
    unsigned count = 0;
    for (; sp < end; ++sp) {
        if (!text.returns_to(*sp))
            continue;
        if (count != 0 && callers[count - 1].address == *sp)
            ++callers[count - 1].times;
        else if (count < max)
            callers[count++] = {*sp, 1};
        else
            break;
    }
    return count;
}

} // namespace rtos::port
