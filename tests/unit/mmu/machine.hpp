// SPDX-License-Identifier: GPL-2.0-only
//
// A machine for Shadow on the host: guest RAM, an assignment, and translation hardware that
// behaves as badly as the architecture allows.
//
//  - A stored word reaches the walker at any time between the store and the DSB after its
//    cache line's clean: until then both values count.
//  - The TLB is unbounded and eager: after every single event it loads whatever a walk could
//    yield, tagged with the ASID of that moment, and forgets only what is invalidated.
//  - Whoever tests says, in `check`, what a loaded translation may be.
#ifndef RTMUX_TESTS_MMU_MACHINE_HPP
#define RTMUX_TESTS_MMU_MACHINE_HPP

#include "mmu/protection.hpp"
#include "rtmux/abi/guest.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace rtmux::test {

using mmu::FrameAccess;

// Physical map
constexpr uint32_t ram_base = 0x70080000, ram_end = 0x70400000; // begins inside a megabyte
constexpr uint32_t device = 0x10009000, device_read_only = 0x1000b000, rt_device = 0x10012000;
constexpr uint32_t pool_pa = 0x7e000000;

inline FrameAccess frame_access(uint32_t pa) {
    if (pa >= ram_base && pa < ram_end)
        return FrameAccess::ram;
    if (pa >> 12 == device >> 12)
        return FrameAccess::device;
    if (pa >> 12 == device_read_only >> 12)
        return FrameAccess::device_read_only;
    return FrameAccess::none;
}

struct Failure : std::runtime_error {
    using std::runtime_error::runtime_error;
};
inline void require(bool condition, const char *what) {
    if (!condition)
        throw Failure{what};
}

// One translation of one page, as the TLB keeps it
struct Loaded {
    uint32_t va;
    uint32_t asid; // `global` for a global one
    uint32_t pa, ap, type, domain;
    bool shareable, execute_never, section;
    static constexpr uint32_t global = ~0u;
    auto operator<=>(const Loaded &) const = default;
};

template <unsigned pool_size> class Machine {
  public:
    Machine() = default;
    // With the memory of another, cleared: allocating it is most of what a short life costs.
    explicit Machine(std::vector<uint32_t> &&used) : ram(std::move(used)) {
        std::fill(ram.begin(), ram.end(), 0);
    }

    std::vector<uint32_t> ram = std::vector<uint32_t>((ram_end - ram_base) / 4);

    // Pages looked at
    std::vector<uint32_t> slots, pages;
    std::function<void(const Loaded &)> check = [](const Loaded &) {};
    std::set<Loaded> tlb;
    uint32_t contextidr = 0;
    uint64_t events = 0, stores = 0;

    bool read(uint32_t pa, uint32_t &word) const {
        require(pa % 4 == 0, "guest memory read at an unaligned address");
        if (pa < ram_base || pa >= ram_end)
            return false;
        word = ram[(pa - ram_base) / 4];
        return true;
    }
    uint32_t &word(uint32_t pa) { return ram.at((pa - ram_base) / 4); }

    // The hardware policy
    uint32_t *l1() { return l1_.now.data(); }
    uint32_t *table(unsigned i) {
        require(i < pool_size, "table index");
        return pool_.now.data() + i * 256;
    }
    static uint32_t table_pa(unsigned i) { return pool_pa + i * 1024; }
    static unsigned table_index(uint32_t pa) {
        require(pa >= pool_pa && pa < pool_pa + pool_size * 1024 && pa % 1024 == 0, "table address");
        return (pa - pool_pa) / 1024;
    }
    void store(uint32_t *word, uint32_t value) {
        stores++;
        if (in(l1_, word)) {
            const uint32_t slot = static_cast<uint32_t>(word - l1_.now.data());
            require(slot < RTMUX_WINDOW >> 20 || slot >= RTMUX_WINDOW_END >> 20, "store to the window");
        } else {
            require(in(pool_, word), "store outside the tables");
        }
        *word = value;
        dirty_.insert(word);
        cleaned_.erase(word);
        observe(word);
    }
    void clear_table(uint32_t *table) {
        for (unsigned i = 0; i < 256; i++)
            if (table[i] || seen(&table[i]))
                store(&table[i], 0);
        for (unsigned i = 0; i < 256; i += 16)
            clean(table + i);
    }
    void clean(const uint32_t *word) {
        const uintptr_t line = line_of(word);
        for (uint32_t *w : dirty_)
            if (line_of(w) == line)
                cleaned_.insert(w);
    }
    void barrier() {
        for (uint32_t *w : cleaned_) {
            seen(w) = *w;
            dirty_.erase(w);
        }
        cleaned_.clear();
    }
    void tlb_flush_all() {
        invalidate([](const Loaded &) { return true; });
    }
    void tlb_flush_asid(uint32_t asid) {
        require(asid < 256, "ASID of a TLB operation");
        invalidate([=](const Loaded &e) { return e.asid == asid; });
    }
    void tlb_flush_page(uint32_t va, uint32_t asid) {
        require(asid < 256, "ASID of a TLB operation");
        invalidate([=](const Loaded &e) {
            return (e.asid == asid || e.asid == Loaded::global) &&
                   (e.section ? e.va >> 20 == va >> 20 : e.va >> 12 == va >> 12);
        });
    }
    void set_contextidr(uint32_t asid) {
        contextidr = asid;
        for (uint32_t slot : slots)
            observe_slot(slot);
    }
    void branch_predictor_invalidate() {}

    bool all_clean() const { return dirty_.empty(); }
    // What the walker finds when every store has reached it; empty: nothing
    std::vector<Loaded> walk(uint32_t va) {
        std::vector<Loaded> out;
        walk_word(va, l1_.seen[va >> 20], out, false);
        return out;
    }
    // The window's slots hold this, for ever.
    void fill_window() {
        for (uint32_t s = RTMUX_WINDOW >> 20; s < RTMUX_WINDOW_END >> 20; s++)
            l1_.now[s] = l1_.seen[s] = 0x70000412 | s << 20;
    }
    unsigned used_slots() const {
        unsigned n = 0;
        for (uint32_t w : l1_.now)
            n += w != 0;
        return n;
    }

  private:
    struct Memory { // as stored, and as the walker is sure to see it
        std::vector<uint32_t> now, seen;
    };
    Memory l1_{std::vector<uint32_t>(4096), std::vector<uint32_t>(4096)};
    // Never used memory is anything.
    Memory pool_{std::vector<uint32_t>(pool_size * 256, 0x7000005e),
                 std::vector<uint32_t>(pool_size * 256, 0x7000005e)};
    std::set<uint32_t *> dirty_, cleaned_;

    static bool in(const Memory &m, const uint32_t *w) {
        return w >= m.now.data() && w < m.now.data() + m.now.size();
    }
    uintptr_t line_of(const uint32_t *w) const {
        return in(l1_, w) ? static_cast<uintptr_t>(w - l1_.now.data()) / 16
                          : 1000 + static_cast<uintptr_t>(w - pool_.now.data()) / 16;
    }
    uint32_t &seen(const uint32_t *w) {
        Memory &m = in(l1_, w) ? l1_ : pool_;
        return m.seen[static_cast<size_t>(w - m.now.data())];
    }

    void walk_word(uint32_t va, uint32_t entry, std::vector<Loaded> &out, bool both) {
        Loaded e{};
        e.va = va & 0xfffff000;
        if ((entry & 3) == 0)
            return;
        require((entry & 3) != 3, "reserved L1 entry");
        e.domain = entry >> 5 & 15;
        if ((entry & 3) == 2) {
            require(!(entry & 0x000c0200), "supersection, NS or implementation-defined bit in a section");
            e.section = true;
            e.pa = (entry & 0xfff00000) | (va & 0xff000);
            e.ap = (entry >> 13 & 4) | (entry >> 10 & 3);
            e.type = (entry >> 10 & 4) | (entry >> 2 & 3);
            e.shareable = entry >> 16 & 1;
            e.execute_never = entry >> 4 & 1;
            e.asid = entry >> 17 & 1 ? contextidr : Loaded::global;
            out.push_back(e);
            return;
        }
        require(!(entry & 0x21c), "should-be-zero bit in a table pointer");
        const uint32_t pa = entry & 0xfffffc00;
        require(pa >= pool_pa && pa < pool_pa + pool_size * 1024, "table pointer outside the pool");
        const size_t index = (pa - pool_pa) / 4 + (va >> 12 & 0xff);
        const uint32_t values[2] = {pool_.seen[index], pool_.now[index]};
        for (unsigned i = 0; i < (both && values[0] != values[1] ? 2u : 1u); i++) {
            const uint32_t w = values[i];
            if (!(w & 3))
                continue;
            require(w & 2, "large page");
            e.pa = w & 0xfffff000;
            e.ap = (w >> 7 & 4) | (w >> 4 & 3);
            e.type = (w >> 4 & 4) | (w >> 2 & 3);
            e.shareable = w >> 10 & 1;
            e.execute_never = w & 1;
            e.asid = w >> 11 & 1 ? contextidr : Loaded::global;
            out.push_back(e);
        }
    }
    void load(uint32_t va) {
        std::vector<Loaded> found;
        const uint32_t slot = va >> 20;
        walk_word(va, l1_.seen[slot], found, true);
        if (l1_.now[slot] != l1_.seen[slot])
            walk_word(va, l1_.now[slot], found, true);
        for (const Loaded &e : found)
            if (tlb.insert(e).second)
                check(e);
    }
    static bool in_window(uint32_t slot) {
        return slot - (RTMUX_WINDOW >> 20) < (RTMUX_WINDOW_END - RTMUX_WINDOW) >> 20;
    }
    void observe_slot(uint32_t slot) {
        if (in_window(slot))
            return;
        for (uint32_t page : pages)
            load(slot << 20 | page << 12);
    }
    void observe(const uint32_t *word) {
        events++;
        if (in(l1_, word)) {
            observe_slot(static_cast<uint32_t>(word - l1_.now.data()));
            return;
        }
        const uint32_t index = static_cast<uint32_t>(word - pool_.now.data());
        const uint32_t pa = pool_pa + index / 256 * 1024;
        for (uint32_t slot : slots)
            if (!in_window(slot) && (points_to(l1_.now[slot], pa) || points_to(l1_.seen[slot], pa)))
                load(slot << 20 | index % 256 << 12);
    }
    static bool points_to(uint32_t entry, uint32_t pa) {
        return (entry & 3) == 1 && (entry & 0xfffffc00) == pa;
    }

    template <class Match> void invalidate(Match match) {
        std::erase_if(tlb, match);
        events++;
        // What was not cleaned and waited for comes back.
        for (const uint32_t *w : std::vector<const uint32_t *>(dirty_.begin(), dirty_.end()))
            observe(w);
    }
};

// Policies for Shadow: by value, so each refers to the machine.
template <class M> struct MemoryPolicy {
    M *machine;
    bool read(uint32_t pa, uint32_t &word) { return machine->read(pa, word); }
    const volatile uint32_t *words(uint32_t pa) { return &machine->word(pa); }
};
struct AssignmentPolicy {
    FrameAccess lookup(uint32_t pa) { return frame_access(pa); }
    bool section_is_ram(uint32_t pa) {
        pa &= 0xfff00000;
        return pa >= ram_base && pa < ram_end;
    }
};
template <class M, unsigned pool_size> struct HardwarePolicy {
    static constexpr unsigned tables = pool_size;
    M *machine;
    uint32_t *l1() { return machine->l1(); }
    uint32_t *table(unsigned i) { return machine->table(i); }
    uint32_t table_pa(unsigned i) { return machine->table_pa(i); }
    unsigned table_index(uint32_t pa) { return machine->table_index(pa); }
    void store(uint32_t *w, uint32_t v) { machine->store(w, v); }
    void clear_table(uint32_t *t) { machine->clear_table(t); }
    void clean(const uint32_t *w) { machine->clean(w); }
    void barrier() { machine->barrier(); }
    void tlb_flush_all() { machine->tlb_flush_all(); }
    void tlb_flush_asid(uint32_t asid) { machine->tlb_flush_asid(asid); }
    void tlb_flush_page(uint32_t va, uint32_t asid) { machine->tlb_flush_page(va, asid); }
    void set_contextidr(uint32_t asid) { machine->set_contextidr(asid); }
    void branch_predictor_invalidate() { machine->branch_predictor_invalidate(); }
};

} // namespace rtmux::test

#endif
