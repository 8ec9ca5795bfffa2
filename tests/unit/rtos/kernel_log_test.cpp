// SPDX-License-Identifier: GPL-2.0-only
// The end of a dead kernel's log, from a ring as printk writes it, and from rings that no printk wrote.
#include "guest/kernel_log.hpp"

#include "kernel_log_image.hpp"

#include <gtest/gtest.h>
#include <random>

namespace {

using Log = rtos::guest::KernelLog<KernelMemory>;

std::string tail(KernelMemory &memory, size_t size = 4096) {
    std::vector<char> out(size, '#');
    Log log(memory, KernelMemory::prb);
    const size_t length = log.tail(out.data(), out.size());
    EXPECT_LT(length, size);
    EXPECT_EQ(out[length], 0);
    return std::string(out.data(), length);
}

TEST(KernelLog, LinesInTheirOrder) {
    KernelLogWriter w;
    w.write("Booting Linux", 0);
    w.write("", 1'234'567'890);
    w.write("Kernel panic - not syncing: it's over", 98765'000'001'000);
    EXPECT_EQ(tail(w.memory), "[    0.000000] Booting Linux\n[    1.234567] \n"
                              "[98765.000001] Kernel panic - not syncing: it's over\n");
}

TEST(KernelLog, TheLastOnesOfARingThatHasTurned) {
    for (unsigned count = 1; count < 300; ++count) {
        KernelLogWriter w(5, 12);
        std::string expected;
        for (unsigned i = 0; i < count; ++i)
            w.write("line " + std::to_string(i), i * 1000);
        const std::string got = tail(w.memory, 1 << 16);
        const unsigned kept = count < 32 ? count : 32;
        for (unsigned i = count - kept; i < count; ++i) {
            char stamp[32];
            snprintf(stamp, sizeof stamp, "[    0.%06u] ", i);
            expected += stamp + ("line " + std::to_string(i)) + "\n";
        }
        ASSERT_EQ(got, expected) << count;
    }
}

TEST(KernelLog, WhatDoesNotFitIsLeftOutAtTheBeginning) {
    KernelLogWriter w;
    for (int i = 0; i < 10; ++i)
        w.write("0123456789", 0);
    const std::string line = "[    0.000000] 0123456789\n";
    EXPECT_EQ(tail(w.memory, 2 * line.size() + 1), line + line);
    EXPECT_EQ(tail(w.memory, 2 * line.size()), line);
    EXPECT_EQ(tail(w.memory, 1), "");
}

TEST(KernelLog, ARecordThatWasBeingWrittenIsSkipped) {
    KernelLogWriter w;
    w.write("before", 0);
    w.write("half", 0, 0u << 30);
    w.write("not final", 0, 1u << 30);
    EXPECT_EQ(tail(w.memory), "[    0.000000] before\n[    0.000000] not final\n");
}

TEST(KernelLog, NoControlCharactersReachAConsole) {
    KernelLogWriter w;
    w.write("a\x1b[2Jb\x07\r\x80\nc", 0);
    EXPECT_EQ(tail(w.memory), "[    0.000000] a.[2Jb...\nc\n");
}

TEST(KernelLog, NothingThatMakesNoSense) {
    using M = KernelMemory;
    const std::pair<uint32_t, uint32_t> changes[] = {
        {M::prb, 0},        {M::prb, 0xfffffffc},    {M::ring, 21},        {M::ring, ~0u},
        {M::ring + 24, 5},  {M::ring + 24, 26},      {M::ring + 24, ~0u},  {M::ring + 4, 0xfffffff8},
        {M::ring + 8, 0},   {M::ring + 12, 0x12345}, {M::ring + 28, 0x10}, {M::descs + 12 + 4, 6},
        {M::descs + 12, 0},
    };
    for (const auto &[at, value] : changes) {
        KernelLogWriter w;
        w.write("text", 0);
        w.memory.put(at, value);
        const std::string got = tail(w.memory);
        EXPECT_TRUE(got.find("text") == std::string::npos) << std::hex << at << " " << value;
    }
}

// Whatever is there: a text that ends, no access outside, and no more than so many.
TEST(KernelLog, RandomDamage) {
    std::mt19937 random(1);
    for (int round = 0; round < 20000; ++round) {
        KernelLogWriter w(3 + random() % 4, 8 + random() % 4);
        for (unsigned i = random() % 60; i > 0; --i)
            w.write(std::string(random() % 80, 'x'), random());
        for (unsigned i = random() % 8; i > 0; --i) {
            const uint32_t interesting[] = {
                0, 1, 3, ~0u, 0x80000000, 0x3fffffff, static_cast<uint32_t>(random()), 1u << random() % 32};
            const uint32_t where = random() % 3 == 0
                                       ? KernelMemory::ring - KernelMemory::va + 4 * (random() % 10)
                                       : random() % (w.memory.bytes.size() / 4) * 4;
            w.memory.put(KernelMemory::va + where, interesting[random() % 8]);
        }
        w.memory.reads = 0;
        const std::string got = tail(w.memory, 1 + random() % 3000);
        ASSERT_LE(w.memory.reads, 2 + Log::most_records * (2 + 2 + Log::longest_text / 64));
        for (const char c : got)
            ASSERT_TRUE(c == '\n' || (c >= ' ' && c <= '~'));
    }
}

} // namespace
