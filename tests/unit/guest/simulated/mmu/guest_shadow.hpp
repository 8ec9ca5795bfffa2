// SPDX-License-Identifier: GPL-2.0-only
//
// The guest's shadow over the simulated memory and translation hardware of tests/unit/mmu.
#pragma once

#include "../../../mmu/machine.hpp"
#include "arm/cpu.hpp"
#include "board.hpp"
#include "mmu/shadow.hpp"

namespace rtmux {

constexpr unsigned shadow_tables = 64;
using SimulatedMachine = test::Machine<shadow_tables>;
using GuestShadow = mmu::Shadow<test::MemoryPolicy<SimulatedMachine>, test::AssignmentPolicy,
                                test::HardwarePolicy<SimulatedMachine, shadow_tables>>;
extern GuestShadow shadow;

} // namespace rtmux
