// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <rtos/wait_queue.hpp>

namespace rtos {

// Mutual exclusion between threads. An unlock hands it to the first waiter, by priority.
// Thread context in all of it.
class Mutex : private Link {
  public:
    static constexpr unsigned most_holds = UINT8_MAX; // recursions (RT-Thread: RT_MUTEX_HOLD_MAX)

    // What a second lock by the owner does. recursive: counts. error_check: deadlock. normal: waits.
    enum class Kind : uint8_t { recursive, error_check, normal };
    // The owner's priority. inherit: at least that of the best waiter, through chains of mutexes.
    // ceiling: at least the ceiling, which no thread that locks it may exceed.
    enum class Protocol : uint8_t { inherit, ceiling, none };

    constexpr explicit Mutex(Kind kind = Kind::recursive, Protocol protocol = Protocol::inherit,
                             unsigned ceiling = 0)
        : kind_(kind), protocol_(protocol), ceiling_(static_cast<uint8_t>(ceiling)) {}

    // timeout, would_block, interrupted, deleted; deadlock (error_check); full (recursions); invalid
    // (the running thread's base priority is above the ceiling). (POSIX: pthread_mutex_clocklock.)
    Status lock(Time deadline = Time::never());
    Status lock_for(Duration limit) { return lock(after(limit)); }
    // busy; otherwise as lock. (POSIX: pthread_mutex_trylock: its EBUSY is for the owner too.)
    Status try_lock();
    // not_owner.
    Status unlock();
    // The same where nothing else happens: no ceiling, no waiter, no recursion, IRQs open. False: it is not
    // so, and nothing was done. (Inlined into the interfaces above; kernel/mutex.hpp.)
    bool lock_shortly();
    bool unlock_shortly();
    // End all waits with deleted, and take it from its owner.
    void close();

    // Null: free.
    Thread *owner() const { return owner_; }
    unsigned holds() const { return holds_; }
    unsigned ceiling() const { return ceiling_; }
    Protocol protocol() const { return protocol_; }
    // Returns the old one. The owner's priority follows.
    unsigned set_ceiling(unsigned ceiling);
    void set_protocol(Protocol protocol, unsigned ceiling = 0);
    // An owner ended without unlocking it since this was last cleared.
    bool owner_died() const { return owner_died_; }
    void clear_owner_died() { owner_died_ = false; }

    const WaitQueue &waiters() const { return waiters_; }

  private:
    friend class Inspector; // of the unit tests
    friend class Scheduler;
    friend class Thread;
    friend struct RtThreadView;

    Status lock_slowly(bool was_masked, Time deadline);
    Status unlock_slowly(bool was_masked);
    Status lock_free(const IrqLock &lock);
    Status lock_contended(const IrqLock &lock, Time deadline);
    bool closes_circle(const Thread &self) const;
    void own(Thread &t);
    void hand_over();
    void give_up();
    unsigned claim() const;
    static Mutex &of(Link &l) { return static_cast<Mutex &>(l); }

    // The Link: among the owner's held mutexes.
    Thread *owner_ = nullptr;
    uint16_t holds_ = 0;
    const Kind kind_;
    Protocol protocol_;
    uint8_t ceiling_;
    bool owner_died_ = false;
    WaitQueue waiters_;
};

} // namespace rtos
