// SPDX-License-Identifier: GPL-2.0-only
#include "cost_model.hpp"

#include <gtest/gtest.h>

using namespace lab;

namespace {

// Nanoseconds that an action takes.
template <class Action> uint64_t cost(CostModel &m, Action action) {
    const uint64_t before = m.nanoseconds();
    action();
    return m.nanoseconds() - before;
}

const CortexA8 cpu;
const uint64_t dram = cpu.cycles_l2_miss + cpu.ns_dram; // at 1 GHz
const uint64_t cold_page = 2 * dram;                    // a walk that misses twice

} // namespace

TEST(Lru, ForgetsTheLeastRecent) {
    Lru set(4, 4);
    for (uint64_t key : {1, 2, 3, 4})
        EXPECT_FALSE(set.touch(key));
    EXPECT_TRUE(set.touch(1));
    EXPECT_FALSE(set.touch(5)); // in the place of 2
    EXPECT_TRUE(set.touch(1));
    EXPECT_FALSE(set.touch(2));
}

TEST(Lru, SetsAreIndependent) {
    Lru cache(8, 2); // four sets
    EXPECT_FALSE(cache.touch(0));
    EXPECT_FALSE(cache.touch(4));
    EXPECT_FALSE(cache.touch(8)); // the third in set 0
    EXPECT_FALSE(cache.touch(1));
    EXPECT_FALSE(cache.touch(0));
    EXPECT_TRUE(cache.touch(1));
}

TEST(CostModel, InstructionsAlone) {
    CostModel m;
    EXPECT_EQ(cost(m, [&] { m.instructions(1000); }), cpu.milli_cycles_per_instruction);
}

TEST(CostModel, ALoadFindsItsLineInMemoryThenInL1) {
    CostModel m;
    EXPECT_EQ(cost(m, [&] { m.access(0x1000, 0x1000, false); }), cold_page + dram);
    EXPECT_EQ(cost(m, [&] { m.access(0x1004, 0x1004, false); }), 0u);
    EXPECT_EQ(cost(m, [&] { m.access(0x1040, 0x1040, false); }), dram); // another line of the page
}

TEST(CostModel, WhatLeftL1IsInL2) {
    CostModel m;
    for (uint32_t va = 0; va < 2 * cpu.l1_bytes; va += cpu.line_bytes)
        m.access(va, va, false);
    // Its page, the first of 16, is still known.
    EXPECT_EQ(cost(m, [&] { m.access(0, 0, false); }), cpu.cycles_l2_hit);
}

TEST(CostModel, MoreThanL2ComesFromMemory) {
    CostModel m;
    for (uint32_t va = 0; va < 2 * cpu.l2_bytes; va += cpu.line_bytes)
        m.access(va, va, false);
    EXPECT_GE(cost(m, [&] { m.access(0, 0, false); }), dram);
}

TEST(CostModel, TheTlbHas32Pages) {
    CostModel m;
    const auto touch = [&](uint32_t pages) {
        for (uint32_t page = 0; page < pages; ++page)
            m.access(page << 12 | page << 6, page << 12 | page << 6, false);
    };
    touch(32);
    EXPECT_EQ(cost(m, [&] { touch(32); }), 0u);
    touch(33);
    EXPECT_EQ(cost(m, [&] { touch(33); }), 33 * cpu.cycles_tlb_walk); // least recent first: none is left
}

TEST(CostModel, StoresDoNotWaitForTheirLine) {
    CostModel m;
    m.access(0x2000, 0x2000, false);
    EXPECT_EQ(cost(m, [&] { m.access(0x2040, 0x2040, true); }), 0u);
}

TEST(CostModel, ALoopIsPredictedAfterAFewRounds) {
    CostModel m;
    for (int round = 0; round < 20; ++round)
        m.branch(0x100, true, 0x80);
    EXPECT_EQ(cost(m, [&] { m.branch(0x100, true, 0x80); }), 0u);
    EXPECT_EQ(cost(m, [&] { m.branch(0x100, true, 0x200); }), cpu.cycles_mispredicted); // elsewhere
}

TEST(CostModel, NothingIsLeftAfterForget) {
    CostModel m;
    m.access(0x1000, 0x1000, false);
    m.fetch(0x8000, 0x8000);
    m.forget();
    EXPECT_EQ(cost(m, [&] { m.access(0x1000, 0x1000, false); }), cold_page + dram);
    EXPECT_EQ(cost(m, [&] { m.fetch(0x8000, 0x8000); }), 0 + 2 * cpu.cycles_tlb_walk / 2 + dram)
        << "the tables' lines are the same ones, in L2 by now";
}

TEST(CostModel, L2MayKeepWhatTheModelHasSeen) {
    CostModel m;
    m.access(0x1000, 0x1000, false);
    m.forget(true);
    EXPECT_EQ(cost(m, [&] { m.access(0x1000, 0x1000, false); }), cpu.cycles_tlb_walk + cpu.cycles_l2_hit);
}

TEST(CostModel, DevicesAreSlowToRead) {
    CostModel m;
    EXPECT_EQ(cost(m, [&] { m.io(false); }), cpu.ns_io_read);
    EXPECT_EQ(cost(m, [&] { m.io(true); }), cpu.ns_io_write);
}
