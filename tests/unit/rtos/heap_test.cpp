// SPDX-License-Identifier: GPL-2.0-only
#include "machine.hpp"

#include <algorithm>
#include <gtest/gtest.h>
#include <map>
#include <memory>
#include <random>
#include <vector>

#include <rtos/heap.hpp>

namespace {

using namespace rtos;

constexpr size_t header = Heap::alignment;

uintptr_t number(const void *p) {
    return reinterpret_cast<uintptr_t>(p);
}

// Memory whose ends the sanitizer guards.
struct Memory {
    explicit Memory(size_t bytes) : data(new uint8_t[bytes]), size(bytes) {}
    std::unique_ptr<uint8_t[]> data;
    size_t size;
};

std::vector<Heap::Fault> faults;

struct Heaps : testing::Test {
    void SetUp() override {
        machine::reset();
        faults.clear();
        heap.on_fault([](const Heap &, Heap::Fault f, const void *) { faults.push_back(f); });
    }
    void begin(size_t bytes = 4096) {
        memory = std::make_unique<Memory>(bytes);
        ASSERT_EQ(heap.add(memory->data.get(), memory->size), Status::ok);
        ASSERT_TRUE(heap.verify());
    }
    std::unique_ptr<Memory> memory;
    Heap heap{"test"};
};

TEST_F(Heaps, GivesAlignedPiecesOfItsMemory) {
    begin();
    for (size_t size : {0, 1, 7, 8, 9, 100, 500}) {
        uint8_t *const p = static_cast<uint8_t *>(heap.allocate(size));
        ASSERT_NE(p, nullptr);
        EXPECT_EQ(number(p) % Heap::alignment, 0u);
        EXPECT_GE(p, memory->data.get());
        EXPECT_LE(p + size, memory->data.get() + memory->size);
        EXPECT_GE(Heap::usable_size(p), size);
        EXPECT_LT(Heap::usable_size(p), size + 2 * Heap::alignment + header);
        __builtin_memset(p, 0xff, Heap::usable_size(p));
        EXPECT_TRUE(heap.verify());
    }
}

TEST_F(Heaps, EveryRegionIsUsedUpAndComesBackWhole) {
    for (size_t bytes = 800; bytes < 5000; bytes += 37) {
        Heap h{"sized"};
        Memory m(bytes);
        ASSERT_EQ(h.add(m.data.get(), bytes), Status::ok) << bytes;
        const size_t whole = h.largest();
        EXPECT_GT(whole, bytes / 2) << bytes;
        void *const all = h.allocate(whole); // not only up to the next smaller class
        ASSERT_NE(all, nullptr) << bytes;
        EXPECT_EQ(h.statistics().used, h.statistics().total);
        EXPECT_EQ(h.allocate(0), nullptr);
        EXPECT_EQ(h.free(all), Status::ok);
        EXPECT_EQ(h.largest(), whole);
        EXPECT_TRUE(h.verify());
    }
}

TEST_F(Heaps, RefusesRegionsTooSmall) {
    Memory m(512);
    size_t least = 0;
    for (size_t bytes = 0; bytes < 512 && !least; ++bytes) {
        Heap h{"small"};
        const Status s = h.add(m.data.get(), bytes);
        if (s == Status::ok)
            least = bytes;
        else
            EXPECT_EQ(s, Status::invalid);
        EXPECT_EQ(h.allocate(1) != nullptr, s == Status::ok);
        EXPECT_TRUE(h.verify());
    }
    EXPECT_GT(least, 0u);
}

TEST_F(Heaps, RefusesSizesThatCannotBe) {
    begin();
    EXPECT_EQ(heap.allocate(4096), nullptr);
    EXPECT_EQ(heap.allocate(SIZE_MAX), nullptr);
    EXPECT_EQ(heap.allocate(SIZE_MAX / 2), nullptr);
    EXPECT_EQ(heap.allocate_aligned(64, SIZE_MAX), nullptr);
    EXPECT_EQ(heap.allocate_aligned(SIZE_MAX / 2 + 1, 1), nullptr);
    EXPECT_EQ(heap.allocate_aligned(48, 1), nullptr); // not a power of 2
    EXPECT_EQ(heap.allocate_aligned(0, 1), nullptr);
    void *const p = heap.allocate(10);
    EXPECT_EQ(heap.reallocate(p, SIZE_MAX), nullptr);
    EXPECT_EQ(heap.reallocate(p, 4096), nullptr);
    EXPECT_EQ(heap.free(p), Status::ok);
    EXPECT_TRUE(faults.empty());
}

TEST_F(Heaps, CountsWhatIsUsed) {
    begin();
    const auto at_first = heap.statistics();
    EXPECT_LE(at_first.total, 4096u);
    EXPECT_EQ(at_first.maximum, at_first.used);
    void *const a = heap.allocate(1000);
    const size_t one = heap.statistics().used;
    EXPECT_EQ(one, at_first.used + header + Heap::usable_size(a));
    void *const b = heap.allocate(1000);
    const size_t two = heap.statistics().used;
    EXPECT_EQ(heap.free(a), Status::ok);
    EXPECT_EQ(heap.free(b), Status::ok);
    EXPECT_EQ(heap.statistics().used, at_first.used);
    EXPECT_EQ(heap.statistics().maximum, two);
}

TEST_F(Heaps, AlignsToEveryPower) {
    begin(64 * 1024);
    const size_t whole = heap.largest();
    for (size_t align = 1; align <= 8192; align *= 2) {
        std::vector<void *> pieces;
        for (size_t size : {1, 24, 333}) {
            pieces.push_back(heap.allocate(size)); // so that places differ
            pieces.push_back(heap.allocate_aligned(align, size));
            ASSERT_NE(pieces.back(), nullptr);
            EXPECT_EQ(number(pieces.back()) % align, 0u);
            EXPECT_TRUE(heap.verify());
        }
        for (void *p : pieces)
            EXPECT_EQ(heap.free(p), Status::ok);
        EXPECT_EQ(heap.largest(), whole);
    }
}

TEST_F(Heaps, ReallocatesInPlaceWhenItCan) {
    begin();
    void *const p = heap.allocate(100);
    EXPECT_EQ(heap.reallocate(p, 50), p);
    EXPECT_EQ(heap.reallocate(p, 2000), p); // free memory is behind it
    void *const wall = heap.allocate(8);
    EXPECT_EQ(heap.reallocate(p, 1000), p);
    void *const moved = heap.reallocate(wall, 800);
    EXPECT_EQ(heap.free(p), Status::ok);
    EXPECT_EQ(heap.free(moved), Status::ok);
    EXPECT_NE(heap.reallocate(nullptr, 10), nullptr);
    EXPECT_TRUE(heap.verify());
    EXPECT_TRUE(faults.empty());
}

// -- Wrong use.

TEST_F(Heaps, DetectsDoubleFree) {
    begin();
    void *const a = heap.allocate(32), *const b = heap.allocate(32), *const c = heap.allocate(32);
    for (void *p : {b, a}) { // the second one merges with the first one behind it
        EXPECT_EQ(heap.free(p), Status::ok);
        EXPECT_EQ(heap.free(p), Status::invalid);
        EXPECT_EQ(heap.reallocate(p, 10), nullptr);
    }
    EXPECT_EQ(heap.free(b), Status::invalid); // has become a part of a's
    EXPECT_EQ(heap.free(c), Status::ok);
    EXPECT_EQ(faults, std::vector(5, Heap::Fault::double_free));
    EXPECT_TRUE(heap.verify());
}

TEST_F(Heaps, DetectsForeignAddresses) {
    begin();
    uint8_t *const p = static_cast<uint8_t *>(heap.allocate(100));
    alignas(Heap::alignment) static uint8_t elsewhere[64];
    EXPECT_EQ(heap.free(elsewhere + 32), Status::invalid);
    EXPECT_EQ(heap.free(p + 1), Status::invalid);
    EXPECT_EQ(heap.free(memory->data.get() + memory->size), Status::invalid);
    EXPECT_EQ(faults, std::vector(3, Heap::Fault::foreign));
    __builtin_memset(p, 0x5b, 100); // looks like a header that is in use
    EXPECT_EQ(heap.free(p + 2 * Heap::alignment), Status::invalid);
    EXPECT_EQ(faults.back(), Heap::Fault::corruption);
    EXPECT_TRUE(heap.verify());
    EXPECT_EQ(heap.free(p), Status::ok);
    EXPECT_EQ(heap.free(nullptr), Status::ok);
}

TEST_F(Heaps, DetectsWritesBeyondAPiece) {
    begin();
    uint8_t *const a = static_cast<uint8_t *>(heap.allocate(32));
    uint8_t *const b = static_cast<uint8_t *>(heap.allocate(32));
    (void)heap.allocate(32);
    __builtin_memset(a, 0x41, Heap::usable_size(a) + sizeof(void *)); // runs over b's header
    EXPECT_EQ(heap.free(b), Status::invalid);
    EXPECT_EQ(heap.free(a), Status::invalid);
    EXPECT_EQ(faults, std::vector(2, Heap::Fault::corruption));
    EXPECT_FALSE(heap.verify());
    EXPECT_NE(heap.allocate(64), nullptr); // the rest goes on
}

// Whatever is written over a free piece, no later call goes astray (the sanitizer would notice), and what is
// given out afterwards is still inside and apart.
TEST_F(Heaps, SurvivesWritesIntoFreePieces) {
    std::mt19937 random(1);
    for (int round = 0; round < 3000; ++round) {
        Heap h{"abused"};
        h.on_fault([](const Heap &, Heap::Fault f, const void *) { faults.push_back(f); });
        Memory m(2048);
        ASSERT_EQ(h.add(m.data.get(), m.size), Status::ok);
        std::vector<uint8_t *> pieces;
        for (int i = 0; i < 12; ++i)
            pieces.push_back(static_cast<uint8_t *>(h.allocate(16 + random() % 64)));
        std::vector<uint8_t *> freed;
        for (uint8_t *p : pieces)
            if (random() % 2) {
                freed.push_back(p);
                ASSERT_EQ(h.free(p), Status::ok);
            }
        for (uint8_t *p : freed) {
            uintptr_t junk[2] = {number(m.data.get()) + random() % 2048, random()};
            if (random() % 2)
                std::swap(junk[0], junk[1]);
            __builtin_memcpy(p, junk, random() % 2 ? sizeof(junk) : sizeof(junk) / 2);
        }
        for (int i = 0; i < 20; ++i) {
            uint8_t *const p = static_cast<uint8_t *>(h.allocate(random() % 100));
            if (!p)
                continue;
            ASSERT_GE(p, m.data.get());
            ASSERT_LE(p + Heap::usable_size(p), m.data.get() + m.size);
        }
        for (uint8_t *p : pieces)
            (void)h.free(p);
    }
    EXPECT_GT(faults.size(), 1000u);
}

// -- Regions.

TEST_F(Heaps, MemoryBehindARegionBecomesPartOfIt) {
    Memory m(16384);
    uint8_t *const start = m.data.get();
    ASSERT_EQ(heap.add(start, 4096, 12288), Status::ok);
    void *const all = heap.allocate(heap.largest());
    ASSERT_EQ(heap.add(start + 4096, 4096), Status::ok); // behind a piece
    ASSERT_TRUE(heap.verify());
    EXPECT_EQ(heap.free(all), Status::ok);
    const size_t whole = heap.largest();
    EXPECT_GT(whole, 7000u);
    ASSERT_EQ(heap.add(start + 8192, 4096), Status::ok); // behind a free one
    EXPECT_EQ(heap.largest(), whole + 4096);
    EXPECT_EQ(heap.add(start + 12288, 4096), Status::invalid); // beyond the limit
    EXPECT_EQ(heap.statistics().total, 12288u);
    EXPECT_TRUE(heap.verify());
}

TEST_F(Heaps, RegionsApartServeTogether) {
    begin();
    Memory other(3000);
    ASSERT_EQ(heap.add(other.data.get(), other.size), Status::ok);
    ASSERT_TRUE(heap.verify());
    std::vector<void *> pieces;
    while (void *p = heap.allocate(100))
        pieces.push_back(p);
    EXPECT_GT(pieces.size(), 50u);
    EXPECT_TRUE(heap.contains(pieces.front()));
    EXPECT_TRUE(std::any_of(pieces.begin(), pieces.end(), [&](void *p) {
        return p >= other.data.get() && p < other.data.get() + other.size;
    }));
    for (void *p : pieces)
        EXPECT_EQ(heap.free(p), Status::ok);
    EXPECT_TRUE(heap.verify());
    EXPECT_TRUE(faults.empty());
}

TEST_F(Heaps, GrowsWhenItHasTo) {
    static uint8_t *next;
    static unsigned grown;
    Memory m(1 << 16);
    next = m.data.get();
    grown = 0;
    Heap h{"growing", [](Heap &self, size_t bytes) {
               const size_t chunk = (bytes + 2047) / 1024 * 1024;
               if (grown == 5)
                   return false;
               ++grown;
               next += chunk;
               return self.add(next - chunk, chunk, 1 << 16) == Status::ok;
           }};
    EXPECT_EQ(h.allocate(SIZE_MAX), nullptr);
    EXPECT_EQ(grown, 0u);
    std::vector<void *> pieces;
    while (void *p = h.allocate(900)) {
        pieces.push_back(p);
        ASSERT_TRUE(h.verify());
    }
    EXPECT_EQ(grown, 5u);
    EXPECT_GE(pieces.size(), 5u);
    for (void *p : pieces)
        EXPECT_EQ(h.free(p), Status::ok);
    EXPECT_NE(h.allocate_aligned(256, 3000), nullptr);
    EXPECT_TRUE(h.verify());
}

// -- Against a model: random operations, every piece's contents its own.

struct Piece {
    size_t size;
    uint8_t fill;
};

void check_fill(const uint8_t *p, size_t size, uint8_t fill) {
    ASSERT_TRUE(std::all_of(p, p + size, [=](uint8_t byte) { return byte == fill; }));
}

void exercise(unsigned seed, size_t bytes, size_t largest, int operations) {
    std::mt19937 random(seed);
    Heap h{"random"};
    Memory m(bytes);
    ASSERT_EQ(h.add(m.data.get(), bytes), Status::ok);
    const size_t whole = h.largest(), empty = h.statistics().used;
    std::map<uint8_t *, Piece> pieces;
    uint8_t fill = 0;
    const auto enter = [&](uint8_t *p, size_t size) {
        const auto behind = pieces.lower_bound(p);
        ASSERT_TRUE(behind == pieces.end() || p + size <= behind->first);
        ASSERT_TRUE(behind == pieces.begin() ||
                    std::prev(behind)->first + std::prev(behind)->second.size <= p);
        ASSERT_GE(p, m.data.get());
        ASSERT_LE(p + size, m.data.get() + bytes);
        std::fill(p, p + size, ++fill);
        pieces[p] = {size, fill};
    };
    for (int i = 0; i < operations; ++i) {
        // Sizes of every order of magnitude.
        const size_t size = random() % (size_t{1} << random() % std::bit_width(largest));
        const unsigned what = random() % 8;
        if (what < 3 || pieces.empty()) {
            if (void *p = h.allocate(size)) {
                ASSERT_EQ(number(p) % Heap::alignment, 0u);
                enter(static_cast<uint8_t *>(p), size);
            } else {
                ASSERT_LT(h.largest(), size + Heap::alignment);
            }
        } else if (what == 3) {
            const size_t align = size_t{1} << random() % 9;
            if (void *p = h.allocate_aligned(align, size)) {
                ASSERT_EQ(number(p) % align, 0u);
                enter(static_cast<uint8_t *>(p), size);
            }
        } else {
            auto it = pieces.begin();
            std::advance(it, random() % pieces.size());
            const auto [p, piece] = *it;
            check_fill(p, piece.size, piece.fill);
            if (what == 4) {
                void *const q = h.reallocate(p, size);
                if (q) {
                    pieces.erase(it);
                    check_fill(static_cast<uint8_t *>(q), std::min(size, piece.size), piece.fill);
                    enter(static_cast<uint8_t *>(q), size);
                }
            } else {
                ASSERT_EQ(h.free(p), Status::ok);
                pieces.erase(it);
            }
        }
        ASSERT_TRUE(i % 8 || h.verify());
        if (testing::Test::HasFatalFailure())
            return;
    }
    for (const auto &[p, piece] : pieces) {
        check_fill(p, piece.size, piece.fill);
        ASSERT_EQ(h.free(p), Status::ok);
    }
    EXPECT_TRUE(h.verify());
    EXPECT_EQ(h.largest(), whole);
    EXPECT_EQ(h.statistics().used, empty);
}

TEST_F(Heaps, RandomOperationsKeepPiecesApart) {
    for (unsigned seed = 0; seed < 40; ++seed) {
        exercise(seed, 2000 + 100 * seed, 512, 1500);
        exercise(seed, 100'000, 20'000, 1500);
        ASSERT_FALSE(HasFatalFailure()) << "seed " << seed;
    }
}

} // namespace
