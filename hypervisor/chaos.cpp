// SPDX-License-Identifier: GPL-2.0-only
#include "chaos.hpp"

#ifdef RTMUX_CHAOS

#include "mmu/guest_shadow.hpp"

namespace rtmux::chaos {
namespace {

// xorshift32 (Marsaglia, 2003); the same sequence in every run
uint32_t random() {
    static uint32_t state = 0x2545f491;
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return state;
}

} // namespace

void drop_shadow() {
    if (random() % 16 == 0)
        shadow.chaos_drop(random());
}

bool delay_irq() {
    return random() % 4 == 0;
}

} // namespace rtmux::chaos

#endif
