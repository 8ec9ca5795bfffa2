// SPDX-License-Identifier: GPL-2.0-only
//
// Shadow: filling. Part of shadow.hpp.
#ifndef RTMUX_MMU_SHADOW_FILL_HPP
#define RTMUX_MMU_SHADOW_FILL_HPP

#include "shadow.hpp"

namespace rtmux::mmu {

// Inlined for what nearly all fills are: a small page of plain memory in the user half, into a table that is
// there; and for nearly all faults, of an entry that the guest has not made yet.
template <class M, class A, class H>
[[gnu::always_inline]] inline FillResult Shadow<M, A, H>::fill_plain(uint32_t va, Access access,
                                                                     bool user_mode, bool around) {
    const unsigned slot = va >> 20;
    uint32_t word;
    if (slot >= user_slots_) [[unlikely]]
        return fill_any(va, access, user_mode);
    const L1Entry guest_table{*memory_.words(pgd_ + slot * 4)};
    const uint32_t guest_word = guest_table.table_pa() + (va >> 10 & 0x3fc);
    if (!guest_table.is_table() || !memory_.read(guest_word, word)) [[unlikely]]
        return fill_any(va, access, user_mode);
    if (!(word & 3)) {
        statistics_.faults++;
        return fault(fault_status::page_translation | guest_table.domain() << 4);
    }
    const L1Entry table = l1(slot);
    if (!plain_user_page(word) || !(table.empty() || user_table(table))) [[unlikely]]
        return fill_any(va, access, user_mode);
    if ((access == Access::write && (word & SmallPage::ap2_bit)) ||
        (access == Access::execute && (word & SmallPage::execute_never_bit))) {
        statistics_.faults++;
        return fault(fault_status::page_permission | guest_table.domain() << 4);
    }
    statistics_.fills++;
    uint32_t *const entry =
        (table.empty() ? new_table(slot, RTMUX_DOMAIN_USER) : table_of(table)) + (va >> 12 & 0xff);
    const uint32_t old = *entry;
    hardware_.store(entry, plain_user_leaf(word));
    if (around)
        fill_around(entry, va, guest_word);
    hardware_.clean(entry);
    hardware_.barrier();
    if (old) // The guest changed its entry: until here hardware may use either.
        hardware_.tlb_flush_page(va, current_);
    return filled();
}

// Fault-around: the neighbours of the page, as far as they are plain, too. A line of
// the cache is read and a line written, whatever the guest's tables hold: the caller cleans it.
template <class M, class A, class H>
[[gnu::noinline]] void Shadow<M, A, H>::fill_around(uint32_t *entry, uint32_t va, uint32_t guest_word) {
    constexpr uint32_t pages = 16, line = pages * sizeof(uint32_t);
    const volatile uint32_t *const from = memory_.words(guest_word & ~(line - 1));
    uint32_t *const to = entry - (va >> 12 & (pages - 1));
    for (unsigned i = 0; i < pages; i++) {
        const uint32_t word = from[i];
        if (!to[i] && plain_user_page(word))
            hardware_.store(&to[i], plain_user_leaf(word));
    }
}

template <class M, class A, class H>
[[gnu::noinline]] FillResult Shadow<M, A, H>::fill_any(uint32_t va, Access access, bool user_mode) {
    // Natively nothing is mapped there, and Linux's nofault copies expect that status.
    if (in_window(va)) {
        statistics_.faults++;
        return fault(fault_status::section_translation);
    }
    if (!mmu_on_) [[unlikely]]
        return fill_flat(va, access, user_mode);

    Translation guest;
    if (const uint32_t status = walk(memory_, pgd_, va, guest)) {
        statistics_.faults++;
        return fault(status);
    }
    return guest.size == LeafSize::small_page ? fill_leaf(va, access, user_mode, guest, false)
                                              : fill_large_leaf(va, access, user_mode, guest);
}

template <class M, class A, class H>
[[gnu::noinline]] FillResult Shadow<M, A, H>::fill_large_leaf(uint32_t va, Access access, bool user_mode,
                                                              const Translation &guest) {
    if (guest.size == LeafSize::supersection)
        mixed_ = true;
    return fill_leaf(va, access, user_mode, guest, guest.section());
}

// Inlined twice: small pages are what matters.
template <class M, class A, class H>
[[gnu::always_inline]] inline FillResult Shadow<M, A, H>::fill_leaf(uint32_t va, Access access,
                                                                    bool user_mode, const Translation &guest,
                                                                    bool section) {
    const unsigned slot = va >> 20;
    const bool user = user_half(slot);
    const uint32_t permission_fault =
        (section ? fault_status::section_permission : fault_status::page_permission) | guest.domain << 4;
    const Grant granted = grant(guest.page, section, slot, user);
    if ((user_mode && granted.domain == RTMUX_DOMAIN_KERNEL) ||
        !permits(granted.rights, guest.page.execute_never(), access)) {
        statistics_.faults++;
        return fault(permission_fault);
    }
    if (section && guest.beyond_memory) {
        statistics_.faults++;
        return fault(fault_status::external_abort);
    }
    if (guest.page.not_global() != user) [[unlikely]]
        mixed_ = true;

    // All that is granted is filled at once, not only what this access needs: a page filled
    // read-only between LDREX and STREX would make them fail for ever.
    if (section && assignment_.section_is_ram(guest.page.pa() & 0xfff00000)) {
        install_section(va, shadow_leaf(guest.page, granted.rights, user), granted.domain);
        return filled();
    }
    const FrameAccess frame = assignment_.lookup(guest.page.pa());
    if (frame == FrameAccess::ram) [[likely]] {
        install_page(va, shadow_leaf(guest.page, granted.rights, user), granted.domain, guest.size);
        return filled();
    }
    if (frame == FrameAccess::none) {
        statistics_.faults++;
        return fault(fault_status::external_abort);
    }
    if (access == Access::execute) {
        statistics_.faults++;
        return fault(permission_fault);
    }
    if (frame == FrameAccess::device_read_only && access == Access::write) {
        statistics_.mediated++;
        return {FillResult::Kind::mediated, 0, guest.page.pa() | (va & 0xfff)};
    }
    const Rights rights = frame == FrameAccess::device ? granted.rights : Rights::read_only;
    install_page(va, device_leaf(guest.page, rights, user), granted.domain, guest.size);
    return filled();
}

// With the MMU off the guest runs in kernel mode, cached as the executive's own view is: caches
// need no care when it turns its MMU on, but for the instruction cache.
template <class M, class A, class H>
[[gnu::noinline]] FillResult Shadow<M, A, H>::fill_flat(uint32_t va, Access access, bool user_mode) {
    const bool user = user_half(va >> 20);
    const FrameAccess frame = assignment_.lookup(va);
    if (frame == FrameAccess::none) {
        statistics_.faults++;
        return fault(fault_status::external_abort);
    }
    const bool device = frame != FrameAccess::ram;
    if (user_mode || (device && access == Access::execute)) {
        statistics_.faults++;
        return fault(fault_status::section_permission);
    }
    if (frame == FrameAccess::device_read_only && access == Access::write) {
        statistics_.mediated++;
        return {FillResult::Kind::mediated, 0, va};
    }
    const Rights rights = frame == FrameAccess::device_read_only ? Rights::read_only : Rights::read_write;
    const SmallPage leaf = SmallPage::make(
        va, rights, device ? MemoryType::strongly_ordered : MemoryType::write_back, device, device, user);
    if (!device && assignment_.section_is_ram(va & 0xfff00000))
        install_section(va, leaf, RTMUX_DOMAIN_KERNEL);
    else
        install_page(va, leaf, RTMUX_DOMAIN_KERNEL, LeafSize::small_page);
    return filled();
}

template <class M, class A, class H>
inline void Shadow<M, A, H>::install_page(uint32_t va, SmallPage leaf, uint32_t domain, LeafSize from) {
    statistics_.fills++;
    const L1Entry entry = l1(va >> 20);
    const bool there = entry.is_table() && entry.domain() == domain;
    uint32_t *const table = there ? table_of(entry) : new_table(va >> 20, domain);
    if (from != LeafSize::small_page) [[unlikely]]
        pool_.set_coarse(hardware_.table_index(l1(va >> 20).table_pa()));
    uint32_t *const word = table + (va >> 12 & 0xff);
    const uint32_t old = *word;
    hardware_.store(word, leaf.raw());
    hardware_.clean(word);
    hardware_.barrier();
    if (old) // The guest changed its entry: until here hardware may use either.
        hardware_.tlb_flush_page(va, current_);
}

// An empty one, in the place of what the slot had.
template <class M, class A, class H>
[[gnu::noinline]] uint32_t *Shadow<M, A, H>::new_table(unsigned slot, uint32_t domain) {
    if (!l1(slot).empty()) {
        statistics_.replaced_slots++;
        detach(slot, current_);
    }
    if (pool_.empty())
        evict();
    statistics_.tables++;
    const unsigned index = pool_.take();
    uint32_t *const table = hardware_.table(index);
    hardware_.clear_table(table);
    hardware_.barrier(); // the table is in memory before anything points to it
    if (!user_half(slot))
        pool_.set_kernel_slot(index, slot);
    attach(slot, L1Entry::table(hardware_.table_pa(index), domain));
    return table;
}

template <class M, class A, class H>
[[gnu::noinline]] void Shadow<M, A, H>::install_section(uint32_t va, SmallPage leaf, uint32_t domain) {
    statistics_.fills++;
    const unsigned slot = va >> 20;
    if (!l1(slot).empty()) {
        statistics_.replaced_slots++;
        detach(slot, current_);
    }
    attach(slot, L1Entry::section(leaf, domain));
}

// The slot is empty.
template <class M, class A, class H> inline void Shadow<M, A, H>::attach(unsigned slot, L1Entry entry) {
    if (user_half(slot)) {
        AddressSpace &space = spaces_[current_];
        if (space.full()) [[unlikely]] {
            statistics_.slot_overflows++;
            drop_space(current_);
        }
        space.append(slot, entry);
    } else {
        kernel_slots_.insert(slot);
    }
    write_l1(slot, entry);
    hardware_.barrier();
}

// Puts at least one table back into the empty pool: those of an address space that was not
// switched to lately; if none but the current one has any, a table of the kernel half.
// The slot being filled is empty, so it cannot be the victim.
template <class M, class A, class H> [[gnu::noinline]] void Shadow<M, A, H>::evict() {
    for (unsigned n = 0; n < 2 * asids; n++) {
        hand_ = (hand_ + 1) % asids;
        AddressSpace &space = spaces_[hand_];
        if (hand_ == current_ || !space.tables)
            continue;
        if (space.recent && live_.contains(hand_)) {
            space.recent = false;
            continue;
        }
        statistics_.space_evictions++;
        drop_space(hand_);
        return;
    }
    unsigned slot;
    if (pool_.next_kernel_slot(slot)) {
        statistics_.table_evictions++;
        detach(slot, current_);
    }
}

} // namespace rtmux::mmu

#endif
