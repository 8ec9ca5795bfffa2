// SPDX-License-Identifier: GPL-2.0-only
// Makes the guest's device tree out of the board's.
#pragma once

#include <stdint.h>

namespace rtmux {

enum class GuestDtError : uint8_t {
    none,
    malformed,
    too_deep,
    no_room,
    root_cells,
    no_interrupt_controller,
    no_memory_node,
    count_
};

// One line.
[[nodiscard]] const char *describe(GuestDtError error);

struct GuestDtConfig {
    uint32_t memory_base; // the guest's RAM
    uint32_t memory_size;
    uint32_t initrd_start; // physical; both 0: none
    uint32_t initrd_end;
    const char *bootargs; // not terminated; length 0: the tree's own are kept
    uint32_t bootargs_length;
    uint32_t vbus_base; // physical
    uint32_t vbus_size;
    uint32_t vbus_irq; // BOARD_VBUS_IRQ
    uint32_t clock_pa; // of the RT clock's low word; 0: the guest may not read it
    // Is the page at pa assigned to the guest? Nodes with registers elsewhere are disabled.
    bool (*guest_may)(uint32_t pa);
};

struct GuestDtResult {
    GuestDtError error = GuestDtError::none;
    uint32_t length = 0;   // of the edited tree
    uint32_t disabled = 0; // nodes this edit disabled
};

// Edits in place the tree of `length` bytes at tree (8-byte aligned), which may
// grow to capacity bytes. After an error the buffer's contents are unspecified.
// A matter of milliseconds: call with IRQs open.
[[nodiscard]] GuestDtResult edit_guest_dt(void *tree, uint32_t length, uint32_t capacity,
                                          const GuestDtConfig &config);

} // namespace rtmux
