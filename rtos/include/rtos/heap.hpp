// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stddef.h>
#include <stdint.h>

#include <rtos/status.hpp>

namespace rtos {

// Memory in pieces of any size from the regions it is given: TLSF (Masmano, Ripoll, Crespo, Real: "TLSF: a
// new dynamic memory allocator for real-time systems", 2004). Every operation takes a bounded number of
// steps, with IRQs masked, whatever the heap's state: all but reallocate may be called from any context.
// Only a heap that grows takes longer, when it does.
class Heap {
  public:
    struct Statistics {
        size_t total;   // bytes under management
        size_t used;    // of those, allocated or taken by bookkeeping
        size_t maximum; // the most ever used
    };

    enum class Fault : uint8_t {
        double_free,
        foreign,    // not an address this heap gave out
        corruption, // the bookkeeping before or behind the piece has been overwritten
    };
    // What to call about wrong use, in its caller's context. By default the log is told.
    using Report = void (*)(const Heap &heap, Fault fault, const void *address);

    // What to call when memory runs out: add() at least this many bytes. False: there is no more. With
    // IRQs as the caller of allocate has them.
    using Grow = bool (*)(Heap &heap, size_t bytes);

    static constexpr size_t alignment = 2 * sizeof(void *); // of all addresses given out

    constexpr explicit Heap(const char *name, Grow grow = nullptr) : name_(name), grow_(grow) {}

    // Manage this memory as well. A part of the first region holds the heap's lists, made for pieces of
    // up to limit bytes, or as large as the region. Adjacent regions become one. Any context.
    // invalid: too small, or larger than the limit.
    Status add(void *memory, size_t size, size_t limit = 0);

    // At least size bytes, or null. Size 0 gives the smallest piece.
    void *allocate(size_t size);
    // The same at a multiple of align, a power of 2.
    void *allocate_aligned(size_t align, size_t size);
    // Change a piece's size, in place if possible; else its contents move, copied with IRQs open. Null:
    // there is no room, and the piece stays as it is. A piece of null is an allocation. Thread context.
    void *reallocate(void *piece, size_t size);
    // invalid: not an allocated piece of this heap, or overwritten; reported, and nothing is done. Null is
    // ok.
    Status free(void *piece);
    // Bytes that may be used at piece: what was asked for, or some more.
    size_t usable_size(const void *piece) const;

    Statistics statistics() const;
    // Go through all of it. False: corrupted. Masks IRQs for as long: a debugging aid.
    bool verify() const;

    const char *name() const { return name_; }
    void on_fault(Report report) { report_ = report; }

  private:
    struct Block;
    struct Free;

    const char *name_;
    Grow grow_;
    Report report_ = nullptr;
    Free **lists_ = nullptr;
    uint8_t *second_ = nullptr; // for each first-level class, which of its lists are not empty
    uint32_t first_ = 0;        // which first-level classes are not empty
    uint32_t classes_ = 0;      // how many there are
    Statistics statistics_{};
};

// The heap over the RTOS's memory behind its image. It grows by pages. Thread context.
Heap &system_heap();

} // namespace rtos
