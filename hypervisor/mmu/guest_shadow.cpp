// SPDX-License-Identifier: GPL-2.0-only
#include "mmu/guest_shadow.hpp"

namespace rtmux {

[[gnu::section(".tables")]] alignas(16384) uint32_t hardware_l1[4096];
[[gnu::section(".tables")]] alignas(1024) uint32_t shadow_pool[shadow_tables][256];

constinit GuestShadow shadow{GuestMemory{}, GuestAssignment{}, {}};

} // namespace rtmux
