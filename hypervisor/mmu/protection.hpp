// SPDX-License-Identifier: GPL-2.0-only
//
// What the shadow grants for what the guest's tables say.
//
// Guest kernel and guest processes both run at PL0: hardware tells them apart by the
// domain alone. Rights in the kernel's domain exist in virtual kernel mode only, rights in
// any other domain exist in both modes. So a leaf that processes may use gets *their*
// rights, and a leaf that only the kernel may use needs the kernel's domain. A domain
// belongs to an L1 entry: a whole section can have the kernel's domain anywhere; a kernel
// page among a process's pages cannot, and is not mapped.
//
//   guest AP  kernel/user   kernel half          user half, and the vectors' megabyte
//                           (domain KERNEL)      page            section
//   000, 100  none          -                    -               -
//   001       RW / none     RW                   -               RW in KERNEL
//   010       RW / RO       RW                   RO   (1)        RO   (1)
//   011       RW / RW       RW                   RW              RW
//   101       RO / none     RO                   -               RO in KERNEL
//   110, 111  RO / RO       RO                   RO              RO
//
// "-" is a permission fault in both modes. KERNEL is a permission fault in user mode, also
// where the guest's AP would let it in (2). PL1 gets what PL0 gets (AP 011 or 111).
//
// The guest sees less than its tables say in three cases, none of which Linux makes:
// (1) a write by the kernel, (2) a process's access to the kernel half outside the
// vectors' megabyte, and a kernel page among process pages.
#ifndef RTMUX_MMU_PROTECTION_HPP
#define RTMUX_MMU_PROTECTION_HPP

#include "descriptor.hpp"
#include "domain.h"

namespace rtmux::mmu {

enum class Access { read, write, execute };

// What an assignment says about a physical page
enum class FrameAccess {
    none,             // not the guest's
    ram,              // any access, any memory type
    device,           // never executed, always device memory
    device_read_only, // a device whose writes the executive mediates
};

constexpr uint32_t vectors_slot = 0xfff;

struct Grant {
    Rights rights;
    uint32_t domain;
};

constexpr Grant grant(SmallPage guest, bool section, uint32_t slot, bool user_half) {
    if (!user_half && slot != vectors_slot)
        return {guest.kernel_rights(), RTMUX_DOMAIN_KERNEL};
    const Rights user = guest.user_rights();
    if (user == Rights::none && section)
        return {guest.kernel_rights(), RTMUX_DOMAIN_KERNEL};
    return {user, user_half ? uint32_t{RTMUX_DOMAIN_USER} : uint32_t{RTMUX_DOMAIN_VECTORS}};
}

constexpr bool permits(Rights rights, bool execute_never, Access access) {
    switch (access) {
    case Access::read:
        return rights != Rights::none;
    case Access::write:
        return rights == Rights::read_write;
    case Access::execute:
        return rights != Rights::none && !execute_never;
    }
    return false;
}

// The shadow's leaf: of the guest's bits only these get through. Whether it is global
// follows from the address, as the domain does.
//
// RAM is normal memory, not shareable, whatever the guest says: a load or store of many
// registers to device memory cannot be given up for an interrupt half-way, and exclusives
// on shareable memory leave the core.
constexpr SmallPage shadow_leaf(SmallPage guest, Rights rights, bool user_half) {
    constexpr uint32_t normal_types = 1u << 1 | 1u << 2 | 1u << 3 | 1u << 7;
    uint32_t raw = guest.raw() & (SmallPage::base_mask | SmallPage::type_bits | 1);
    if (!(normal_types >> static_cast<uint32_t>(guest.type()) & 1)) [[unlikely]]
        raw = (raw & ~SmallPage::type_bits) | SmallPage::uncached_type;
    return SmallPage{raw | 2 | SmallPage::rights_bits(rights) | (user_half ? SmallPage::not_global_bit : 0)};
}

// Devices are strongly ordered: on Cortex-A8 the external abort of a device access is precise only
// there (TRM DDI0344, data aborts); an imprecise one would meet whoever runs next.
constexpr SmallPage device_leaf(SmallPage guest, Rights rights, bool user_half) {
    return SmallPage::make(guest.pa(), rights, MemoryType::strongly_ordered, true, true, user_half);
}

} // namespace rtmux::mmu

#endif
