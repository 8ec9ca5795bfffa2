// SPDX-License-Identifier: GPL-2.0-only
//
// Shadow: taking translations away. Part of shadow.hpp.
//
// A table may be given back to the pool before the TLB is flushed, because nothing is taken
// from the pool until the function has flushed it.
#ifndef RTMUX_MMU_SHADOW_FLUSH_HPP
#define RTMUX_MMU_SHADOW_FLUSH_HPP

#include "shadow.hpp"

namespace rtmux::mmu {

template <class M, class A, class H> void Shadow<M, A, H>::give_tables(AddressSpace &space) {
    for (unsigned i = 0; i < space.count; i++)
        give_table(space.entry[i]);
    space.count = 0;
    space.tables = 0;
}

template <class M, class A, class H> inline void Shadow<M, A, H>::take_out_current() {
    const AddressSpace &space = spaces_[current_];
    for (unsigned i = 0; i < space.count; i++)
        write_l1(space.slot[i], L1Entry{});
}

// Empties one address space; it stays current, or cached, without entries.
template <class M, class A, class H> [[gnu::noinline]] void Shadow<M, A, H>::drop_space(unsigned asid) {
    AddressSpace &space = spaces_[asid];
    if (!space.count)
        return;
    if (asid == current_)
        take_out_current();
    hardware_.barrier();
    // Since it died nobody walked a dead one's tables.
    if (asid == current_ || live_.contains(asid))
        hardware_.tlb_flush_asid(asid);
    give_tables(space);
}

// Removes one used slot: of the kernel half, or of a live space.
template <class M, class A, class H>
[[gnu::noinline]] void Shadow<M, A, H>::detach(unsigned slot, unsigned asid) {
    L1Entry entry;
    const bool user = user_half(slot);
    if (user) {
        AddressSpace &space = spaces_[asid];
        const unsigned i = space.find(slot);
        entry = space.entry[i];
        space.remove(i);
    } else {
        entry = l1(slot);
        kernel_slots_.erase(slot);
    }
    if (!user || asid == current_) {
        write_l1(slot, L1Entry{});
        hardware_.barrier();
    }
    if (!entry.is_table())
        hardware_.tlb_flush_page(slot << 20, asid);
    else if (user)
        hardware_.tlb_flush_asid(asid);
    else
        hardware_.tlb_flush_all();
    give_table(entry);
}

// Lazy: the lists of the other address spaces stay until they are switched to or evicted.
template <class M, class A, class H> void Shadow<M, A, H>::flush_all() {
    statistics_.flushes_all++;
    take_out_current();
    kernel_slots_.for_each(first_kernel_slot_, 0xfff, [this](unsigned slot) {
        give_table(l1(slot));
        write_l1(slot, L1Entry{});
        kernel_slots_.erase(slot);
    });
    hardware_.barrier();
    hardware_.tlb_flush_all();
    give_tables(spaces_[current_]);
    live_.clear();
    live_.insert(current_);
    mixed_ = false;
}

template <class M, class A, class H> void Shadow<M, A, H>::flush_asid(uint32_t asid) {
    if (mixed_) [[unlikely]]
        return flush_all();
    statistics_.flushes_asid++;
    drop_space(asid % asids);
}

template <class M, class A, class H> void Shadow<M, A, H>::flush_page(uint32_t va, uint32_t asid) {
    if (mixed_) [[unlikely]]
        return flush_all();
    statistics_.flushes_page++;
    asid %= asids;
    const unsigned slot = va >> 20;
    L1Entry entry;
    if (!user_half(slot)) {
        if (in_window(va))
            return;
        entry = l1(slot);
    } else if (asid == current_) {
        entry = l1(slot);
    } else if (live_.contains(asid)) {
        const AddressSpace &space = spaces_[asid];
        const unsigned i = space.find(slot);
        if (i != space.count)
            entry = space.entry[i];
    }
    if (entry.empty())
        return;
    if (!fine_table(entry))
        return detach(slot, asid);
    uint32_t *const word = table_of(entry) + (va >> 12 & 0xff);
    if (!*word)
        return;
    hardware_.store(word, 0);
    hardware_.clean(word);
    hardware_.barrier();
    hardware_.tlb_flush_page(va, asid);
}

template <class M, class A, class H>
void Shadow<M, A, H>::flush_user_range(uint32_t start, uint32_t end, uint32_t asid) {
    if (mixed_) [[unlikely]]
        return flush_all();
    statistics_.flushes_user_range++;
    flush_range(start, end, asid % asids);
}

// Hardware would match these pages' global entries; not-global ones of ASID 0 with them.
template <class M, class A, class H> void Shadow<M, A, H>::flush_kernel_range(uint32_t start, uint32_t end) {
    if (mixed_) [[unlikely]]
        return flush_all();
    statistics_.flushes_kernel_range++;
    flush_range(start, end, 0);
}

// Clears what [first, last] covers of a slot in use, up to a whole table. Returns true if the slot's entry
// has to go altogether.
template <class M, class A, class H>
bool Shadow<M, A, H>::clear_range(L1Entry entry, unsigned slot, uint32_t first, uint32_t last) {
    const uint32_t begin = slot << 20, end = begin | 0xfffff;
    if (!fine_table(entry) || (first <= begin && last >= end))
        return true;
    uint32_t *const table = table_of(entry);
    const unsigned from = first <= begin ? 0 : first >> 12 & 0xff;
    const unsigned to = last >= end ? 0xff : last >> 12 & 0xff;
    for (unsigned i = from; i <= to; i++) {
        if (table[i]) {
            hardware_.store(&table[i], 0);
            hardware_.clean(&table[i]);
        }
    }
    return false;
}

// At least one page, as Linux's own loop would do.
template <class M, class A, class H>
void Shadow<M, A, H>::flush_range(uint32_t start, uint32_t end, unsigned asid) {
    const uint32_t first = start & ~0xfffu;
    const uint32_t last = (end > start ? end - 1 : start) | 0xfff;
    AddressSpace &space = spaces_[asid];
    bool user_hit = false, kernel_hit = false, table_hit = false;
    if (user_half(first >> 20) && (asid == current_ || live_.contains(asid))) {
        for (unsigned i = 0; i < space.count;) {
            const unsigned slot = space.slot[i];
            if (slot < first >> 20 || slot > last >> 20) {
                i++;
                continue;
            }
            user_hit = true;
            if (!clear_range(space.entry[i], slot, first, last)) {
                i++;
                continue;
            }
            if (asid == current_)
                write_l1(slot, L1Entry{});
            table_hit |= space.entry[i].is_table();
            give_table(space.entry[i]);
            space.remove(i);
        }
    }
    if (!user_half(last >> 20)) {
        const unsigned from = user_half(first >> 20) ? first_kernel_slot_ : first >> 20;
        kernel_slots_.for_each(from, last >> 20, [&](unsigned slot) {
            kernel_hit = true;
            if (!clear_range(l1(slot), slot, first, last))
                return;
            table_hit |= l1(slot).is_table();
            give_table(l1(slot));
            write_l1(slot, L1Entry{});
            kernel_slots_.erase(slot);
        });
    }
    if (!user_hit && !kernel_hit)
        return;
    hardware_.barrier();
    // A table that went, because it is coarse, had more pages than the range.
    if (!table_hit && (last - first) >> 12 < max_page_flushes) {
        for (uint32_t va = first;; va += 0x1000) {
            hardware_.tlb_flush_page(va, asid);
            if (last - va < 0x1000)
                break;
        }
    } else if (kernel_hit) {
        hardware_.tlb_flush_all();
    } else {
        hardware_.tlb_flush_asid(asid);
    }
}

#ifdef RTMUX_CHAOS
template <class M, class A, class H> void Shadow<M, A, H>::chaos_drop(uint32_t random) {
    const AddressSpace &space = spaces_[current_];
    const uint32_t choice = random >> 8;
    switch (random % 8) {
    case 0:
        flush_all();
        break;
    case 1:
        drop_space(choice % asids);
        break;
    case 2:
        drop_space(current_);
        break;
    case 3: { // a table or section of the kernel half
        unsigned victim = 0, n = 0;
        kernel_slots_.for_each(0, 0xfff, [&](unsigned slot) {
            if (choice % ++n == 0)
                victim = slot;
        });
        if (n)
            detach(victim, current_);
        break;
    }
    default: // a slot, or a few pages, of the current user half
        if (!space.count)
            break;
        const unsigned i = choice % space.count;
        if (random % 8 == 4)
            detach(space.slot[i], current_);
        else
            flush_range(uint32_t{space.slot[i]} << 20 | (choice << 12 & 0xf0000),
                        uint32_t{space.slot[i]} << 20 | (choice << 12 & 0xf0000) | 0xffff, current_);
    }
}
#endif

} // namespace rtmux::mmu

#endif
