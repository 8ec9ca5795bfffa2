// SPDX-License-Identifier: BSD-3-Clause
#include <rtos/thread.hpp>

#include "scheduler.hpp"
#include "timer_queue.hpp"

namespace rtos {

static constexpr uint8_t stack_pattern = 0xa5;

void Thread::wait_timed_out(void *thread) {
    scheduler.wake(*static_cast<Thread *>(thread), Status::timeout);
}

Status Thread::give_stack(size_t bytes) {
    if (state_ != State::created || stack_ || bytes < minimum_stack)
        return Status::invalid;
    const port::Stack stack = port::allocate_stack(bytes);
    if (!stack.base)
        return Status::no_memory;
    __builtin_memset(stack.base, stack_pattern, stack.size);
    stack_ = stack.base;
    stack_size_ = stack.size;
    return Status::ok;
}

bool Thread::startable() const {
    const bool is_idle = entry_ == port::idle_entry;
    return state_ == State::created && valid_priority_ && (priority_ == idle_priority) == is_idle;
}

Status Thread::start() {
    if (!startable() || !stack_)
        return Status::invalid;
    const IrqLock lock;
    scheduler.add(*this, stack_, stack_size_);
    return Status::ok;
}

Thread &Thread::current() {
    return scheduler.current();
}

Status Thread::yield() {
    const IrqLock lock;
    if (lock.was_masked())
        return Status::would_block;
    scheduler.yield();
    return Status::ok;
}

Status Thread::sleep_until(Time deadline) {
    const IrqLock lock;
    if (lock.was_masked())
        return Status::would_block;
    // Without this test a deadline in the past would cost the shortest hardware delay.
    if (deadline > timer_queue.now())
        (void)scheduler.wait(nullptr, deadline);
    return Status::ok;
}

void Thread::exit() {
    port::irq_save();
    scheduler.end_current(State::ended);
}

Duration Thread::run_time() const {
    const IrqLock lock;
    return {static_cast<int64_t>(Scheduler::run_ticks(*this))};
}

size_t Thread::stack_high_water() const {
    size_t untouched = 0;
    while (untouched < stack_size_ && stack_[untouched] == stack_pattern)
        ++untouched;
    return stack_size_ - untouched;
}

} // namespace rtos
