// SPDX-License-Identifier: GPL-2.0-only
//
// The guest's translation tables, walked as the hardware would (Arm ARM DDI 0406C,
// B3.5, B3.13.3). Each word is read once; what is done with it is decided on the copy.
#ifndef RTMUX_MMU_WALK_HPP
#define RTMUX_MMU_WALK_HPP

#include "descriptor.hpp"

namespace rtmux::mmu {

// Fault status as in DFSR and IFSR: FS[3:0]. FS[4] is 0 for all of them.
namespace fault_status {
constexpr uint32_t section_translation = 0x5;
constexpr uint32_t page_translation = 0x7;
constexpr uint32_t external_abort = 0x8;
constexpr uint32_t external_abort_on_l1_walk = 0xc;
constexpr uint32_t section_permission = 0xd;
constexpr uint32_t external_abort_on_l2_walk = 0xe;
constexpr uint32_t page_permission = 0xf;
} // namespace fault_status

enum class LeafSize : uint32_t { small_page, large_page, section, supersection };

struct Translation {
    SmallPage page;     // the 4 KiB that contain the address
    uint32_t domain;    // the guest's domain field, for the fault status only
    LeafSize size;      // of the leaf it is from
    bool beyond_memory; // a supersection beyond 4 GiB

    bool section() const { return size >= LeafSize::section; }
};

// Returns 0, or the fault status with the domain in [7:4] where hardware reports one.
template <class GuestMemory>
inline uint32_t walk(GuestMemory &memory, uint32_t pgd, uint32_t va, Translation &out) {
    uint32_t word;
    if (!memory.read(pgd + (va >> 20) * 4, word)) [[unlikely]]
        return fault_status::external_abort_on_l1_walk;
    const L1Entry l1{word};
    out.beyond_memory = false;
    if (l1.is_table()) {
        out.domain = l1.domain();
        if (!memory.read(l1.table_pa() + (va >> 10 & 0x3fc), word)) [[unlikely]]
            return fault_status::external_abort_on_l2_walk | out.domain << 4;
        if (word & 2) [[likely]] {
            out.size = LeafSize::small_page;
            out.page = SmallPage{word};
        } else if (word & 1) {
            out.size = LeafSize::large_page;
            out.page = LargePage{word}.page(va);
        } else {
            return fault_status::page_translation | out.domain << 4;
        }
        return 0;
    }
    if (!l1.is_section())
        return fault_status::section_translation;
    if (l1.is_supersection()) [[unlikely]] {
        out.size = LeafSize::supersection;
        out.domain = 0;
        out.page = l1.supersection_page(va);
        out.beyond_memory = l1.beyond_4_gib();
    } else {
        out.size = LeafSize::section;
        out.domain = l1.domain();
        out.page = l1.page(va);
    }
    return 0;
}

} // namespace rtmux::mmu

#endif
