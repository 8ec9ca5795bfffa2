// SPDX-License-Identifier: BSD-3-Clause
#include <rtos/event.hpp>

#include <rtos/assert.hpp>

namespace rtos {

// What a waiter's data points to, on its stack.
struct Event::Wanted {
    uint32_t mask;
    Match match;
    bool consume;
    uint32_t got = 0;

    // The flags of mask that are set, if that fulfils the wait, else 0.
    uint32_t in(uint32_t flags) const {
        const uint32_t hit = flags & mask;
        return match == Match::any || hit == mask ? hit : 0;
    }
};

Status Event::wait(uint32_t mask, Match match, bool consume, uint32_t &got, Time deadline) {
    if (const Status s = try_wait(mask, match, consume, got); s != Status::empty)
        return s;
    Wanted wanted{mask, match, consume};
    const IrqLock lock;
    if (const uint32_t hit = wanted.in(flags_)) { // set since
        if (consume)
            flags_ = flags_ & ~hit;
        got = hit;
        return Status::ok;
    }
    const Status result = waiters_.wait(lock, deadline, &wanted);
    got = wanted.got;
    return result;
}

Status Event::try_wait(uint32_t mask, Match match, bool consume, uint32_t &got) {
    RTOS_ASSERT(mask != 0);
    got = 0;
    if (mask == 0)
        return Status::invalid;
    const Wanted wanted{mask, match, consume};
    const IrqMask masked;
    const uint32_t hit = wanted.in(flags_);
    if (hit == 0)
        return Status::empty;
    if (consume)
        flags_ = flags_ & ~hit;
    got = hit;
    return Status::ok;
}

void Event::set(uint32_t flags) {
    const IrqLock lock;
    const uint32_t all = flags_ | flags;
    uint32_t consumed = 0;
    for (Thread *t = waiters_.first(), *next; t; t = next) {
        next = waiters_.next(*t);
        Wanted &wanted = *static_cast<Wanted *>(WaitQueue::data_of(*t));
        const uint32_t hit = wanted.in(all);
        if (hit == 0)
            continue;
        wanted.got = hit;
        if (wanted.consume)
            consumed |= hit;
        waiters_.wake(*t);
    }
    flags_ = all & ~consumed;
}

void Event::clear(uint32_t flags) {
    const IrqMask masked;
    flags_ = flags_ & ~flags;
}

void Event::reset(Status result) {
    const IrqLock lock;
    flags_ = 0;
    waiters_.wake_all(lock, result);
}

} // namespace rtos
