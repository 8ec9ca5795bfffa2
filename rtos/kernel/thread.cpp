// SPDX-License-Identifier: BSD-3-Clause
#include <rtos/thread.hpp>

#include "scheduler.hpp"
#include "timer_queue.hpp"

#include <rtos/assert.hpp>

namespace rtos {

void Thread::wait_timed_out(void *thread) {
    Thread &t = *static_cast<Thread *>(thread);
    if (t.state_ == State::waiting)
        scheduler.end_wait(t, Status::timeout);
}

Thread &Thread::current() {
    return scheduler.current();
}

bool Thread::may_block() {
    const IrqLock lock;
    return !lock.was_masked() && scheduler.lock_depth() == 0;
}

void Thread::rename(const char *name) {
    const IrqMask masked;
    size_t i = 0;
    for (; name && name[i] && i < name_size - 1; ++i)
        name_[i] = name[i];
    for (; i < name_size; ++i)
        name_[i] = 0;
}

Status Thread::sleep_until(Time deadline) {
    const bool may = may_block();
    RTOS_ASSERT(may);
    if (!may)
        return Status::would_block;
    // A deadline in the past must not cost the shortest hardware delay.
    if (deadline <= rtos::now()) {
        ++scheduler.current().missed_deadlines_;
        return Status::ok;
    }
    port::irq_save();
    const Status result = scheduler.wait_and_open(nullptr, deadline, nullptr);
    timer_queue.finish();
    return result == Status::timeout ? Status::ok : result;
}

// Started, and not ended.
bool Thread::lives() const {
    return state_ == State::ready || state_ == State::waiting || state_ == State::suspended;
}

bool Thread::changeable() const {
    return lives() && !scheduler.is_idle(*this);
}

Status Thread::suspend() {
    const IrqLock lock;
    if (!changeable())
        return Status::invalid;
    if (!suspended())
        scheduler.suspend(*this, wake_suspended);
    return Status::ok;
}

Status Thread::resume() {
    const IrqLock lock;
    if (!suspended())
        return Status::invalid;
    scheduler.resume(*this, wake_suspended);
    return Status::ok;
}

Status Thread::end_wait(Status result) {
    const IrqLock lock;
    if (state_ != State::waiting)
        return Status::invalid;
    scheduler.end_wait(*this, result);
    return Status::ok;
}

Status Thread::post(AsyncCall &call) {
    const IrqLock lock;
    if (!changeable() || !calls_.put(call))
        return Status::invalid;
    if (state_ == State::waiting)
        scheduler.end_wait(*this, Status::interrupted);
    else if (this == &scheduler.current())
        scheduler.need_resched() = 1; // which comes by the calls, on its way
    return Status::ok;
}

Status Thread::set_priority(unsigned priority) {
    const IrqLock lock;
    if (priority >= idle_priority || scheduler.is_idle(*this))
        return Status::invalid;
    base_priority_ = static_cast<uint8_t>(priority);
    valid_priority_ = true;
    scheduler.update_priority(*this);
    return Status::ok;
}

void Thread::set_slice(Duration slice) {
    static constexpr int64_t longest = INT32_MAX;
    const IrqLock lock;
    const int64_t ticks = slice.ticks < 0 ? 0 : slice.ticks;
    scheduler.set_slice(*this, static_cast<uint32_t>(ticks < longest ? ticks : longest));
}

Duration Thread::run_time() const {
    const IrqLock lock;
    return {static_cast<int64_t>(Scheduler::run_ticks(*this))};
}

void SchedulerLock::lock() {
    const IrqMask masked;
    scheduler.lock();
}

void SchedulerLock::unlock() {
    const IrqLock lock; // switches
    if (scheduler.lock_depth() != 0)
        scheduler.unlock();
}

unsigned SchedulerLock::depth() {
    return scheduler.lock_depth();
}

} // namespace rtos
