// SPDX-License-Identifier: GPL-2.0-only
#include "trackers.hpp"

#include <gtest/gtest.h>

using namespace lab;

namespace {

constexpr uint32_t vector = 0xfe800018;
constexpr bool window = true, guest = false;

// Out of reset IRQs are masked: open them.
MaskedStretches opened() {
    MaskedStretches m;
    m.instruction(Kind::unmask, 0x10, 5);
    m.clear();
    return m;
}

uint64_t longest(const MaskedStretches &m, uint32_t start) {
    return m.all().at(start).longest;
}

} // namespace

TEST(Masked, FromCpsidToCpsie) {
    MaskedStretches m = opened();
    m.instruction(Kind::mask, 0x100, 10);
    m.instruction(Kind::mask, 0x104, 12); // masked already
    m.instruction(Kind::unmask, 0x120, 30);
    m.instruction(Kind::unmask, 0x124, 32); // open already
    EXPECT_EQ(m.all().size(), 1u);
    EXPECT_EQ(longest(m, 0x100), 20u);
    EXPECT_EQ(m.all().at(0x100).end, 0x120u);
}

TEST(Masked, AnInterruptReturnsToOpenCode) {
    MaskedStretches m = opened();
    m.exception(vector, 100);
    m.instruction(Kind::rfe, 0x200, 150);
    m.block(window, 151); // a thread
    EXPECT_EQ(longest(m, vector), 51u);
}

TEST(Masked, AGuestIsAlwaysOpen) {
    MaskedStretches m = opened();
    m.exception(vector, 100);
    m.instruction(Kind::exception_return, 0x200, 150);
    m.block(guest, 151);
    m.exception(vector, 200); // counts anew
    m.instruction(Kind::unmask, 0x300, 210);
    EXPECT_EQ(m.all().at(vector).times, 2u);
    EXPECT_EQ(longest(m, vector), 51u);
}

TEST(Masked, AFaultInMaskedCodeReturnsToMaskedCode) {
    MaskedStretches m = opened();
    m.instruction(Kind::mask, 0x100, 10);
    m.exception(vector, 20); // a fault on the way
    m.instruction(Kind::exception_return, 0x200, 40);
    m.block(window, 41);
    m.instruction(Kind::unmask, 0x120, 60);
    EXPECT_EQ(longest(m, 0x100), 50u);
}

TEST(Masked, WhatItCannotKnowItSays) {
    MaskedStretches m = opened();
    m.instruction(Kind::write_cpsr, 0x100, 10);
    EXPECT_EQ(m.not_understood(), 1u);
}

TEST(Path, VectorToIsrToThread) {
    Path p;
    p.vector({100, 1000, 5000});
    p.at_isr({150, 1100, 6000});
    p.code(0xfe800000, 0x70000000);
    p.code(0xfe80003c, 0x7000003c); // the same line
    p.data(0xfea00040, 0x70200040);
    p.at_thread({400, 1900, 9000});
    EXPECT_EQ(p.record(Path::isr).instructions.all().begin()->first, 50u);
    EXPECT_EQ(p.record(Path::thread).instructions.all().begin()->first, 300u);
    EXPECT_EQ(p.record(Path::thread).modelled_ns.all().begin()->first, 900u);
    EXPECT_EQ(p.record(Path::thread).cold_ns.all().begin()->first, 4000u);
    EXPECT_EQ(p.most_lines().code.size(), 1u);
    EXPECT_EQ(p.most_lines().data.size(), 1u);
    EXPECT_EQ(p.most_lines().tables.size(), 3u); // one section's line for both, two of pages
}

TEST(Path, InterruptsThatWakeNobodyAreNoSamples) {
    Path p;
    p.vector({100, 0, 0});
    p.abandon();
    p.at_isr({150, 0, 0});
    p.at_thread({400, 0, 0});
    p.vector({500, 0, 0});
    p.at_thread({600, 0, 0}); // no ISR in between
    EXPECT_TRUE(p.record(Path::isr).instructions.all().empty());
    EXPECT_TRUE(p.record(Path::thread).instructions.all().empty());
}
