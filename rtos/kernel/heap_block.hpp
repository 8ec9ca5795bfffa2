// SPDX-License-Identifier: BSD-3-Clause
// How a heap's memory is divided. A region, from its low end:
//
//     Region  [the heap's lists]  Block  piece  Block  piece  ...  Block (end, of size 0, never free)
//
// Two neighbours are never both free. The lists hold the free blocks by size, in granules of the alignment:
// class 0 has a list for each size below 8; class c, from 1 on, divides [8 << c - 1, 8 << c) into 8 lists.
#pragma once

#include <bit>

#include <rtos/heap.hpp>

namespace rtos {

struct Heap::Block {
    Block *before; // its neighbour; null: the first of the region
    size_t state;  // bytes of the piece; bit 0: allocated
    // Of a free block, in the piece:
    Block *next;
    Block *previous;

    static constexpr size_t header = alignment;
    static constexpr size_t smallest = alignment; // piece
    static constexpr size_t used = 1;

    size_t size() const { return state & ~used; }
    bool free() const { return !(state & used); }
    uint8_t *piece() { return reinterpret_cast<uint8_t *>(this) + header; }
    Block *behind() { return reinterpret_cast<Block *>(piece() + size()); }
    const Block *behind() const { return const_cast<Block *>(this)->behind(); }
    static Block *of(void *piece) {
        return reinterpret_cast<Block *>(static_cast<uint8_t *>(piece) - header);
    }
};

struct Heap::Region {
    Region *next;
    uint8_t *low; // its first block
    Block *end;

    static constexpr size_t room = (3 * sizeof(void *) + alignment - 1) & ~(alignment - 1);
};

namespace heap {

inline constexpr unsigned lists_per_class = 8;

// The list of free blocks of this size.
constexpr unsigned list_of(size_t bytes) {
    const size_t granules = bytes / Heap::alignment;
    if (granules < lists_per_class)
        return static_cast<unsigned>(granules);
    const unsigned top = static_cast<unsigned>(std::bit_width(granules)) - 4; // class - 1
    return static_cast<unsigned>(granules >> top) + top * lists_per_class;
}

// The first list all of whose blocks are at least this large.
constexpr unsigned list_from(size_t bytes) {
    const size_t granules = bytes / Heap::alignment;
    if (granules < 2 * lists_per_class)
        return static_cast<unsigned>(granules);
    const unsigned top = static_cast<unsigned>(std::bit_width(granules)) - 4;
    return list_of(bytes + ((size_t{1} << top) - 1) * Heap::alignment);
}

static_assert(list_of(7 * Heap::alignment) == 7 && list_of(8 * Heap::alignment) == 8);
static_assert(list_of(15 * Heap::alignment) == 15 && list_of(16 * Heap::alignment) == 16);
static_assert(list_of(17 * Heap::alignment) == 16 && list_of(32 * Heap::alignment) == 24);
static_assert(list_from(16 * Heap::alignment) == 16 && list_from(17 * Heap::alignment) == 17);
static_assert(list_from(31 * Heap::alignment) == 24);

} // namespace heap

} // namespace rtos
