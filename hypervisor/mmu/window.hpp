// SPDX-License-Identifier: GPL-2.0-only
//
// The executive's own mappings: rtmux/layout.h is the map, docs/memory-map.md
// its drawing. PL1 only, global, no page both writable and executable, device
// pages execute-never, a hole below every stack.
#pragma once

#include "board.h"
#include "rtmux/layout.h"

#include <cstdint>

namespace rtmux::window {

// Builds the window's part of the hardware's L1 table and switches to that
// table. At boot, once.
void init();

// RTMux's RAM is linear.
inline uint32_t pa_of(const void *va) {
    return static_cast<uint32_t>(reinterpret_cast<uintptr_t>(va)) - RTMUX_RAM_VA + BOARD_RAM_BASE;
}

enum class Protection : uint8_t { none, read_execute, read_only, read_write };
// Pages of RTMux's RAM: [va, va + size), page-aligned.
void protect(uint32_t va, uint32_t size, Protection protection);

// Where guest RAM, or the image, at pa can be read and written: 1 MiB slots,
// direct-mapped by the megabyte, valid until `RTMUX_SLOTS` other megabytes were
// asked for. `tables` picks the set for translation tables. For the guest's
// context only; pa must be RAM.
void map_megabyte(uint32_t va, uint32_t megabyte);

template <uint32_t base> class Slots {
  public:
    uint32_t map(uint32_t pa) {
        const uint32_t megabyte = pa >> 20, index = megabyte % count;
        if (mapped[index] != megabyte) [[unlikely]] {
            map_megabyte(base + (index << 20), megabyte);
            mapped[index] = megabyte;
        }
        return base + pa % (count << 20);
    }

  private:
    static constexpr uint32_t count = 4;
    static_assert(RTMUX_SLOTS == count && RTMUX_TABLE_SLOTS == count);

    uint32_t mapped[count] = {}; // the megabyte in each slot; 0 none: no RAM is there
};
inline Slots<RTMUX_SLOTS_VA> slots;
inline Slots<RTMUX_TABLE_SLOTS_VA> table_slots;

// Where the register of a device of the guest's at pa can be written, until the next one is asked for. For the
// guest's context only.
uint32_t device_slot(uint32_t pa);

inline uint8_t *slot(uint32_t pa) {
    return reinterpret_cast<uint8_t *>(static_cast<uintptr_t>(slots.map(pa)));
}
inline uint32_t *table_slot(uint32_t pa) {
    return reinterpret_cast<uint32_t *>(static_cast<uintptr_t>(table_slots.map(pa)));
}

// The page shared with the guest's kernel (RTMUX_SHARED), as the executive sees it.
uint32_t *shared_page();

} // namespace rtmux::window
