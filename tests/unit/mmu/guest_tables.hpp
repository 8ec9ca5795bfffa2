// SPDX-License-Identifier: GPL-2.0-only
//
// The guest's translation tables of a scenario, and what a guest may write to them.
#ifndef RTMUX_TESTS_MMU_GUEST_TABLES_HPP
#define RTMUX_TESTS_MMU_GUEST_TABLES_HPP

#include "machine.hpp"

namespace rtmux::test {

struct Options {
    std::vector<uint32_t> slots;
    std::vector<uint32_t> pages;
    unsigned asids = 12;     // used by the guest, 0 included
    bool odd = false;        // global user pages, supersections, private kernel pages
    bool task_sizes = false; // the guest changes its split, and reboots
};

// Next: callable, uint32_t(uint32_t bound), a number below bound
template <class Machine, class Next> class GuestTables {
  public:
    static constexpr uint32_t pgds = 4;

    GuestTables(Machine &m, const Options &o, Next &n) : machine{m}, options{o}, next{n} {}

    void fill(uint32_t task_size) {
        for (uint32_t p = 0; p < pgds; p++)
            for (uint32_t slot : options.slots)
                set_l1(p, slot, any_table(slot >= task_size >> 20));
        for (uint32_t t = 0; t < guest_tables; t++)
            for (uint32_t page : options.pages)
                machine.word(guest_table(t) + page * 4) = small_page(!kernel_table(t));
    }
    void edit_page() {
        const uint32_t t = next(guest_tables);
        const uint32_t page = options.pages[next(static_cast<uint32_t>(options.pages.size()))];
        const uint32_t value = next(5) == 0 ? next(0xffffffff) & ~3u : small_page(!kernel_table(t));
        if (value & 2 || !(value & 3)) {
            machine.word(guest_table(t) + page * 4) = value;
        } else { // sixteen times
            for (uint32_t i = page & ~15u; i < (page & ~15u) + 16; i++)
                machine.word(guest_table(t) + i * 4) = value;
        }
    }
    void edit_l1(uint32_t task_size) {
        const uint32_t p = next(pgds),
                       slot = options.slots[next(static_cast<uint32_t>(options.slots.size()))];
        const bool kernel = slot >= task_size >> 20;
        const uint32_t ap = any_ap();
        const uint32_t section = (ap & 4) << 13 | (ap & 3) << 10 | next(8) << 12 | next(4) << 2 |
                                 next(2) << 16 | next(2) << 4 | (kernel == odd() ? 0x20000 : 0) | 2;
        switch (next(8)) {
        case 0:
            set_l1(p, slot, next(2) ? 0 : next(0xffffffff) | 3);
            break;
        case 1:
        case 2:
            set_l1(p, slot, section | (any_frame() & 0xfff00000) | next(16) << 5);
            break;
        case 3:
            if (options.odd) {
                set_l1(p, slot,
                       section | 0x40000 | (next(2) ? 0x70000000 : 0x10000000) |
                           (next(4) ? 0 : next(16) << 20 | next(16) << 5));
                break;
            }
            [[fallthrough]];
        default:
            set_l1(p, slot, any_table(kernel));
        }
    }

    static uint32_t pgd_pa(uint32_t p) { return tables_pa + p * 0x4000; }
    uint32_t any_va() {
        return options.slots[next(static_cast<uint32_t>(options.slots.size()))] << 20 |
               options.pages[next(static_cast<uint32_t>(options.pages.size()))] << 12 | next(1024) * 4;
    }

  private:
    static constexpr uint32_t guest_tables = 24;
    static constexpr uint32_t tables_pa = 0x70300000;

    static uint32_t guest_table(uint32_t t) { return tables_pa + pgds * 0x4000 + t * 0x400; }
    void set_l1(uint32_t p, uint32_t slot, uint32_t value) { machine.word(pgd_pa(p) + slot * 4) = value; }
    bool odd() { return options.odd && next(16) == 0; }

    uint32_t any_frame() {
        switch (next(16)) {
        case 0:
            return device;
        case 1:
            return device_read_only;
        case 2:
            return rt_device;
        case 3:
            return 0x70000000 + next(0x100) * 0x1000; // the executive's, and the first of the guest's
        case 4:
            return ram_end - 0x1000 + next(2) * 0x1000;
        case 5:
            return next(0x100000) << 12;
        default:
            return 0x70100000 + next(0x200) * 0x1000;
        }
    }
    uint32_t any_ap() { return next(2) ? (next(2) ? 3 : 7) : next(8); }
    // nG as Linux has it, from the address: the user half's tables and the kernel half's are apart
    uint32_t small_page(bool not_global) {
        const uint32_t ap = any_ap();
        const uint32_t attributes =
            (ap & 4) << 7 | (ap & 3) << 4 | next(8) << 6 | next(4) << 2 | next(2) << 10;
        const uint32_t ng = not_global != odd() ? 0x800 : 0;
        if (next(10) == 0) // large
            return (any_frame() & 0xffff0000) | (attributes & 0xe3c) | next(8) << 12 | next(2) << 15 | ng | 1;
        return any_frame() | attributes | ng | 2 | next(2);
    }
    // The last third of the tables is for the kernel half.
    static bool kernel_table(uint32_t t) { return t >= guest_tables * 2 / 3; }
    uint32_t any_table(bool kernel) {
        const uint32_t t =
            kernel ? guest_tables * 2 / 3 + next(guest_tables / 3) : next(guest_tables * 2 / 3);
        const uint32_t pa = next(24) == 0 ? next(0x100000) << 12 | next(4) << 10 : guest_table(t);
        return pa | next(16) << 5 | 1;
    }

    Machine &machine;
    const Options &options;
    Next &next;
};

} // namespace rtmux::test

#endif
