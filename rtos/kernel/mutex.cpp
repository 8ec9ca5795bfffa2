// SPDX-License-Identifier: BSD-3-Clause
#include "mutex.hpp"

#include "timer_queue.hpp"

#include <rtos/assert.hpp>
#include <rtos/interrupt.hpp>

namespace rtos {

static constexpr unsigned longest_circle = 64; // of a deadlock that error_check sees

// What it asks for its owner: a priority, or one that is below all.
unsigned Mutex::claim() const {
    switch (protocol_) {
    case Protocol::inherit:
        if (const Thread *best = waiters_.first())
            return best->priority_;
        break;
    case Protocol::ceiling:
        return ceiling_;
    default:
        break;
    }
    return priorities;
}

[[gnu::noinline, gnu::cold]] static Status refuse_interrupt() {
    RTOS_ASSERT(!"called in an interrupt");
    return Status::would_block;
}

[[gnu::always_inline]] inline Status Mutex::lock_free(const IrqLock &lock) {
    if (lock.was_masked() && in_interrupt()) [[unlikely]]
        return refuse_interrupt();
    Thread &self = scheduler.current();
    if (protocol_ == Protocol::ceiling) [[unlikely]] {
        if (self.base_priority_ < ceiling_)
            return Status::invalid;
        own(self);
        if (ceiling_ < self.priority_)
            scheduler.set_priority(self, ceiling_);
        return Status::ok;
    }
    own(self);
    return Status::ok;
}

Status Mutex::lock(Time deadline) {
    const bool was_masked = port::irq_save();
    if (owner_ || was_masked || protocol_ == Protocol::ceiling) [[unlikely]]
        return lock_slowly(was_masked, deadline);
    own(scheduler.current());
    port::irq_enable();
    return Status::ok;
}

[[gnu::noinline]] Status Mutex::lock_slowly(bool was_masked, Time deadline) {
    const IrqLock lock{was_masked};
    return owner_ ? lock_contended(lock, deadline) : lock_free(lock);
}

Status Mutex::try_lock() {
    const IrqLock lock;
    if (!owner_)
        return lock_free(lock);
    if (owner_ == &scheduler.current() && kind_ == Kind::recursive)
        return lock_contended(lock, Time::past());
    return Status::busy;
}

Status Mutex::lock_contended(const IrqLock &lock, Time deadline) {
    Thread &self = scheduler.current();
    if (lock.was_masked() && in_interrupt())
        return refuse_interrupt();
    if (owner_ == &self && kind_ == Kind::recursive) {
        if (holds_ == most_holds)
            return Status::full;
        ++holds_;
        return Status::ok;
    }
    if (deadline == Time::past())
        return Status::timeout;
    if (kind_ == Kind::error_check && closes_circle(self))
        return Status::deadlock;
    if (protocol_ == Protocol::ceiling && self.base_priority_ < ceiling_)
        return Status::invalid;
    self.blocked_on_ = this;
    if (protocol_ == Protocol::inherit && self.priority_ < owner_->priority_)
        scheduler.set_priority(*owner_, self.priority_);
    const Status result = waiters_.wait(lock, deadline);
    if (self.blocked_on_) { // it did not come to a wait
        self.blocked_on_ = nullptr;
        scheduler.disinherit(*this);
    }
    return result;
}

// Whether waiting for this mutex would be waiting for self.
bool Mutex::closes_circle(const Thread &self) const {
    const Mutex *m = this;
    for (unsigned steps = 0; m && m->owner_ && steps < longest_circle; ++steps) {
        if (m->owner_ == &self)
            return true;
        m = m->owner_->blocked_on_;
    }
    return false;
}

Status Mutex::unlock() {
    const bool was_masked = port::irq_save();
    if (was_masked || owner_ != &scheduler.current() || holds_ != 1 || !waiters_.empty() ||
        protocol_ == Protocol::ceiling) [[unlikely]]
        return unlock_slowly(was_masked);
    remove();
    owner_ = nullptr;
    port::irq_enable();
    return Status::ok;
}

[[gnu::noinline]] Status Mutex::unlock_slowly(bool was_masked) {
    const IrqLock lock{was_masked};
    if (was_masked && in_interrupt())
        return refuse_interrupt();
    if (owner_ != &scheduler.current())
        return Status::not_owner;
    if (holds_ > 1)
        --holds_;
    else
        hand_over();
    return Status::ok;
}

// From its owner to the first waiter, if there is one. The call that may overflow the stack comes
// before everything else: a thread must not end half way between the two.
[[gnu::noinline]] void Mutex::hand_over() {
    Thread &old = *owner_;
    Thread *const next = waiters_.first();
    if (next && (next->wake_work_ & Thread::wake_timed))
        Scheduler::stop_timeout(*next);
    remove();
    owner_ = nullptr;
    if (next) {
        own(*next);
        if (next->wake_work_)
            Scheduler::stay_suspended(*next, Status::ok);
        else
            scheduler.end_of_wait(*next, Status::ok);
        scheduler.update_priority(*next);
    }
    scheduler.update_priority(old);
}

void Mutex::give_up() {
    const IrqLock lock;
    owner_died_ = true;
    hand_over();
}

void Mutex::close() {
    const IrqLock lock;
    if (Thread *const old = owner_) {
        remove();
        owner_ = nullptr;
        scheduler.update_priority(*old);
    }
    waiters_.wake_all(lock, Status::deleted);
}

unsigned Mutex::set_ceiling(unsigned ceiling) {
    const IrqLock lock;
    const unsigned old = ceiling_;
    ceiling_ = static_cast<uint8_t>(ceiling);
    scheduler.disinherit(*this);
    return old;
}

void Mutex::set_protocol(Protocol protocol, unsigned ceiling) {
    const IrqLock lock;
    protocol_ = protocol;
    ceiling_ = static_cast<uint8_t>(ceiling);
    scheduler.disinherit(*this);
}

} // namespace rtos
