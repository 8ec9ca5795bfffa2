// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <bit>
#include <stddef.h>
#include <stdint.h>

#include <rtos/wait_queue.hpp>

namespace rtos {

// Blocks of one size. Constant-time; a block that is freed goes to a waiting thread directly.
//
// A word before each block holds its pool while it is allocated, and the next free one while it is not: a
// block knows where it belongs, and a second free() is noticed.
class MemoryPool {
  public:
    static constexpr size_t header_size = sizeof(void *);

    // Bytes that a block takes in the pool's memory.
    static constexpr size_t slot_size(size_t block) {
        return header_size + (block + header_size - 1) / header_size * header_size;
    }

    // memory: count times slot_size(block) bytes, aligned like a pointer; outlives the pool.
    constexpr MemoryPool(void *memory, size_t block, uint32_t count, WaitOrder order = WaitOrder::priority)
        : memory_(static_cast<uint8_t *>(memory)), slot_(static_cast<uint32_t>(slot_size(block))),
          shift_(static_cast<uint32_t>(std::countr_zero(slot_))), inverse_(inverse(slot_ >> shift_)),
          count_(count), available_(count), waiters_(order) {}
    ~MemoryPool() { close(); }

    // A block, or wait for one until the deadline. Thread context. timeout, would_block, interrupted,
    // deleted.
    Status allocate(void *&block, Time deadline = Time::never());
    // A block, or null. Any context.
    void *try_allocate();
    // Give a block back. Any context. invalid: not a block of this pool, or free already.
    Status free(void *block);
    // The pool that an allocated block says it comes from. Only free() of that pool knows if it is so.
    static MemoryPool *of(const void *block) { return static_cast<MemoryPool *const *>(block)[-1]; }

    // End all waits with result. Blocks stay as they are (RT-Thread: RT_IPC_CMD_RESET). Thread context.
    void reset(Status result = Status::interrupted);
    // Nobody must begin to use it any more; waits end with deleted. Thread context.
    void close() { reset(Status::deleted); }

    uint32_t count() const { return count_; }
    uint32_t available() const { return available_; }
    size_t block_size() const { return slot_ - header_size; }
    WaitQueue &waiters() { return waiters_; }

  private:
    friend struct RtThreadView;

    // Of an odd number, modulo 2^32; every step of Newton's method doubles the bits that are right.
    static constexpr uint32_t inverse(uint32_t odd) {
        uint32_t x = odd; // 3 bits
        for (unsigned bits = 3; bits < 32; bits *= 2)
            x *= 2 - odd * x;
        return x;
    }
    bool is_block(const void *block) const;
    void **pop();

    uint8_t *const memory_;
    void **free_ = nullptr; // headers of blocks given back
    uint32_t fresh_ = 0;    // blocks never used yet: from this one on
    const uint32_t slot_;
    const uint32_t shift_;   // slot_ is an odd number times 2 to this power,
    const uint32_t inverse_; // and this is that odd number's inverse
    const uint32_t count_;
    volatile uint32_t available_;
    WaitQueue waiters_; // their data: where the block's address goes (void **)
};

} // namespace rtos
