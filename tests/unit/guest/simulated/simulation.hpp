// SPDX-License-Identifier: GPL-2.0-only
//
// The executive's code for the guest (hypervisor/guest, without its boot) in a process of the host: what
// lies below it and beside it is simulated here, and watched.
#pragma once

#include "guest/guest.hpp"
#include "mmu/domain.h"

#include <functional>

namespace rtmux::simulation {

// The guest was stopped: why. Also thrown where it waits for an interrupt that never comes.
struct Stopped {
    const char *reason;
};

// What a test decides, and what the guest may have changed
struct Control {
    std::function<void()> interrupts_open = [] {};
    std::function<void()> wait = [] { throw Stopped{"waits for ever"}; };
    uint32_t doorbells = 0;
};
extern Control control;
extern SimulatedMachine machine;

// A guest before its first instruction, MMU off, as after guest::boot().
void power_on();

// One exit of the guest, as vectors.S calls it; then what must hold whatever the guest did. Throws
// test::Failure where something does not, Stopped when the guest ended.
void exit_guest(uint32_t reason);

} // namespace rtmux::simulation
