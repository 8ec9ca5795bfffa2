// SPDX-License-Identifier: GPL-2.0-only
#include "mmu/descriptor.hpp"

#include <gtest/gtest.h>

namespace rtmux::mmu {
namespace {

// Words worked out by hand from Arm ARM DDI 0406C figures B3-4 and B3-5
TEST(Descriptor, smallPageGoldenWords) {
    // User data: read-write, write-allocate (TEX[0], C, B), execute-never, not global
    EXPECT_EQ(
        SmallPage::make(0x70123456, Rights::read_write, MemoryType::write_allocate, false, true, true).raw(),
        0x7012387fu);
    // Text: read-only (AP = 111), write-back, executable, global
    EXPECT_EQ(
        SmallPage::make(0x70123000, Rights::read_only, MemoryType::write_back, false, false, false).raw(),
        0x7012323eu);
    // A shareable device
    EXPECT_EQ(SmallPage::make(0x10009000, Rights::read_write, MemoryType::device, true, true, false).raw(),
              0x10009473u);
    EXPECT_EQ(
        SmallPage::make(0x10009000, Rights::none, MemoryType::strongly_ordered, false, false, false).raw(),
        0x10009002u);
}

TEST(Descriptor, smallPageReadsBackWhatWasMade) {
    for (Rights rights : {Rights::none, Rights::read_only, Rights::read_write})
        for (uint32_t type = 0; type < 8; type++)
            for (uint32_t flags = 0; flags < 8; flags++) {
                const SmallPage p =
                    SmallPage::make(0xabcde000, rights, MemoryType{type}, flags & 1, flags & 2, flags & 4);
                EXPECT_EQ(p.pa(), 0xabcde000u);
                EXPECT_EQ(p.kernel_rights(), rights);
                EXPECT_EQ(p.user_rights(), rights);
                EXPECT_EQ(p.type(), MemoryType{type});
                EXPECT_EQ(p.shareable(), !!(flags & 1));
                EXPECT_EQ(p.execute_never(), !!(flags & 2));
                EXPECT_EQ(p.not_global(), !!(flags & 4));
                EXPECT_EQ(p.with_rights(Rights::none)
                              .with_type(MemoryType{0}, false)
                              .with_rights(rights)
                              .with_type(MemoryType{type}, flags & 1),
                          p);
            }
}

// Arm ARM table B3-8
TEST(Descriptor, accessPermissions) {
    const Rights none = Rights::none, ro = Rights::read_only, rw = Rights::read_write;
    const Rights kernel[8] = {none, rw, rw, rw, none, ro, ro, ro};
    const Rights user[8] = {none, none, ro, rw, none, none, ro, ro};
    for (uint32_t ap = 0; ap < 8; ap++) {
        const SmallPage p{(ap & 4) << 7 | (ap & 3) << 4 | 2};
        EXPECT_EQ(p.ap(), ap);
        EXPECT_EQ(p.kernel_rights(), kernel[ap]) << ap;
        EXPECT_EQ(p.user_rights(), user[ap]) << ap;
    }
}

TEST(Descriptor, sectionGoldenWords) {
    // Linux's lowmem: AP = 01, TEX = 001, C, B, shareable; domain 5 for the test's sake
    const L1Entry lowmem{0x702114ae};
    EXPECT_TRUE(lowmem.is_section());
    EXPECT_FALSE(lowmem.is_table() || lowmem.is_supersection() || lowmem.empty());
    EXPECT_EQ(lowmem.domain(), 5u);
    EXPECT_EQ(lowmem.page(0xc0234567).raw(), 0x7023445eu);
    // Read-only (AP2), execute-never, not global, domain 1
    EXPECT_EQ(L1Entry::section(SmallPage{0x70345a3f}, 1).raw(), 0x70328c3eu);
}

TEST(Descriptor, sectionAndPageAreInverse) {
    for (uint32_t bits = 0; bits < 0x1000; bits++) {
        const SmallPage p{0x70300000 | bits | 2};
        const L1Entry s = L1Entry::section(p, 3);
        EXPECT_TRUE(s.is_section() && !s.is_supersection());
        EXPECT_EQ(s.domain(), 3u);
        EXPECT_EQ(s.page(0), p);
    }
}

TEST(Descriptor, largerLeavesAsPages) {
    // Large page: XN [15], TEX [14:12], nG, S, AP2, AP, C, B as in a small page
    EXPECT_EQ(LargePage{0x7012903d}.page(0x0000a123).raw(), 0x7012a07fu);
    EXPECT_EQ(LargePage{0x70120e3d}.page(0xfffff000).raw(), 0x7012fe3eu);
    // Supersection: base [31:24], PA[35:32] in [23:20], PA[39:36] in [8:5]
    const L1Entry super{0x71040c0e};
    EXPECT_TRUE(super.is_section() && super.is_supersection());
    EXPECT_EQ(super.supersection_page(0xc5a34567).raw(), 0x71a3403eu);
    EXPECT_FALSE(super.beyond_4_gib());
    EXPECT_TRUE(L1Entry{0x71140c0e}.beyond_4_gib());
    EXPECT_TRUE(L1Entry{0x71040c2e}.beyond_4_gib());
}

TEST(Descriptor, tablePointers) {
    const L1Entry t = L1Entry::table(0x7e000400, 2);
    EXPECT_EQ(t.raw(), 0x7e000441u);
    EXPECT_TRUE(t.is_table());
    EXPECT_FALSE(t.is_section());
    EXPECT_EQ(t.table_pa(), 0x7e000400u);
    EXPECT_EQ(t.domain(), 2u);
    EXPECT_FALSE(L1Entry{3}.is_section() || L1Entry{3}.is_table());
}

} // namespace
} // namespace rtmux::mmu
