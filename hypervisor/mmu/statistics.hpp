// SPDX-License-Identifier: GPL-2.0-only
#ifndef RTMUX_MMU_STATISTICS_HPP
#define RTMUX_MMU_STATISTICS_HPP

#include <cstdint>

namespace rtmux::mmu {

struct ShadowStatistics {
    uint32_t fills;           // pages and sections put into the shadow
    uint32_t faults;          // accesses that the guest's tables or the assignment forbid
    uint32_t mediated;        // writes handed to a device's mediator
    uint32_t tables;          // shadow tables taken from the pool
    uint32_t space_evictions; // address spaces dropped for their tables
    uint32_t table_evictions; // kernel tables dropped because no space had any
    uint32_t slot_overflows;  // address spaces dropped because their list was full
    uint32_t replaced_slots;  // L1 entries dropped because the guest's entry changed its form
    uint32_t switches;
    uint32_t cold_switches; // to an address space that was not cached
    uint32_t flushes_all;
    uint32_t flushes_asid;
    uint32_t flushes_page;
    uint32_t flushes_user_range;
    uint32_t flushes_kernel_range;
};

} // namespace rtmux::mmu

#endif
