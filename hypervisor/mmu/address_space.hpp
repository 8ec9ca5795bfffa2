// SPDX-License-Identifier: GPL-2.0-only
//
// A cached address space: the L1 entries of its user half, kept while another one has the
// hardware's table. And the set of L1 slots that the guest's kernel half uses.
#ifndef RTMUX_MMU_ADDRESS_SPACE_HPP
#define RTMUX_MMU_ADDRESS_SPACE_HPP

#include "descriptor.hpp"

namespace rtmux::mmu {

struct AddressSpace {
    static constexpr unsigned max_slots = 48;

    uint32_t pgd = 0;    // physical; the guest's
    uint8_t count = 0;   // used entries
    uint8_t tables = 0;  // how many of them are tables
    bool recent = false; // switched to since the evicting hand came by
    uint16_t slot[max_slots] = {};
    L1Entry entry[max_slots] = {};

    bool full() const { return count == max_slots; }
    // Its index, or count
    unsigned find(unsigned wanted) const {
        unsigned i = 0;
        while (i < count && slot[i] != wanted)
            i++;
        return i;
    }
    void append(unsigned new_slot, L1Entry new_entry) {
        slot[count] = static_cast<uint16_t>(new_slot);
        entry[count] = new_entry;
        count++;
        tables = static_cast<uint8_t>(tables + new_entry.is_table());
    }
    void remove(unsigned index) {
        tables = static_cast<uint8_t>(tables - entry[index].is_table());
        count--;
        slot[index] = slot[count];
        entry[index] = entry[count];
    }
};

class SlotSet {
  public:
    void insert(unsigned slot) { word_[slot / 32] |= 1u << slot % 32; }
    void erase(unsigned slot) { word_[slot / 32] &= ~(1u << slot % 32); }

    // Calls visit(slot) for each member in [first, last]; visit may erase it.
    template <class Visit> void for_each(unsigned first, unsigned last, Visit visit) const {
        for (unsigned w = first / 32; w <= last / 32; w++) {
            uint32_t bits = word_[w];
            if (w == first / 32)
                bits &= ~0u << first % 32;
            if (w == last / 32)
                bits &= ~0u >> (31 - last % 32);
            for (; bits; bits &= bits - 1)
                visit(w * 32 + static_cast<unsigned>(__builtin_ctz(bits)));
        }
    }

  private:
    uint32_t word_[128] = {};
};

class AsidSet {
  public:
    bool contains(unsigned asid) const { return word_[asid / 32] >> asid % 32 & 1; }
    void insert(unsigned asid) { word_[asid / 32] |= 1u << asid % 32; }
    void clear() {
        for (uint32_t &w : word_)
            w = 0;
    }

  private:
    uint32_t word_[8] = {};
};

} // namespace rtmux::mmu

#endif
