// SPDX-License-Identifier: GPL-2.0-only
//
// The MMU as the Arm ARM describes it (DDI 0406C, B3.5 and B3.7), for the guest's own tables,
// with a TLB that never forgets; and what Shadow has to make of it. Written apart from
// hypervisor/mmu: bits are taken from the manual's figures again.
#ifndef RTMUX_TESTS_MMU_REFERENCE_HPP
#define RTMUX_TESTS_MMU_REFERENCE_HPP

#include "machine.hpp"

#include <optional>

namespace rtmux::test {

using mmu::Access;

enum class Allowed { nothing, reading, writing };

// Arm ARM table B3-8, rows by AP[2:0]
inline Allowed kernel_allowed(uint32_t ap) {
    switch (ap) {
    case 1:
    case 2:
    case 3:
        return Allowed::writing;
    case 5:
    case 6:
    case 7:
        return Allowed::reading;
    default:
        return Allowed::nothing;
    }
}
inline Allowed user_allowed(uint32_t ap) {
    switch (ap) {
    case 3:
        return Allowed::writing;
    case 2:
    case 6:
    case 7:
        return Allowed::reading;
    default:
        return Allowed::nothing;
    }
}
inline bool may(Allowed allowed, bool execute_never, Access access) {
    if (access == Access::write)
        return allowed == Allowed::writing;
    return allowed != Allowed::nothing && !(access == Access::execute && execute_never);
}

struct GuestLeaf {
    uint32_t va, size; // first address, bytes
    uint32_t pa, ap, type, domain;
    bool shareable, execute_never, not_global, section, beyond;
    auto operator<=>(const GuestLeaf &) const = default;
};

struct Walk {
    std::optional<GuestLeaf> leaf; // of the 4 KiB around the address: pa is the page's
    uint32_t fsr = 0;
};

template <class M> Walk reference_walk(const M &machine, uint32_t pgd, uint32_t va) {
    uint32_t d;
    if (!machine.read(pgd + (va >> 20 << 2), d))
        return {{}, 0x0c};
    GuestLeaf l{};
    const uint32_t domain = (d & 0x1e0) >> 5;
    switch (d & 3) {
    case 1: {
        uint32_t p;
        if (!machine.read((d & ~0x3ffu) | (va >> 12 & 0xff) << 2, p))
            return {{}, 0x0e | domain << 4};
        l.domain = domain;
        l.ap = (p & 0x200 ? 4u : 0) | (p & 0x30) >> 4;
        l.shareable = p & 0x400;
        l.not_global = p & 0x800;
        l.type = (p & 0xc) >> 2;
        switch (p & 3) {
        case 0:
            return {{}, 0x07 | domain << 4};
        case 1:
            l.size = 0x10000;
            l.pa = (p & 0xffff0000) | (va & 0xf000);
            l.type |= p & 0x1000 ? 4 : 0;
            l.execute_never = p & 0x8000;
            break;
        default:
            l.size = 0x1000;
            l.pa = p & 0xfffff000;
            l.type |= p & 0x40 ? 4 : 0;
            l.execute_never = p & 1;
        }
        break;
    }
    case 2:
        l.section = true;
        l.ap = (d & 0x8000 ? 4u : 0) | (d & 0xc00) >> 10;
        l.shareable = d & 0x10000;
        l.not_global = d & 0x20000;
        l.type = (d & 0xc) >> 2 | (d & 0x1000 ? 4 : 0);
        l.execute_never = d & 0x10;
        if (d & 0x40000) {
            l.size = 0x1000000;
            l.pa = (d & 0xff000000) | (va & 0xfff000);
            l.beyond = (d & 0xf00000) || (d & 0x1e0);
        } else {
            l.size = 0x100000;
            l.domain = domain;
            l.pa = (d & 0xfff00000) | (va & 0xff000);
        }
        break;
    default:
        return {{}, 0x05};
    }
    l.va = va & ~(l.size - 1);
    return {l, 0};
}

// The rights of a leaf in each mode once kernel and user share PL0: the table in protection.hpp,
// written out.
struct Shared {
    Allowed kernel, user;
};
inline Shared shared_rights(const GuestLeaf &l, uint32_t va, uint32_t task_size) {
    const Allowed k = kernel_allowed(l.ap), u = user_allowed(l.ap);
    const bool mixed_half = va < task_size || va >= 0xfff00000;
    if (!mixed_half)
        return {k, Allowed::nothing};
    if (u == Allowed::nothing)
        return {l.section ? k : Allowed::nothing, Allowed::nothing};
    return {u, u};
}

struct Expected {
    enum { filled, fault, mediated } kind;
    uint32_t fsr = 0, pa = 0;
};
inline bool in_window(uint32_t va) {
    return va >= 0xfe800000 && va < 0xff800000;
}

template <class M>
Expected expected_fill(const M &machine, bool mmu_on, uint32_t pgd, uint32_t task_size, uint32_t va,
                       Access access, bool user_mode) {
    if (in_window(va))
        return {Expected::fault, 0x5};
    if (!mmu_on) {
        const FrameAccess f = frame_access(va);
        if (f == FrameAccess::none)
            return {Expected::fault, 0x8};
        if (user_mode || (f != FrameAccess::ram && access == Access::execute))
            return {Expected::fault, 0xd};
        if (f == FrameAccess::device_read_only && access == Access::write)
            return {Expected::mediated, 0, va};
        return {Expected::filled};
    }
    const Walk w = reference_walk(machine, pgd, va);
    if (!w.leaf)
        return {Expected::fault, w.fsr};
    const GuestLeaf &l = *w.leaf;
    const uint32_t permission = (l.section ? 0xdu : 0xfu) | l.domain << 4;
    const Shared rights = shared_rights(l, va, task_size);
    if (!may(user_mode ? rights.user : rights.kernel, l.execute_never, access))
        return {Expected::fault, permission};
    const FrameAccess f = l.beyond ? FrameAccess::none : frame_access(l.pa);
    if (f == FrameAccess::none)
        return {Expected::fault, 0x8};
    if (f != FrameAccess::ram && access == Access::execute)
        return {Expected::fault, permission};
    if (f == FrameAccess::device_read_only && access == Access::write)
        return {Expected::mediated, 0, l.pa | (va & 0xfff)};
    return {Expected::filled};
}

// What the loaded translation gives in each mode: domains 1 to 3 are clients in kernel mode, 1 is
// closed in user mode; everything at PL0.
inline Allowed loaded_allowed(const Loaded &e, bool user_mode) {
    if (e.domain < 1 || e.domain > 3 || (user_mode && e.domain == 1))
        return Allowed::nothing;
    return user_allowed(e.ap);
}

// Whether a TLB that holds the guest's leaf could do all that the loaded translation does.
inline bool covers(const GuestLeaf &l, const Loaded &e) {
    const FrameAccess f = frame_access(l.pa);
    if (l.beyond || l.pa != e.pa || f == FrameAccess::none)
        return false;
    if (loaded_allowed(e, true) > user_allowed(l.ap) || loaded_allowed(e, false) > kernel_allowed(l.ap))
        return false;
    if (!e.execute_never && (l.execute_never || f != FrameAccess::ram))
        return false;
    if (f == FrameAccess::device_read_only && loaded_allowed(e, false) == Allowed::writing)
        return false;
    if (f != FrameAccess::ram)
        return e.type == 0; // strongly ordered: precise aborts
    const bool normal = (l.type >= 1 && l.type <= 3) || l.type == 7;
    return e.type == (normal ? l.type : 1) && !e.shareable;
}

} // namespace rtmux::test

#endif
