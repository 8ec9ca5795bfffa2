// SPDX-License-Identifier: GPL-2.0-only
// How long the heap's operations can take: the compiler counts the basic blocks that are executed
// (-fsanitize-coverage=trace-pc), whatever the heap's size and state.
#include "machine.hpp"

#include <algorithm>
#include <bit>
#include <gtest/gtest.h>
#include <memory>
#include <random>
#include <vector>

#include <rtos/heap.hpp>

static unsigned steps;
extern "C" __attribute__((no_sanitize_coverage)) void __sanitizer_cov_trace_pc() {
    ++steps;
}

namespace {

using namespace rtos;

struct Longest {
    unsigned allocate = 0, allocate_aligned = 0, free = 0, reallocate = 0;
};

template <class Operation> auto count(unsigned &longest, Operation operation) {
    steps = 0;
    const auto result = operation();
    longest = std::max(longest, steps);
    return result;
}

// Random operations on a heap that is full of pieces of every size most of the time.
Longest exercise(size_t bytes, unsigned operations) {
    std::mt19937 random(11);
    const auto memory = std::make_unique<uint8_t[]>(bytes);
    Heap h{"counted"};
    EXPECT_EQ(h.add(memory.get(), bytes), Status::ok);
    Longest longest;
    std::vector<void *> pieces;
    for (unsigned i = 0; i < operations; ++i) {
        const size_t size = random() % (size_t{1} << random() % (std::bit_width(bytes) - 4));
        const unsigned what = random() % 10;
        void *p = nullptr;
        if (what < 5) {
            p = count(longest.allocate, [&] { return h.allocate(size); });
        } else if (what == 5) {
            p = count(longest.allocate_aligned, [&] { return h.allocate_aligned(64, size); });
        } else if (!pieces.empty()) {
            void *&chosen = pieces[random() % pieces.size()];
            if (what == 6) {
                if (void *q = count(longest.reallocate, [&] { return h.reallocate(chosen, size); }))
                    chosen = q;
                continue;
            }
            EXPECT_EQ(count(longest.free, [&] { return h.free(chosen); }), Status::ok);
            chosen = pieces.back();
            pieces.pop_back();
        }
        if (p)
            pieces.push_back(p);
    }
    EXPECT_TRUE(h.verify());
    return longest;
}

TEST(HeapSteps, DoNotDependOnSizeOrState) {
    machine::reset();
    for (const size_t bytes : {size_t{1} << 12, size_t{1} << 16, size_t{1} << 24}) {
        const Longest longest = exercise(bytes, 100'000);
        EXPECT_LE(longest.allocate, 100u) << bytes;
        EXPECT_LE(longest.allocate_aligned, 120u) << bytes;
        EXPECT_LE(longest.free, 130u) << bytes;
        EXPECT_LE(longest.reallocate, 260u) << bytes;
    }
}

} // namespace
