// SPDX-License-Identifier: GPL-2.0-only
//
// ARMv7 short descriptors as values (Arm ARM DDI 0406C, B3.5.1), AFE = 0, TRE = 1.
//
//                 31     20 19 18 17 16 15  14 12 11 10 9 8    5  4  3 2 1 0
//   table        | table address  31:10           |    0| domain | 0 NS 0 0 1 |
//   section      | base     |NS 0 nG  S AP2| TEX |AP1:0|0| domain |XN  C B 1 0 |
//   supersection | base|PA35:32 |1 ...      as above     | PA39:36|  as above  |
//                 31          16 15 14 12 11 10  9  8 6 5 4 3 2 1 0
//   large page   | base         |XN  TEX |nG  S AP2| 0  |AP |C B 0 1 |
//   small page   | base  31:12           |nG  S AP2|TEX |AP |C B 1 XN|
//
// Every leaf is handled as a small page: the other formats are converted into it,
// and a section is made from it, by moving its bits.
#ifndef RTMUX_MMU_DESCRIPTOR_HPP
#define RTMUX_MMU_DESCRIPTOR_HPP

#include <cstdint>

namespace rtmux::mmu {

enum class Rights : uint32_t { none = 0, read_only = 1, read_write = 3 };

// With TRE = 1: n = TEX[0], C, B selects a field of PRRR and NMRR; names of Linux's set-up.
enum class MemoryType : uint32_t {
    strongly_ordered = 0,
    uncached = 1,
    write_through = 2,
    write_back = 3,
    device = 4,
    implementation_defined = 6,
    write_allocate = 7,
};

class SmallPage {
  public:
    constexpr SmallPage() = default;
    explicit constexpr SmallPage(uint32_t raw) : raw_{raw} {}

    // A page of the guest or of the executive's shadow: PL0 has the same rights as PL1.
    static constexpr SmallPage make(uint32_t pa, Rights rights, MemoryType type, bool shareable,
                                    bool execute_never, bool not_global) {
        return SmallPage{(pa & base_mask) | 2}
            .with_rights(rights)
            .with_type(type, shareable)
            .with_execute_never(execute_never)
            .with_not_global(not_global);
    }

    constexpr uint32_t raw() const { return raw_; }
    constexpr uint32_t pa() const { return raw_ & base_mask; }
    constexpr uint32_t ap() const { return (raw_ >> 7 & 4) | (raw_ >> 4 & 3); }
    constexpr bool execute_never() const { return raw_ & 1; }
    constexpr bool not_global() const { return raw_ & 1u << 11; }
    constexpr bool shareable() const { return raw_ & 1u << 10; }
    constexpr MemoryType type() const { return MemoryType{(raw_ >> 4 & 4) | (raw_ >> 2 & 3)}; }

    // Arm ARM table B3-8. AP = 100 is reserved: no access.
    constexpr Rights kernel_rights() const { return Rights{0x54fcu >> 2 * ap() & 3}; }
    constexpr Rights user_rights() const { return Rights{0x50d0u >> 2 * ap() & 3}; }

    // PL0 gets what PL1 gets: AP = 011 (read-write), 111 (read-only) or 000.
    static constexpr uint32_t rights_bits(Rights r) {
        return r == Rights::none ? 0 : r == Rights::read_write ? 0x030 : 0x230;
    }
    constexpr SmallPage with_rights(Rights r) const { return SmallPage{(raw_ & ~0x230u) | rights_bits(r)}; }
    constexpr SmallPage with_type(MemoryType type, bool shareable) const {
        const uint32_t n = static_cast<uint32_t>(type);
        return SmallPage{(raw_ & ~(0x180 | memory_bits)) | (n & 4) << 4 | (n & 3) << 2 |
                         (shareable ? 1u << 10 : 0)};
    }
    constexpr SmallPage with_execute_never(bool xn) const { return SmallPage{(raw_ & ~1u) | (xn ? 1 : 0)}; }
    constexpr SmallPage with_not_global(bool ng) const {
        return SmallPage{(raw_ & ~(1u << 11)) | (ng ? 1u << 11 : 0)};
    }

    friend constexpr bool operator==(SmallPage, SmallPage) = default;

    static constexpr uint32_t base_mask = 0xfffff000;
    static constexpr uint32_t type_bits = 0x04c;   // TEX[0], C, B
    static constexpr uint32_t memory_bits = 0x44c; // and S
    static constexpr uint32_t not_global_bit = 0x800;
    static constexpr uint32_t uncached_type = 0x004;
    static constexpr uint32_t write_back_type = 0x00c; // C, B: write-back, and with TEX[0] write-allocate
    static constexpr uint32_t ap2_bit = 0x200;
    static constexpr uint32_t execute_never_bit = 0x001;

  private:
    uint32_t raw_ = 0;
};

class LargePage {
  public:
    explicit constexpr LargePage(uint32_t raw) : raw_{raw} {}
    // The 4 KiB of it that va selects
    constexpr SmallPage page(uint32_t va) const {
        return SmallPage{(raw_ & 0xffff0000) | (va & 0xf000) | (raw_ & 0xe3c) | (raw_ >> 6 & 0x1c0) | 2 |
                         (raw_ >> 15 & 1)};
    }

  private:
    uint32_t raw_;
};

class L1Entry {
  public:
    constexpr L1Entry() = default;
    explicit constexpr L1Entry(uint32_t raw) : raw_{raw} {}

    static constexpr L1Entry table(uint32_t pa, uint32_t domain) {
        return L1Entry{(pa & table_mask) | domain << 5 | 1};
    }
    // The section that the page belongs to, with the page's attributes
    static constexpr L1Entry section(SmallPage page, uint32_t domain) {
        const uint32_t p = page.raw();
        return L1Entry{(p & 0xfff00000) | (p & 0xff0) << 6 | (p & 1) << 4 | (p & 0xc) | domain << 5 | 2};
    }

    constexpr uint32_t raw() const { return raw_; }
    constexpr bool empty() const { return raw_ == 0; }
    constexpr bool is_table() const { return (raw_ & 3) == 1; }
    // 3 is reserved without PXN, which Cortex-A8 has not
    constexpr bool is_section() const { return (raw_ & 3) == 2; }
    constexpr bool is_supersection() const { return raw_ & 1u << 18; }
    constexpr uint32_t table_pa() const { return raw_ & table_mask; }
    constexpr uint32_t domain() const { return raw_ >> 5 & 15; }

    // The 4 KiB of a section that va selects
    constexpr SmallPage page(uint32_t va) const {
        return SmallPage{(raw_ & 0xfff00000) | (va & 0xff000) | attributes()};
    }
    constexpr SmallPage supersection_page(uint32_t va) const {
        return SmallPage{(raw_ & 0xff000000) | (va & 0xfff000) | attributes()};
    }
    constexpr bool beyond_4_gib() const { return raw_ & 0x00f001e0; }

    friend constexpr bool operator==(L1Entry, L1Entry) = default;

  private:
    static constexpr uint32_t table_mask = 0xfffffc00;
    constexpr uint32_t attributes() const { return (raw_ >> 6 & 0xff0) | (raw_ & 0xc) | 2 | (raw_ >> 4 & 1); }

    uint32_t raw_ = 0;
};

static_assert(sizeof(SmallPage) == 4 && sizeof(L1Entry) == 4);

} // namespace rtmux::mmu

#endif
