// SPDX-License-Identifier: GPL-2.0-only
//
// Chaos mode (RTMUX_CHAOS, for tests): what a TLB and an interrupt controller
// may do at any time, done often. On one exit of the guest in 16 some of the
// shadow, or all of it, is dropped; one virtual interrupt in 4 that could be
// delivered waits for a later exit, alone or with others. A guest that runs
// well this way depends on nothing that is not promised.
#pragma once

#include <cstdint>

namespace rtmux::chaos {

#ifdef RTMUX_CHAOS
// On the way back to the guest, IRQs open.
void drop_shadow();
// Shall an interrupt that could be delivered wait?
[[nodiscard]] bool delay_irq();
#else
inline void drop_shadow() {}
[[nodiscard]] constexpr bool delay_irq() {
    return false;
}
#endif

} // namespace rtmux::chaos
