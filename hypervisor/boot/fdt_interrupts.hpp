// SPDX-License-Identifier: GPL-2.0-only
// From the interrupts of the board's controller to those of the guest's, the
// binding "rtmux,intc": one cell, the virtual line, which is the GIC's interrupt
// ID or the AM335x INTC's number.
#pragma once

#include <stdint.h>

namespace rtmux {

struct InterruptController {
    uint32_t phandle = 0;
    uint32_t cells = 0;                  // of an interrupt, in the tree as given
    uint32_t reserved_line = UINT32_MAX; // that no device may have
};

// The node of the board's interrupt controller, and what the tree says of it; negative: there is none.
[[nodiscard]] int find_interrupt_controller(const void *fdt, InterruptController &controller);

// Rewrites `interrupts`, all for the controller, or `interrupts-extended`, which
// names one each time, in place. False if one has no line: the property is then
// half done and the node must be disabled.
[[nodiscard]] bool translate_interrupts(void *fdt, int node, const char *property, bool extended,
                                        const InterruptController &controller);

} // namespace rtmux
