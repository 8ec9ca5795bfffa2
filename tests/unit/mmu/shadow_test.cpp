// SPDX-License-Identifier: GPL-2.0-only
#include "mmu/shadow.hpp"
#include "reference.hpp"

#include <gtest/gtest.h>

namespace rtmux::test {
namespace {

using mmu::FillResult;
using Kind = FillResult::Kind;
using mmu::Access;

constexpr uint32_t pgd = 0x70300000, other_pgd = 0x70304000, tables = 0x70310000;
constexpr uint32_t ng = 0x800;

class Shadow : public testing::Test {
  protected:
    Machine<64> machine;
    mmu::Shadow<MemoryPolicy<Machine<64>>, AssignmentPolicy, HardwarePolicy<Machine<64>, 64>> shadow{
        {&machine}, {}, {&machine}};
    uint32_t next_table = tables;

    void SetUp() override {
        machine.fill_window();
        shadow.reset();
        shadow.set_mmu(true);
        ASSERT_TRUE(shadow.switch_mm(pgd, 1));
    }
    void l1(uint32_t va, uint32_t entry, uint32_t in = pgd) { machine.word(in + (va >> 20) * 4) = entry; }
    void page(uint32_t va, uint32_t entry, uint32_t in = pgd, uint32_t domain = 0) {
        uint32_t &slot = machine.word(in + (va >> 20) * 4);
        if ((slot & 3) != 1) {
            slot = next_table | domain << 5 | 1;
            next_table += 0x400;
        }
        machine.word((slot & ~0x3ffu) + (va >> 12 & 0xff) * 4) = entry;
    }
    Kind read(uint32_t va, bool user = false) { return shadow.fill(va, Access::read, user).kind; }
    bool mapped(uint32_t va) { return !machine.walk(va).empty(); }
    uint32_t status(uint32_t va, Access access = Access::read, bool user = false) {
        const FillResult r = shadow.fill(va, access, user);
        return r.kind == Kind::fault ? r.fsr : 0;
    }
};

// Every AP in every half, as page and as section, for every access in both modes
TEST_F(Shadow, accessPermissionTable) {
    struct Row {
        uint32_t ap;
        const char *kernel_half, *page, *section; // kernel mode's rights / user mode's
    };
    const Row rows[] = {
        {0, "-/-", "-/-", "-/-"},      {1, "rw/-", "-/-", "rw/-"}, {2, "rw/-", "r/r", "r/r"},
        {3, "rw/-", "rw/rw", "rw/rw"}, {4, "-/-", "-/-", "-/-"},   {5, "r/-", "-/-", "r/-"},
        {6, "r/-", "r/r", "r/r"},      {7, "r/-", "r/r", "r/r"},
    };
    for (const Row &row : rows)
        for (uint32_t va : {0x00400000u, 0xc0400000u, 0xfff00000u})
            for (bool section : {false, true})
                for (bool xn : {false, true})
                    for (bool user : {false, true})
                        for (Access access : {Access::read, Access::write, Access::execute}) {
                            shadow.flush_all();
                            const uint32_t not_global = va < 0xbf000000;
                            if (section)
                                l1(va, 0x70100000 | not_global << 17 | (row.ap & 4) << 13 |
                                           (row.ap & 3) << 10 | uint32_t{xn} << 4 | 0xc | 7 << 5 | 2);
                            else
                                page(va,
                                     0x70100000 | not_global << 11 | (row.ap & 4) << 7 | (row.ap & 3) << 4 |
                                         0xc | 2 | uint32_t{xn},
                                     pgd, 7);
                            const std::string text = va == 0xc0400000 ? row.kernel_half
                                                     : section        ? row.section
                                                                      : row.page;
                            const std::string rights =
                                user ? text.substr(text.find('/') + 1) : text.substr(0, text.find('/'));
                            const bool allowed = access == Access::write     ? rights == "rw"
                                                 : access == Access::execute ? rights != "-" && !xn
                                                                             : rights != "-";
                            const FillResult r = shadow.fill(va, access, user);
                            SCOPED_TRACE(testing::Message() << "ap " << row.ap << " va " << std::hex << va
                                                            << " section " << section << " user " << user
                                                            << " access " << static_cast<int>(access));
                            EXPECT_EQ(r.kind, allowed ? Kind::filled : Kind::fault);
                            if (!allowed) {
                                EXPECT_EQ(r.fsr, section ? 0x7du : 0x7fu);
                                EXPECT_FALSE(mapped(va));
                                continue;
                            }
                            const std::vector<Loaded> now = machine.walk(va);
                            ASSERT_EQ(now.size(), 1u);
                            EXPECT_EQ(now[0].section, section);
                            for (bool mode : {false, true}) { // all of the row at once, and no more
                                const std::string full =
                                    mode ? text.substr(text.find('/') + 1) : text.substr(0, text.find('/'));
                                EXPECT_EQ(loaded_allowed(now[0], mode), full == "rw"  ? Allowed::writing
                                                                        : full == "r" ? Allowed::reading
                                                                                      : Allowed::nothing);
                            }
                        }
}

TEST_F(Shadow, faultStatusOfTheGuestsOwnTables) {
    EXPECT_EQ(status(0x00400000), 0x5u);
    l1(0x00400000, 3);
    EXPECT_EQ(status(0x00400000), 0x5u);
    l1(0x00500000, tables | 2 << 5 | 1);
    EXPECT_EQ(status(0x00500000), 0x27u);
    l1(0x00600000, 0x10000000 | 3 << 5 | 1); // a table outside guest RAM
    EXPECT_EQ(status(0x00600000), 0x3eu);
    page(0x00700000, rt_device | ng | 0x33); // the RTOS's timer
    EXPECT_EQ(status(0x00700000), 0x8u);
    l1(0x00800000, 0x70000000 | 0xc0e | 1 << 17); // the guest's first megabyte is partly the executive's
    EXPECT_EQ(status(0x00800000), 0x8u);
    EXPECT_EQ(status(0x00880000), 0u);
    EXPECT_FALSE(mapped(0x00800000));
    EXPECT_TRUE(mapped(0x00880000));
    EXPECT_EQ(shadow.statistics().faults, 6u);
}

TEST_F(Shadow, windowIsNeverFilled) {
    for (uint32_t va = RTMUX_WINDOW; va < RTMUX_WINDOW_END; va += 0x100000)
        l1(va, 0x70100c0e);
    for (uint32_t va = RTMUX_WINDOW; va < RTMUX_WINDOW_END; va += 0x1000)
        ASSERT_EQ(status(va), 0x5u);
    l1(RTMUX_WINDOW - 0x100000, 0x70100c0e);
    l1(RTMUX_WINDOW_END, 0x70100c0e);
    EXPECT_EQ(read(RTMUX_WINDOW - 1), Kind::filled);
    EXPECT_EQ(read(RTMUX_WINDOW_END), Kind::filled);
    shadow.flush_kernel_range(0xc0000000, 0xffffffff);
    for (uint32_t s = RTMUX_WINDOW >> 20; s < RTMUX_WINDOW_END >> 20; s++)
        EXPECT_EQ(machine.l1()[s], 0x70000412 | s << 20);
}

// Copy on write between LDREX and STREX: the read's fill must do for the write.
TEST_F(Shadow, readFillsWritablePagesWritable) {
    page(0x00400000, 0x70123000 | ng | 0x3f);
    EXPECT_EQ(read(0x00400000, true), Kind::filled);
    ASSERT_TRUE(mapped(0x00400000));
    EXPECT_EQ(loaded_allowed(machine.walk(0x00400000)[0], true), Allowed::writing);
}

TEST_F(Shadow, devices) {
    page(0xc0400000, device | 0x3e); // cacheable and executable, says the guest
    page(0xc0401000, device_read_only | 0x3f);
    page(0xc0402000, device_read_only | 0x23f); // read-only in the guest's table too
    EXPECT_EQ(status(0xc0400000, Access::execute), 0xfu);
    EXPECT_EQ(read(0xc0400000), Kind::filled);
    const Loaded d = machine.walk(0xc0400000).at(0);
    EXPECT_TRUE(d.execute_never);
    EXPECT_EQ(d.type, 0u); // strongly ordered
    EXPECT_EQ(read(0xc0401000), Kind::filled);
    EXPECT_EQ(loaded_allowed(machine.walk(0xc0401000).at(0), false), Allowed::reading);
    const FillResult w = shadow.fill(0xc0401ff4, Access::write, false);
    EXPECT_EQ(w.kind, Kind::mediated);
    EXPECT_EQ(w.pa, device_read_only + 0xff4);
    EXPECT_EQ(status(0xc0402000, Access::write), 0xfu);
    EXPECT_EQ(shadow.statistics().mediated, 1u);
}

TEST_F(Shadow, switchKeepsAndRestoresTheUserHalf) {
    page(0x00400000, 0x70123000 | ng | 0x3f);
    page(0x00400000, 0x70124000 | ng | 0x3f, other_pgd);
    EXPECT_EQ(read(0x00400000), Kind::filled);
    ASSERT_TRUE(shadow.switch_mm(other_pgd, 2));
    EXPECT_FALSE(mapped(0x00400000));
    EXPECT_EQ(read(0x00400000), Kind::filled);
    ASSERT_TRUE(shadow.switch_mm(pgd, 1));
    EXPECT_EQ(machine.walk(0x00400000).at(0).pa, 0x70123000u);
    EXPECT_EQ(machine.contextidr, 1u);
    shadow.flush_page(0x00400000, 2); // in the list of the other one
    ASSERT_TRUE(shadow.switch_mm(other_pgd, 2));
    EXPECT_FALSE(mapped(0x00400000));
    ASSERT_TRUE(shadow.switch_mm(pgd, 2)); // the ASID with another table: nothing is left
    EXPECT_FALSE(mapped(0x00400000));
    shadow.flush_all();
    ASSERT_TRUE(shadow.switch_mm(pgd, 1));
    EXPECT_FALSE(mapped(0x00400000));
}

TEST_F(Shadow, badOperandsChangeNothing) {
    EXPECT_FALSE(shadow.switch_mm(pgd + 0x1000, 2));
    EXPECT_FALSE(shadow.switch_mm(0x70000000, 2));
    EXPECT_FALSE(shadow.switch_mm(ram_end - 0x2000, 2));
    EXPECT_FALSE(shadow.switch_mm(0xffffc000, 2));
    EXPECT_FALSE(shadow.switch_mm(pgd, 256));
    EXPECT_FALSE(shadow.switch_mm(pgd, ~0u));
    EXPECT_FALSE(shadow.set_ttbr0(0x10000000));
    EXPECT_FALSE(shadow.set_task_size(RTMUX_WINDOW + 0x100000));
    EXPECT_EQ(shadow.pgd(), pgd);
    EXPECT_EQ(shadow.asid(), 1u);
    shadow.flush_page(0xffffffff, ~0u);
    shadow.flush_asid(~0u);
    shadow.flush_user_range(~0u, 0, ~0u);
    shadow.flush_user_range(0, ~0u, ~0u);
    shadow.flush_kernel_range(0, 0);
}

TEST_F(Shadow, mmuOffIsAFlatMapOfWhatIsTheGuests) {
    shadow.set_mmu(false);
    EXPECT_EQ(shadow.fill(0x70100000, Access::execute, false).kind, Kind::filled);
    const Loaded ram = machine.walk(0x70100000).at(0);
    EXPECT_TRUE(ram.section);
    EXPECT_EQ(ram.pa, 0x70100000u);
    EXPECT_EQ(ram.type, 3u);
    EXPECT_FALSE(ram.execute_never);
    EXPECT_EQ(loaded_allowed(ram, false), Allowed::writing);
    EXPECT_EQ(loaded_allowed(ram, true), Allowed::nothing);
    EXPECT_EQ(read(ram_base), Kind::filled); // in a megabyte that is not all the guest's
    EXPECT_FALSE(machine.walk(ram_base).at(0).section);
    EXPECT_EQ(status(ram_base - 4), 0x8u);
    EXPECT_EQ(status(ram_end), 0x8u);
    EXPECT_EQ(status(rt_device), 0x8u);
    EXPECT_EQ(status(RTMUX_WINDOW), 0x5u);
    EXPECT_EQ(read(device), Kind::filled);
    EXPECT_EQ(status(device, Access::execute), 0xdu);
    EXPECT_EQ(shadow.fill(device_read_only + 8, Access::write, false).pa, device_read_only + 8);
    EXPECT_EQ(status(0x70100000, Access::read, true), 0xdu);
    shadow.set_mmu(true);
    EXPECT_FALSE(mapped(0x70100000));
}

TEST_F(Shadow, moreSlotsThanAnAddressSpaceKeeps) {
    for (uint32_t i = 0; i < 60; i++) {
        page(0x00400000 + i * 0x100000, 0x70123000 | ng | 0x3f);
        ASSERT_EQ(read(0x00400000 + i * 0x100000), Kind::filled);
        ASSERT_TRUE(mapped(0x00400000 + i * 0x100000));
    }
    EXPECT_EQ(shadow.statistics().slot_overflows, 1u);
    EXPECT_FALSE(mapped(0x00400000));
}

TEST_F(Shadow, poolExhaustionTakesFromTheLeastRecentSpaces) {
    for (uint32_t i = 0; i < 8; i++)
        page(0x00400000 + i * 0x100000, 0x70123000 | ng | 0x3f);
    for (uint32_t asid = 1; asid <= 30; asid++) {
        ASSERT_TRUE(shadow.switch_mm(pgd, asid));
        for (uint32_t i = 0; i < 8; i++)
            ASSERT_EQ(read(0x00400000 + i * 0x100000), Kind::filled);
    }
    EXPECT_EQ(shadow.statistics().space_evictions, 30u - 8u); // 8 tables each of 64
    for (uint32_t i = 0; i < 8; i++)
        EXPECT_TRUE(mapped(0x00400000 + i * 0x100000)); // never the current one's
}

TEST_F(Shadow, poolExhaustionByTheKernelHalf) {
    for (uint32_t i = 0; i < 200; i++) {
        l1(0xd0000000 + i * 0x100000, tables | 1);
        machine.word(tables) = 0x7012301e;
        ASSERT_EQ(read(0xd0000000 + i * 0x100000), Kind::filled);
        ASSERT_TRUE(mapped(0xd0000000 + i * 0x100000));
    }
    EXPECT_EQ(shadow.statistics().table_evictions, 200u - 64u);
}

TEST_F(Shadow, rangesTakeWhatTheyCoverAndNoMore) {
    for (uint32_t va :
         {0x004ff000u, 0x00500000u, 0x00501000u, 0x00600000u, 0x006ff000u, 0x00700000u, 0x00701000u}) {
        page(va, 0x70123000 | ng | 0x3f);
        ASSERT_EQ(read(va), Kind::filled);
    }
    shadow.flush_user_range(0x00501000, 0x00502000, 1);
    EXPECT_TRUE(mapped(0x00500000));
    EXPECT_FALSE(mapped(0x00501000));
    shadow.flush_user_range(0x006ff000, 0x00701000, 1); // the end of one table, the beginning of the next
    EXPECT_TRUE(mapped(0x00600000));
    EXPECT_FALSE(mapped(0x006ff000));
    EXPECT_FALSE(mapped(0x00700000));
    EXPECT_TRUE(mapped(0x00701000));
    for (uint32_t va : {0x006ff000u, 0x00700000u})
        ASSERT_EQ(read(va), Kind::filled);
    shadow.flush_user_range(0x00500000, 0x00700000, 1);
    EXPECT_TRUE(mapped(0x004ff000));
    EXPECT_FALSE(mapped(0x00500000));
    EXPECT_FALSE(mapped(0x00600000));
    EXPECT_FALSE(mapped(0x006ff000));
    EXPECT_TRUE(mapped(0x00700000));
    shadow.flush_user_range(0x00700fff, 0x00701000, 2); // another ASID's
    EXPECT_TRUE(mapped(0x00700000));
    shadow.flush_user_range(0x00700fff, 0, 1);
    EXPECT_FALSE(mapped(0x00700000));
}

// What is executed brings its neighbours of the same sixteen pages, no other, and with their own rights.
TEST_F(Shadow, faultAroundFillsTheLineOfAnExecutedPage) {
    for (uint32_t i = 0; i < 40; i++)
        page(0x00400000 + i * 0x1000, (0x70100000 + i * 0x1000) | ng | 0x23e); // read-only, executable
    page(0x00412000, 0x70112000 | ng | 0x3f);                                  // writable, never executed
    page(0x00413000, 0x10009000 | ng | 0x3e);                                  // a device
    page(0x00414000, 0x10012000 | ng | 0x3e);                                  // not the guest's
    page(0x00415000, 0x70115000 | ng | 0x1e);                                  // the kernel's alone
    page(0x00416000, 0x70116000 | 0x3e);                                       // global
    page(0x00417000, 0);
    EXPECT_EQ(shadow.fill(0x00411000, Access::execute, true).kind, Kind::filled);
    for (uint32_t i = 0; i < 40; i++) {
        const bool around = i >= 0x10 && i < 0x20 && !(i >= 0x13 && i <= 0x17);
        EXPECT_EQ(mapped(0x00400000 + i * 0x1000), around) << i;
    }
    EXPECT_EQ(machine.walk(0x00411000).at(0).ap, 7u);
    EXPECT_EQ(machine.walk(0x00412000).at(0).ap, 3u);
    EXPECT_TRUE(machine.walk(0x00412000).at(0).execute_never);
    EXPECT_TRUE(machine.all_clean());
    EXPECT_EQ(shadow.fill(0x00401000, Access::write, true).kind, Kind::fault);
    EXPECT_EQ(read(0x00401000, true), Kind::filled);
    EXPECT_FALSE(mapped(0x00402000)); // a read does not
    EXPECT_EQ(shadow.fill_mapped(0x00403000, Access::read).kind, Kind::filled);
    EXPECT_TRUE(mapped(0x00402000)); // one that made the kernel map does
    EXPECT_TRUE(mapped(0x0040f000));
    EXPECT_EQ(shadow.fill_mapped(0x00424000, Access::write).kind, Kind::fault);
    EXPECT_FALSE(mapped(0x00424000));
}

TEST_F(Shadow, whatFaultAroundFilledGoesWithItsFlush) {
    for (uint32_t i = 0; i < 16; i++)
        page(0x00400000 + i * 0x1000, (0x70100000 + i * 0x1000) | ng | 0x23e);
    const auto execute = [this](uint32_t va) { return shadow.fill(va, Access::execute, true).kind; };
    ASSERT_EQ(execute(0x00400000), Kind::filled);
    ASSERT_TRUE(mapped(0x00403000));

    page(0x00403000, 0); // taken away, and flushed as Linux does
    shadow.flush_page(0x00403000, 1);
    EXPECT_FALSE(mapped(0x00403000));
    EXPECT_EQ(status(0x00403000, Access::execute, true), 7u);
    ASSERT_EQ(execute(0x00400000), Kind::filled); // brings nothing back
    EXPECT_FALSE(mapped(0x00403000));

    page(0x00404000, 0x70180000 | ng | 0x23e); // another frame: the old one until the flush, never after it
    ASSERT_EQ(execute(0x00400000), Kind::filled);
    EXPECT_EQ(machine.walk(0x00404000).at(0).pa, 0x70104000u);
    shadow.flush_page(0x00404000, 1);
    EXPECT_FALSE(mapped(0x00404000));
    ASSERT_EQ(execute(0x00405000), Kind::filled);
    EXPECT_EQ(machine.walk(0x00404000).at(0).pa, 0x70180000u);

    for (uint32_t i = 6; i < 9; i++)
        page(0x00400000 + i * 0x1000, 0);
    shadow.flush_user_range(0x00406000, 0x00409000, 1);
    for (uint32_t i = 0; i < 16; i++)
        EXPECT_EQ(mapped(0x00400000 + i * 0x1000), i != 3 && !(i >= 6 && i < 9)) << i;
    shadow.flush_asid(1);
    for (uint32_t i = 0; i < 16; i++)
        EXPECT_FALSE(mapped(0x00400000 + i * 0x1000)) << i;
}

// Address 0 is no page directory, whatever was current before: nothing may be read there.
TEST_F(Shadow, noPageDirectoryAtZero) {
    EXPECT_FALSE(shadow.switch_mm(0, 0));
    EXPECT_EQ(shadow.pgd(), pgd);
    shadow.reset();
    EXPECT_FALSE(shadow.switch_mm(0, 0));
    shadow.set_mmu(true);
    EXPECT_EQ(status(0x00400000), 12u); // external abort on the walk
    ASSERT_TRUE(shadow.switch_mm(pgd, 1));
    page(0x00400000, 0x70100000 | ng | 0x3f);
    EXPECT_EQ(read(0x00400000), Kind::filled);
}

// The domain is the L1 entry's: pages for the kernel alone and pages for processes never share a table.
TEST_F(Shadow, aSlotThatChangesItsDomainStartsAnew) {
    const uint32_t kernel_section = 0x10000000 | 1 << 17 | 0x402; // of devices, so filled as pages
    l1(0x00400000, kernel_section);
    EXPECT_EQ(read(0x00409000), Kind::filled);
    EXPECT_EQ(machine.walk(0x00409000).at(0).domain, 1u);
    page(0x00401000, 0x70123000 | ng | 0x3f); // no flush between
    EXPECT_EQ(read(0x00401000, true), Kind::filled);
    EXPECT_EQ(machine.walk(0x00401000).at(0).domain, 2u);
    EXPECT_FALSE(mapped(0x00409000));
    l1(0x00400000, kernel_section);
    EXPECT_EQ(read(0x00409000), Kind::filled);
    EXPECT_EQ(loaded_allowed(machine.walk(0x00409000).at(0), true), Allowed::nothing);
    EXPECT_FALSE(mapped(0x00401000));
}

// One TLBIMVA anywhere in it takes a larger leaf away (Arm ARM B3.10.5).
TEST_F(Shadow, largerLeavesGoAsAWhole) {
    for (uint32_t slot = 0; slot < 16; slot++)
        l1(0xd0000000 + slot * 0x100000, 0x70000000 | 1 << 18 | 0xc0e);
    EXPECT_EQ(read(0xd0100000), Kind::filled);
    EXPECT_EQ(read(0xd0200000), Kind::filled);
    shadow.flush_page(0xd0f00000, 1);
    EXPECT_FALSE(mapped(0xd0100000));
    EXPECT_FALSE(mapped(0xd0200000));

    for (uint32_t i = 0; i < 16; i++)
        page(0xd1000000 + i * 0x1000, 0x70120000 | 0x3d);
    EXPECT_EQ(read(0xd1000000), Kind::filled);
    EXPECT_EQ(read(0xd100f000), Kind::filled);
    shadow.flush_page(0xd1007000, 1);
    EXPECT_FALSE(mapped(0xd1000000));
    EXPECT_FALSE(mapped(0xd100f000));

    l1(0xd2000000, 0x70000c0e); // partly the guest's, so filled as pages
    EXPECT_EQ(read(0xd2080000), Kind::filled);
    EXPECT_EQ(read(0xd20ff000), Kind::filled);
    shadow.flush_kernel_range(0xd2000000, 0xd2001000);
    EXPECT_FALSE(mapped(0xd2080000));
    EXPECT_FALSE(mapped(0xd20ff000));
}

// A process's global page is in every address space's TLB, and a flush under any ASID takes it.
TEST_F(Shadow, globalPagesOfTheUserHalf) {
    page(0x00400000, 0x70123000 | 0x3f);
    EXPECT_EQ(read(0x00400000), Kind::filled);
    ASSERT_TRUE(shadow.switch_mm(other_pgd, 2));
    ASSERT_TRUE(shadow.switch_mm(pgd, 1));
    EXPECT_EQ(read(0x00400000), Kind::filled);
    shadow.flush_page(0x00400000, 3);
    EXPECT_FALSE(mapped(0x00400000));
    shadow.flush_page(0x00400000, 3); // that was the only one: from here a page is a page
    EXPECT_EQ(shadow.statistics().flushes_page, 1u);
}

TEST_F(Shadow, resetForgetsEverything) {
    page(0x00400000, 0x70123000 | ng | 0x3f);
    l1(0xc0100000, 0x7010040e);
    EXPECT_EQ(read(0x00400000), Kind::filled);
    EXPECT_EQ(read(0xc0100000), Kind::filled);
    shadow.reset();
    EXPECT_FALSE(shadow.mmu_on());
    EXPECT_EQ(machine.contextidr, 0u);
    EXPECT_EQ(machine.used_slots(), (RTMUX_WINDOW_END - RTMUX_WINDOW) >> 20);
}

} // namespace
} // namespace rtmux::test
