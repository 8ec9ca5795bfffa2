// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <rtos/status.hpp>

namespace rtos {

// Memory in pieces of any size from the regions it is given: TLSF (Masmano, Ripoll, Crespo, Real: "TLSF: a
// new dynamic memory allocator for real-time systems", 2004). Every operation takes a bounded number of
// steps, with IRQs masked, whatever the heap's state, plus one per region that is not adjacent to the
// others: all but reallocate may be called from any context. Only a heap that grows takes longer, when it
// does.
class Heap {
  public:
    struct Statistics {
        size_t total;   // bytes under management
        size_t used;    // of those, allocated or taken by bookkeeping
        size_t maximum; // the most ever used
    };

    enum class Fault : uint8_t {
        double_free,
        foreign,    // not an address in this heap
        corruption, // the bookkeeping before or behind a piece has been overwritten
    };
    // What to call about wrong use, IRQs masked. By default the log is told.
    using Report = void (*)(const Heap &heap, Fault fault, const void *address);

    // What to call when memory runs out: add() at least this many bytes, what the heap needs for itself
    // included. False: there is no more. With IRQs as the caller of allocate has them.
    using Grow = bool (*)(Heap &heap, size_t bytes);

    static constexpr size_t alignment = 2 * sizeof(void *); // of all addresses given out

    // name: lives on.
    constexpr explicit Heap(const char *name, Grow more = nullptr) : name_(name), grow_(more) {}

    // Manage this memory as well. The begin of the first region holds the heap's lists, made for regions
    // of up to limit bytes, or as large as this one. Memory that begins where a region ends becomes a
    // part of it. The first time nobody else may use the heap; any context after that.
    // invalid: too small, or larger than the limit.
    Status add(void *memory, size_t size, size_t limit = 0);

    // At least size bytes, or null. Size 0 gives the smallest piece.
    void *allocate(size_t size);
    // The same at a multiple of align, a power of 2.
    void *allocate_aligned(size_t align, size_t size);
    // Change a piece's size, in place if possible; else its contents move, copied with IRQs open. Null:
    // there is no room, or it is no piece of this heap; it stays as it is. A piece of null is an allocation.
    void *reallocate(void *piece, size_t size);
    // invalid: not an allocated piece of this heap, or overwritten; reported, and nothing is done. Null is
    // ok.
    Status free(void *piece);
    // Bytes that may be used at piece: what was asked for, or some more.
    static size_t usable_size(const void *piece);
    // In one of its regions.
    bool contains(const void *address) const;

    Statistics statistics() const;
    // Bytes of the largest piece that allocate() would find now without growing.
    size_t largest() const;
    // Go through all of it. False: corrupted. Masks IRQs for as long: a debugging aid.
    bool verify() const;

    const char *name() const { return name_; }
    void on_fault(Report report) { report_ = report; }

  private:
    struct Block;
    struct Region;

    Status begin(uint8_t *&low, const uint8_t *high, size_t limit);
    const Region *region_of(const void *address) const;
    bool may_be_block(const void *address) const;
    bool sound(const Block *b) const;
    bool allocated(void *piece) const;
    bool faulty(Fault fault, const void *address) const;
    unsigned find(size_t bytes) const;
    Block *take(size_t bytes);
    void insert(Block *b);
    bool remove(Block *b);
    Block *split(Block *b, size_t bytes);
    void release(Block *b);
    void *give_out(Block *b);
    bool grown(size_t bytes);

    const char *name_;
    Grow grow_;
    Report report_ = nullptr;
    Region *regions_ = nullptr;
    Block **lists_ = nullptr;
    uint8_t *second_ = nullptr; // for each class, which of its lists are not empty
    uint32_t first_ = 0;        // which classes have such a list
    size_t limit_ = 0;          // bytes of the largest region
    Statistics statistics_{};
};

// The heap over the RTOS's memory behind its image. It takes pages from there as it needs them, in thread
// context, and keeps them; the rest is for stacks.
Heap &system_heap();

} // namespace rtos
