// SPDX-License-Identifier: GPL-2.0-only
#include "scenario.hpp"

#include <gtest/gtest.h>
#include <random>

namespace rtmux::test {
namespace {

const std::vector<uint32_t> few_slots = {0x000, 0x001, 0x100, 0x2ab, 0x700, 0x701, 0x702, 0xbef, 0xbf0,
                                         0xc00, 0xc01, 0xfe7, 0xfe8, 0xff0, 0xff7, 0xff8, 0xfff};
const std::vector<uint32_t> few_pages = {0, 1, 9, 11, 15, 16, 255};

std::vector<uint32_t> many_slots() {
    std::vector<uint32_t> slots;
    for (uint32_t s = 0x10; s < 0x10 + 60; s++)
        slots.push_back(s);
    slots.insert(slots.end(), {0xc00, 0xc01, 0xfff});
    return slots;
}
std::vector<uint32_t> kernel_slots() {
    std::vector<uint32_t> slots = {0x10, 0x11};
    for (uint32_t s = 0xc00; s < 0xc00 + 80; s++)
        slots.push_back(s);
    return slots;
}

struct Case {
    const char *name;
    Options options;
    unsigned steps;
};
void PrintTo(const Case &c, std::ostream *out) {
    *out << c.name;
}

class ShadowProperty : public testing::TestWithParam<Case> {};

TEST_P(ShadowProperty, isATlbOfTheGuestsTables) {
    mmu::ShadowStatistics sum{};
    uint32_t filled = 0, faults = 0, mediated = 0;
    for (uint32_t seed = 1; seed <= 3; seed++) {
        auto next = [random = std::mt19937{seed}](uint32_t bound) mutable {
            return static_cast<uint32_t>(random() % bound);
        };
        Scenario scenario{GetParam().options, next};
        unsigned step = 0;
        try {
            for (; step < GetParam().steps; step++)
                scenario.step();
        } catch (const Failure &f) {
            FAIL() << f.what() << " at step " << step << " of seed " << seed;
        }
        filled += scenario.filled;
        faults += scenario.faults;
        mediated += scenario.mediated;
        const mmu::ShadowStatistics &s = scenario.shadow.statistics();
        sum.space_evictions += s.space_evictions;
        sum.table_evictions += s.table_evictions;
        sum.slot_overflows += s.slot_overflows;
        sum.replaced_slots += s.replaced_slots;
        sum.cold_switches += s.cold_switches;
        sum.switches += s.switches;
    }
    // Each case must have met what it is for.
    RecordProperty("filled", static_cast<int>(filled));
    std::printf(
        "  filled %u, faults %u, mediated %u; evicted %u spaces, %u tables; overflows %u, replaced %u; "
        "switches %u, cold %u\n",
        filled, faults, mediated, sum.space_evictions, sum.table_evictions, sum.slot_overflows,
        sum.replaced_slots, sum.switches, sum.cold_switches);
    EXPECT_GT(filled, GetParam().steps / 10);
    EXPECT_GT(faults, GetParam().steps / 20);
    EXPECT_GT(sum.replaced_slots, 0u);
    const std::string name = GetParam().name;
    if (name == "spaces") {
        EXPECT_GT(sum.space_evictions, 0u);
        EXPECT_GT(sum.switches, sum.cold_switches);
        EXPECT_GT(mediated, 0u);
    }
    if (name == "overflow") {
        EXPECT_GT(sum.slot_overflows, 0u);
    }
    if (name == "kernel") {
        EXPECT_GT(sum.table_evictions, 0u);
    }
}

INSTANTIATE_TEST_SUITE_P(, ShadowProperty,
                         testing::Values(Case{"spaces", {few_slots, few_pages, 40, false, false}, 20000},
                                         Case{"odd", {few_slots, few_pages, 6, true, true}, 12000},
                                         Case{"reboots", {few_slots, few_pages, 6, false, true}, 8000},
                                         Case{"overflow", {many_slots(), {0, 255}, 3, false, false}, 4000},
                                         Case{"kernel", {kernel_slots(), {0, 17}, 3, false, false}, 4000}),
                         [](const auto &c) { return std::string{c.param.name}; });

} // namespace
} // namespace rtmux::test
