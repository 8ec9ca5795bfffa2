// SPDX-License-Identifier: BSD-3-Clause
// Timers but for their interrupt; compiled for size.
#include "timer_queue.hpp"

#include <rtos/irq_lock.hpp>

namespace rtos {

void TimerQueue::begin() {
    keep_alive_.periodic_ = true;
    keep_alive_.period_ = keep_alive_period.ticks;
    keep_alive_.place_ = Timer::Place::list;
    keep_alive_.deadline_ = now() + keep_alive_period;
    first_ = last_ = &keep_alive_;
    length_ = 1;
    arm(keep_alive_.deadline_);
}

void TimerQueue::kept_alive(void *queue) {
    static_cast<TimerQueue *>(queue)->now();
    scheduler.account();
}

// The hardware timer may be coarser than the counter, so port::timer_arm rounds up. Should an
// interrupt come early all the same, it arms for what is left, until the counter has passed the deadline.
[[gnu::noinline]] void TimerQueue::arm(Time deadline) {
    const uint32_t start = port::counter();
    const int32_t left = static_cast<int32_t>(low(deadline) - start);
    expiry_ = start + port::timer_arm(left > 0 ? static_cast<uint32_t>(left) : 0); // 0: as soon as it can
}

// Without a look at the hardware.
void TimerQueue::insert(Timer &t, Time deadline) {
    if (last_->deadline_ <= deadline && (length_ == longest || !heap_.empty()))
        return heap_.insert(t, deadline);
    t.deadline_ = deadline;
    if (deadline < first_->deadline_) {
        link_first(t);
    } else {
        Timer *after = last_;
        while (deadline < after->deadline_)
            after = before(*after);
        link_behind(*after, t);
    }
    if (length_ <= longest)
        return;
    Timer &moved = *last_;
    unlink(moved);
    heap_.insert(moved, moved.deadline_);
}

[[gnu::noinline]] void TimerQueue::link_behind(Timer &after, Timer &t) {
    Timer *const next = behind(after);
    before(t) = &after;
    behind(t) = next;
    behind(after) = &t;
    (next ? before(*next) : last_) = &t;
    t.place_ = Timer::Place::list;
    ++length_;
}

// From the list, of which it is not all.
[[gnu::noinline]] void TimerQueue::unlink(Timer &t) {
    Timer *const next = behind(t);
    Timer *const previous = before(t);
    (&t == first_ ? first_ : behind(*previous)) = next;
    (next ? before(*next) : last_) = previous;
    t.place_ = Timer::Place::none;
    --length_;
}

[[gnu::noinline]] void TimerQueue::remove(Timer &t) {
    if (t.place_ == Timer::Place::heap)
        return heap_.remove(t);
    if (first_ == last_)
        refill();
    unlink(t);
}

// The heap is not empty.
void TimerQueue::refill() {
    Timer &t = *heap_.first();
    heap_.remove(t);
    link_behind(*last_, t);
}

void TimerQueue::finish() {
    while (unfinished() && !port::irq_save()) {
        if (!heap_.settled())
            heap_.step();
        else if (unfinished())
            refill();
        port::irq_enable();
    }
}

void TimerQueue::start(Timer &t, Time deadline) {
    if (t.active())
        remove(t);
    if (deadline + keep_alive_period < Time{now_})
        deadline = Time{now_};
    insert(t, deadline);
    // An interrupt that comes before is early for nothing, and arms.
    if (first_ == &t && is_after(expiry_, low(deadline)))
        arm(deadline);
}

[[gnu::noinline]] bool TimerQueue::stop(Timer &t) {
    if (!t.active())
        return false;
    // The hardware stays armed: one interrupt that finds nothing to do costs less than arming here.
    remove(t);
    return true;
}

// The first one, t, which has expired: it is periodic, or the list's last. A periodic one starts again, but
// not in the past.
void TimerQueue::take_slowly(Timer &t) {
    Time next = t.deadline_ + Duration{t.period_};
    if (t.periodic_) {
        if (next <= now()) {
            const uint64_t period = static_cast<uint64_t>(t.period_);
            const uint64_t left_out = (now_ - next.ticks) / period + 1;
            t.overruns_ += static_cast<uint32_t>(left_out);
            next.ticks += left_out * period;
        }
        const Timer *const second = behind(t);
        if (second ? next < second->deadline_ : heap_.empty()) {
            t.deadline_ = next;
            return;
        }
    }
    remove(t);
    if (t.periodic_)
        insert(t, next);
}

Time now() {
    const IrqMask masked;
    return timer_queue.now();
}

void Timer::start(Time deadline) {
    start(deadline, {});
}

void Timer::start(Time deadline, Duration period) {
    {
        const IrqMask masked;
        period_ = period.ticks > 0 ? period.ticks : 0;
        periodic_ = period.ticks > 0;
        overruns_ = 0;
        timer_queue.start(*this, deadline);
    }
    timer_queue.finish();
}

void Timer::start_after(Duration delay, Duration period) {
    const IrqMask masked;
    start(after(delay), period);
}

bool Timer::stop() {
    bool was;
    {
        const IrqMask masked;
        was = timer_queue.stop(*this);
    }
    timer_queue.finish();
    return was;
}

} // namespace rtos
