// SPDX-License-Identifier: GPL-2.0-only
#include "actor.hpp"
#include "machine.hpp"

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include <rtos/memory_pool.hpp>

namespace {

using namespace rtos;

struct Pool {
    Pool(size_t block, uint32_t count)
        : memory(new uint8_t[MemoryPool::slot_size(block) * count]), p(memory.get(), block, count) {}
    std::unique_ptr<uint8_t[]> memory;
    MemoryPool p;
};

struct Pools : testing::Test {
    void SetUp() override { machine::reset(); }
    std::string trace;
};

TEST_F(Pools, GiveOutEveryBlockOnce) {
    Pool s(20, 5);
    EXPECT_GE(s.p.block_size(), 20u);
    std::vector<uint8_t *> blocks;
    for (int i = 0; i < 5; ++i) {
        blocks.push_back(static_cast<uint8_t *>(s.p.try_allocate()));
        ASSERT_NE(blocks.back(), nullptr);
        EXPECT_EQ(MemoryPool::of(blocks.back()), &s.p);
        EXPECT_EQ(s.p.available(), 4u - static_cast<uint32_t>(i));
        __builtin_memset(blocks.back(), 0xee, s.p.block_size());
    }
    EXPECT_EQ(s.p.try_allocate(), nullptr);
    std::vector<uint8_t *> sorted = blocks;
    std::sort(sorted.begin(), sorted.end());
    for (size_t i = 1; i < sorted.size(); ++i)
        EXPECT_GE(sorted[i] - sorted[i - 1], 20);
    for (int round = 0; round < 3; ++round) {
        for (uint8_t *b : blocks)
            EXPECT_EQ(s.p.free(b), Status::ok);
        EXPECT_EQ(s.p.available(), 5u);
        std::set<void *> again;
        for (int i = 0; i < 5; ++i)
            again.insert(s.p.try_allocate());
        EXPECT_EQ(again, std::set<void *>(blocks.begin(), blocks.end()));
    }
}

// Every address in and around the memory, for every size: the allocated blocks' own are taken, and no others.
TEST_F(Pools, KnowTheirBlocks) {
    for (size_t block = 1; block <= 100; block += block < 40 ? 1 : 7) {
        const size_t slot = MemoryPool::slot_size(block);
        constexpr uint32_t count = 5;
        // The word before each address holds the pool, as if an attacker had put it there.
        const size_t words = (slot * (count + 2)) / sizeof(void *);
        std::vector<void *> memory(words);
        uint8_t *const start = reinterpret_cast<uint8_t *>(memory.data()) + slot;
        MemoryPool p(start, block, count);
        std::set<void *> blocks;
        for (uint32_t i = 0; i < count - 1; ++i) // one is never given out
            blocks.insert(p.try_allocate());
        for (size_t w = 0; w + 1 < words; ++w) {
            void *const address = &memory[w + 1];
            void *const kept = memory[w];
            memory[w] = &p;
            const bool is_block = blocks.contains(address);
            EXPECT_EQ(p.free(address), is_block ? Status::ok : Status::invalid) << block << " " << w;
            if (is_block) {
                EXPECT_EQ(p.try_allocate(), address);
            }
            memory[w] = kept;
        }
        EXPECT_EQ(p.available(), 1u);
        for (void *b : blocks) // not one byte off either
            EXPECT_EQ(p.free(static_cast<uint8_t *>(b) + sizeof(void *) / 2), Status::invalid);
    }
}

TEST_F(Pools, DetectDoubleFreeAndForeignBlocks) {
    Pool s(16, 3), other(16, 3);
    void *const a = s.p.try_allocate(), *const b = s.p.try_allocate(), *const theirs = other.p.try_allocate();
    EXPECT_EQ(s.p.free(a), Status::ok);
    EXPECT_EQ(s.p.free(a), Status::invalid);
    EXPECT_EQ(s.p.free(b), Status::ok);
    EXPECT_EQ(s.p.free(b), Status::invalid);
    EXPECT_EQ(s.p.free(a), Status::invalid);
    EXPECT_EQ(s.p.free(theirs), Status::invalid);
    EXPECT_EQ(s.p.free(nullptr), Status::invalid);
    EXPECT_EQ(s.p.available(), 3u);
    EXPECT_EQ(other.p.free(theirs), Status::ok);
}

TEST_F(Pools, AFreedBlockGoesToTheBestWaiter) {
    Pool s(16, 1);
    void *const only = s.p.try_allocate();
    const auto allocate = [&](const char *name) {
        return [=, &s, this] {
            void *mine;
            EXPECT_EQ(s.p.allocate(mine), Status::ok);
            EXPECT_EQ(mine, only);
            trace += name;
            EXPECT_EQ(s.p.free(mine), Status::ok);
        };
    };
    Actor low("low", 20, allocate("l")), high("high", 5, allocate("h"));
    Actor driver("driver", 25, [&] {
        machine::interrupt([&] {
            EXPECT_EQ(s.p.free(only), Status::ok);
            EXPECT_EQ(s.p.try_allocate(), nullptr); // it is the waiter's
        });
        EXPECT_EQ(trace, "hl");
        EXPECT_EQ(s.p.available(), 1u);
    });
    machine::run_until(2000);
    EXPECT_EQ(trace, "hl");
}

TEST_F(Pools, TimeOutAndClose) {
    Pool s(16, 1);
    (void)s.p.try_allocate();
    Actor a("a", 5, [&] {
        void *block;
        const Time deadline = now() + microseconds(10);
        EXPECT_EQ(s.p.allocate(block, deadline), Status::timeout);
        EXPECT_EQ(block, nullptr);
        EXPECT_GE(now(), deadline);
        machine::interrupt([&] { EXPECT_EQ(s.p.allocate(block), Status::would_block); });
        EXPECT_EQ(s.p.allocate(block), Status::interrupted);
        EXPECT_EQ(s.p.allocate(block), Status::deleted);
        EXPECT_EQ(block, nullptr);
        trace += "closed";
    });
    Actor b("b", 6, [&] {
        (void)Thread::sleep_for(microseconds(100));
        s.p.reset();
        s.p.close();
    });
    machine::run_until(24 * 1000);
    EXPECT_EQ(trace, "closed");
}

} // namespace
