// SPDX-License-Identifier: GPL-2.0-only
//
// Shadow: which guest tables are walked. Part of shadow.hpp.
#ifndef RTMUX_MMU_SHADOW_SWITCH_HPP
#define RTMUX_MMU_SHADOW_SWITCH_HPP

#include "shadow.hpp"

namespace rtmux::mmu {

template <class M, class A, class H> bool Shadow<M, A, H>::valid_pgd(uint32_t pgd) {
    uint32_t word;
    return !(pgd & pgd_offset) && memory_.read(pgd, word) && memory_.read(pgd + pgd_last_word, word);
}

template <class M, class A, class H> bool Shadow<M, A, H>::switch_mm(uint32_t pgd, uint32_t asid) {
    if (asid >= asids) [[unlikely]]
        return false;
    if (mixed_) [[unlikely]]
        flush_all();
    AddressSpace &next = spaces_[asid];
    const bool cached = live_.contains(asid) && next.pgd == pgd && pgd;
    if (!cached && !valid_pgd(pgd)) [[unlikely]]
        return false;
    statistics_.switches++;
    if (!cached) {
        statistics_.cold_switches++;
        drop_space(asid);
        next.pgd = pgd;
        user_slots_ = mmu_on_ ? first_kernel_slot_ : 0;
    }
    pgd_ = pgd;
    next.recent = true;
    if (asid != current_) {
        swap_slots(spaces_[current_], next);
        // ASID 0 is set while slots are swapped, so under it the TLB may have met any space's.
        if (asid == 0)
            hardware_.tlb_flush_asid(0);
        live_.insert(asid);
        current_ = asid;
        hardware_.set_contextidr(asid);
    }
    hardware_.branch_predictor_invalidate();
    return true;
}

// Arm ARM DDI 0406C, B3.10.4: change tables under an ASID that nothing uses, then the ASID.
template <class M, class A, class H>
inline void Shadow<M, A, H>::swap_slots(const AddressSpace &from, const AddressSpace &to) {
    hardware_.set_contextidr(0);
    for (unsigned i = 0; i < from.count; i++)
        write_l1(from.slot[i], L1Entry{});
    for (unsigned i = 0; i < to.count; i++)
        write_l1(to.slot[i], to.entry[i]);
    hardware_.barrier();
}

template <class M, class A, class H> void Shadow<M, A, H>::set_mmu(bool on) {
    if (on == mmu_on_)
        return;
    flush_all();
    mmu_on_ = on;
    user_slots_ = on && pgd_ ? first_kernel_slot_ : 0;
}

template <class M, class A, class H> bool Shadow<M, A, H>::set_task_size(uint32_t va) {
    if (va & 0xfffff || va > RTMUX_WINDOW)
        return false;
    if (va >> 20 != first_kernel_slot_) {
        flush_all(); // slots change their owner; what other spaces list is dead now
        first_kernel_slot_ = va >> 20;
        user_slots_ = mmu_on_ && pgd_ ? first_kernel_slot_ : 0;
    }
    return true;
}

template <class M, class A, class H> void Shadow<M, A, H>::reset() {
    flush_all();
    for (AddressSpace &space : spaces_) {
        give_tables(space);
        space.pgd = 0;
    }
    hardware_.set_contextidr(0);
    current_ = 0;
    live_.clear();
    live_.insert(0);
    mmu_on_ = false;
    user_slots_ = 0;
    pgd_ = 0;
    first_kernel_slot_ = default_task_size >> 20;
}

} // namespace rtmux::mmu

#endif
