// SPDX-License-Identifier: GPL-2.0-only
// What must hold of any board's device table; built once per board. The
// look-ups are compared with the plain reading of the table, page by page.
#include "board.hpp"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <set>
#include <string>

using namespace board;

namespace {

const Device *owner_of(uint32_t pa) {
    for (const Device &d : devices)
        if (pa - d.base < d.size)
            return &d;
    return nullptr;
}

FrameAccess expected_access(const Device *d) {
    if (d && d->owner == Owner::guest)
        return FrameAccess::full;
    if (d && d->owner == Owner::guest_read_only)
        return FrameAccess::read_only;
    return FrameAccess::none;
}

} // namespace

TEST(Devices, FrameAccessOfEveryPage) {
    for (uint64_t pa = 0; pa < uint64_t{1} << 32; pa += page_size) {
        const auto page = static_cast<uint32_t>(pa);
        const Device *d = owner_of(page);
        ASSERT_EQ(frame_access(page), expected_access(d)) << std::hex << page;
        ASSERT_EQ(frame_access(page + page_size - 1), expected_access(d)) << std::hex << page;
    }
}

TEST(Devices, RamIsNoDevice) {
    for (const Device &d : devices)
        EXPECT_TRUE(d.base + d.size <= BOARD_RAM_BASE || d.base - BOARD_RAM_BASE >= BOARD_RAM_SIZE) << d.name;
}

TEST(Devices, TheWindowHasThePagesOfExecutiveAndRtosOnce) {
    std::set<uint32_t> mapped;
    for (size_t i = 0; i < std::size(device_pages); ++i) {
        EXPECT_TRUE(mapped.insert(device_pages[i]).second);
        EXPECT_EQ(device_va(device_pages[i]), RTMUX_DEVICE_VA + i * page_size);
        EXPECT_EQ(device_va(device_pages[i] + 0xffc), RTMUX_DEVICE_VA + i * page_size + 0xffc);
        EXPECT_LT(device_va(device_pages[i]), uint32_t{RTMUX_TABLE_SLOTS_VA});
    }
    for (const Device &d : devices) {
        const bool expected =
            d.owner == Owner::executive || d.owner == Owner::rtos || d.owner == Owner::guest_read_only;
        EXPECT_EQ(mapped.count(d.base), expected ? 1u : 0u) << d.name;
        EXPECT_EQ(device_va(d.base) != 0, expected) << d.name;
    }
    EXPECT_EQ(device_va(BOARD_RAM_BASE), 0u);
}

TEST(Devices, LinesBelongToTheOwner) {
    LineClass expected[line_count] = {};
    for (const Device &d : devices)
        for (uint32_t line : d.lines)
            if (line)
                expected[line] = d.owner == Owner::executive ? LineClass::executive
                                 : d.owner == Owner::rtos    ? LineClass::rt
                                 : d.owner == Owner::nobody  ? LineClass::none
                                                             : LineClass::guest;
    for (uint32_t line = 0; line < line_count; ++line) {
        EXPECT_EQ(line_class(line), expected[line]) << line;
        EXPECT_EQ((guest_lines.word[line / 32] >> line % 32 & 1) != 0, expected[line] == LineClass::guest)
            << line;
    }
    for (uint32_t line : {line_count, 1023u, UINT32_MAX})
        EXPECT_EQ(line_class(line), LineClass::none) << line;
}

// The plain reading: who else lists the register decides, or else whether its own device does.
bool expected_write(const Device &in, uint32_t pa) {
    bool own = false;
    for (const Device &d : devices)
        for (const Control &c : d.controls)
            if (c.first != 0 && pa >= c.first && pa <= c.last) {
                if (&d != &in)
                    return d.owner == Owner::guest;
                own = true;
            }
    return own && in.owner == Owner::guest_read_only;
}

TEST(Devices, OfMediatedRegistersTheGuestWritesItsOwn) {
    for (const Device &d : devices)
        for (uint32_t offset = 0; offset < std::min(d.size, 0x20000u); ++offset) {
            const uint32_t pa = d.base + offset;
            ASSERT_EQ(write_allowed(pa), offset % 4 == 0 && expected_write(d, pa))
                << d.name << std::hex << " " << offset;
        }
    EXPECT_FALSE(write_allowed(BOARD_RAM_BASE));
}

TEST(Devices, WhatIsSetUpAtStartIsOfExecutiveAndRtos) {
    std::vector<uint32_t> expected, started;
    for (const Device &d : devices)
        for (const Control &c : d.controls)
            if (c.start != Control::Start::leave && (d.owner == Owner::executive || d.owner == Owner::rtos)) {
                EXPECT_NE(device_va(c.first), 0u) << d.name;
                EXPECT_FALSE(write_allowed(c.first)) << d.name;
                expected.push_back(c.first);
            }
    device_map::for_each_start([&](const Control &c) { started.push_back(c.first); });
    EXPECT_EQ(started, expected);
}

TEST(Devices, TheGuestHasNeitherTheRtTimerNorTheController) {
    for (uint32_t pa : {uint32_t{BOARD_RT_TIMER_BASE}, uint32_t{BOARD_UART_BASE}})
        EXPECT_EQ(frame_access(pa), FrameAccess::none);
    EXPECT_EQ(InterruptController::lines, uint32_t{BOARD_IRQ_LINES});
}

TEST(Devices, OfADeadGuestOnlyItsOwnDevicesAreWritten) {
    std::set<const Device *> quietened;
    for (const QuietWrite &w : quiet_writes) {
        EXPECT_EQ(frame_access(w.pa), FrameAccess::full) << std::hex << w.pa;
        for (const Device &d : devices)
            if (w.pa - d.base < d.size)
                quietened.insert(&d);
    }
    for (const Device &d : devices)
        EXPECT_EQ(quietened.count(&d), d.owner == Owner::guest && d.lines[0] != 0) << d.name;
}

TEST(Devices, NamesAreUnique) {
    std::set<std::string> names;
    for (const Device &d : devices)
        EXPECT_TRUE(names.insert(d.name).second) << d.name;
}

// The checks that the table is compiled against must be able to fail.
namespace bad {
constexpr Device overlap[] = {{"a", 0x1000, 0x2000, Owner::guest}, {"b", 0x2000, 0x1000, Owner::guest}};
constexpr Device unsorted[] = {{"a", 0x2000, 0x1000, Owner::guest}, {"b", 0x1000, 0x1000, Owner::guest}};
constexpr Device part_of_a_page[] = {{"a", 0x1000, 0x800, Owner::guest}};
constexpr Device too_many[] = {{"a", 0x1000, 256 * 0x1000, Owner::executive}};
constexpr Device same_line[] = {{"a", 0x1000, 0x1000, Owner::guest, {3}},
                                {"b", 0x2000, 0x1000, Owner::rtos, {3}}};
constexpr Device no_such_line[] = {{"a", 0x1000, 0x1000, Owner::guest, {96}}};
constexpr Device of_no_such_device[] = {{"a", 0x1000, 0x1000, Owner::guest, {}, {{0x2008, 0x2008}}}};
constexpr Device of_the_guests[] = {{"a", 0x1000, 0x1000, Owner::guest},
                                    {"b", 0x2000, 0x1000, Owner::rtos, {}, {{0x1000, 0x1000}}}};
constexpr Device outside[] = {{"a", 0x1000, 0x1000, Owner::guest_read_only, {}, {{0x1ffc, 0x2000}}}};
constexpr Device backwards[] = {{"a", 0x1000, 0x1000, Owner::guest_read_only, {}, {{0x1ffc, 0x1ff8}}}};
constexpr Device unaligned[] = {{"a", 0x1000, 0x1000, Owner::guest_read_only, {}, {{0x1002, 0x1002}}}};
constexpr Device two_owners[] = {{"a", 0x1000, 0x1000, Owner::guest_read_only, {}, {{0x1000, 0x1ffc}}},
                                 {"b", 0x2000, 0x1000, Owner::rtos, {}, {{0x1000, 0x1008}}},
                                 {"c", 0x3000, 0x1000, Owner::guest, {}, {{0x1008, 0x100c}}}};
constexpr Device good[] = {{"a", 0x1000, 0x1000, Owner::guest_read_only, {}, {{0x1000, 0x1ffc}}},
                           {"b", 0x2000, 0x1000, Owner::rtos, {}, {{0x1000, 0x1008}}},
                           {"c", 0x3000, 0x1000, Owner::guest, {}, {{0x100c, 0x100c}}}};
constexpr Device loud[] = {{"a", 0x1000, 0x1000, Owner::guest, {3}}};
constexpr Device quietened_of_another[] = {{"a", 0x1000, 0x1000, Owner::rtos, {3}, {}, {{{0x10, 0}}}}};
constexpr Device quiet_outside[] = {{"a", 0x1000, 0x1000, Owner::guest, {3}, {}, {{{0x1000, 0}}}}};
constexpr Device quiet_between[] = {{"a", 0x1000, 0x1000, Owner::guest, {3}, {}, {{{0x12, 0}}}}};
static_assert(!DeviceMap<loud>::quiet_valid() && !DeviceMap<quietened_of_another>::quiet_valid());
static_assert(!DeviceMap<quiet_outside>::quiet_valid() && !DeviceMap<quiet_between>::quiet_valid());
static_assert(!DeviceMap<overlap>::pages_in_order());
static_assert(!DeviceMap<unsorted>::pages_in_order());
static_assert(!DeviceMap<part_of_a_page>::pages_in_order());
static_assert(!DeviceMap<too_many>::pages_in_order());
static_assert(!DeviceMap<same_line>::lines_valid(96));
static_assert(!DeviceMap<no_such_line>::lines_valid(96) && DeviceMap<no_such_line>::lines_valid(97));
static_assert(!DeviceMap<of_no_such_device>::controls_valid());
static_assert(!DeviceMap<of_the_guests>::controls_valid());
static_assert(!DeviceMap<outside>::controls_valid());
static_assert(!DeviceMap<backwards>::controls_valid());
static_assert(!DeviceMap<unaligned>::controls_valid());
static_assert(!DeviceMap<two_owners>::controls_valid());
static_assert(DeviceMap<good>::controls_valid());
static_assert(!DeviceMap<good>::write_allowed(0x1008) && DeviceMap<good>::write_allowed(0x100c) &&
              DeviceMap<good>::write_allowed(0x1010) && !DeviceMap<good>::write_allowed(0x1011));
} // namespace bad
