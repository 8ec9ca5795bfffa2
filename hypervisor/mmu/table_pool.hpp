// SPDX-License-Identifier: GPL-2.0-only
//
// Which shadow L2 tables are in use, by which slot of the kernel half, and which are coarse.
// Usable when zero-initialised: tables never used yet are counted, tables given back are
// stacked.
#ifndef RTMUX_MMU_TABLE_POOL_HPP
#define RTMUX_MMU_TABLE_POOL_HPP

#include <cstdint>

namespace rtmux::mmu {

template <unsigned size> class TablePool {
  public:
    static_assert(size >= 64 && size < 0x10000, "more than one address space can hold");

    bool empty() const { return free_count_ == 0 && fresh_ == size; }
    unsigned available() const { return free_count_ + size - fresh_; }

    // Only when not empty. The table's contents are whatever they were.
    unsigned take() { return free_count_ ? free_[--free_count_] : fresh_++; }

    // The caller sees to it that neither an L1 entry nor the TLB leads to the table
    // before it is taken again.
    void give(unsigned table) {
        kernel_slot_[table] = 0;
        coarse_[table] = false;
        free_[free_count_++] = static_cast<uint16_t>(table);
    }

    void set_kernel_slot(unsigned table, unsigned slot) {
        kernel_slot_[table] = static_cast<uint16_t>(slot + 1);
    }

    // Some of its pages come from a larger leaf of the guest's, which goes as a whole when the
    // guest flushes any address in it.
    void set_coarse(unsigned table) { coarse_[table] = true; }
    bool coarse(unsigned table) const { return coarse_[table]; }

    // The slot of the next table of the kernel half, round robin; false if there is none.
    bool next_kernel_slot(unsigned &slot) {
        for (unsigned n = 0; n < size; n++) {
            hand_ = hand_ + 1 == size ? 0 : hand_ + 1;
            if (kernel_slot_[hand_]) {
                slot = kernel_slot_[hand_] - 1u;
                return true;
            }
        }
        return false;
    }

  private:
    unsigned free_count_ = 0;
    unsigned fresh_ = 0;
    unsigned hand_ = 0;
    uint16_t free_[size] = {};
    uint16_t kernel_slot_[size] = {}; // slot + 1; 0: none
    bool coarse_[size] = {};
};

} // namespace rtmux::mmu

#endif
