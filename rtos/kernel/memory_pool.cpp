// SPDX-License-Identifier: BSD-3-Clause
#include <rtos/memory_pool.hpp>

#include <rtos/assert.hpp>
#include <rtos/irq_lock.hpp>

namespace rtos {

// The header of a free block; IRQs masked. Null: there is none.
void **MemoryPool::pop() {
    void **const header = free_;
    if (header)
        free_ = static_cast<void **>(*header);
    else if (fresh_ < count_)
        return reinterpret_cast<void **>(memory_ + slot_ * fresh_++);
    return header;
}

void *MemoryPool::try_allocate() {
    const IrqMask masked;
    void **const header = pop();
    if (!header)
        return nullptr;
    *header = this;
    available_ = available_ - 1;
    return header + 1;
}

Status MemoryPool::allocate(void *&block, Time deadline) {
    block = try_allocate();
    if (block)
        return Status::ok;
    const IrqLock lock;
    block = try_allocate(); // freed since
    return block ? Status::ok : waiters_.wait(lock, deadline, &block);
}

// Granlund and Montgomery, "Division by invariant integers using multiplication", 1994, section 9: times the
// odd part's inverse, rotated by the power of 2, is the quotient of a multiple of slot_, and beyond all
// quotients for the rest. Cortex-A8 has no division.
bool MemoryPool::is_block(const void *block) const {
    const uintptr_t offset =
        reinterpret_cast<uintptr_t>(block) - header_size - reinterpret_cast<uintptr_t>(memory_);
    const uint32_t index = std::rotr(static_cast<uint32_t>(offset) * inverse_, static_cast<int>(shift_));
    return offset <= UINT32_MAX && index < fresh_;
}

Status MemoryPool::free(void *block) {
    const IrqLock lock;
    const bool allocated = is_block(block) && of(block) == this;
    RTOS_ASSERT(allocated);
    if (!allocated)
        return Status::invalid;
    if (Thread *const waiter = waiters_.first()) {
        *static_cast<void **>(WaitQueue::data_of(*waiter)) = block;
        waiters_.wake(*waiter);
        return Status::ok;
    }
    void **const header = static_cast<void **>(block) - 1;
    *header = free_;
    free_ = header;
    available_ = available_ + 1;
    return Status::ok;
}

void MemoryPool::reset(Status result) {
    const IrqLock lock;
    waiters_.wake_all(lock, result);
}

} // namespace rtos
