// SPDX-License-Identifier: BSD-3-Clause
#include "timer_queue.hpp"

#include <rtos/irq_lock.hpp>

namespace rtos {

constinit TimerQueue timer_queue;
constinit TimerInterrupt detail::timer_interrupt = {};

// Bounds the masked stretch of one interrupt. What else has expired comes with the next one,
// as soon as the hardware timer can raise it.
static constexpr unsigned handlers_per_interrupt = 8;

void TimerQueue::begin() {
    arm();
}

// The hardware timer may be coarser than the counter, so port::timer_arm rounds up. Should an
// interrupt come early all the same, it arms for what is left, until the counter has passed the
// deadline.
[[gnu::always_inline]] inline void TimerQueue::arm() {
    const Timer *const t = first();
    const uint64_t start = now().ticks;
    uint32_t delay = longest_delay;
    if (t) {
        const int64_t left = static_cast<int64_t>(t->deadline_.ticks - start);
        if (left < longest_delay)
            delay = left > 0 ? static_cast<uint32_t>(left) : 1;
    }
    expiry_ = start + port::timer_arm(delay);
}

[[gnu::always_inline]] inline void TimerQueue::remove(Timer &t) {
    if (&t == front_) {
        front_ = nullptr;
        t.active_ = false;
    } else {
        heap_.remove(t);
    }
}

void TimerQueue::start(Timer &t, Time deadline) {
    if (t.active_)
        remove(t);
    const Timer *const next = first();
    if (next && next->deadline_ <= deadline) {
        heap_.insert(t, deadline);
        return;
    }
    if (front_)
        heap_.insert(*front_, front_->deadline_);
    t.deadline_ = deadline;
    t.active_ = true;
    front_ = &t;
    // An interrupt that comes before is early for nothing, and arms.
    if (deadline.ticks < expiry_)
        arm();
}

bool TimerQueue::stop(Timer &t) {
    if (!t.active_)
        return false;
    // The hardware stays armed: one interrupt that finds nothing to do costs less than arming here.
    remove(t);
    return true;
}

// The periodic t, which has expired and is out of the queue, starts again, but not in the past.
[[gnu::noinline]] void TimerQueue::repeat(Timer &t) {
    const uint64_t period = static_cast<uint64_t>(t.period_);
    uint64_t deadline = t.deadline_.ticks + period;
    if (deadline <= now_) {
        const uint64_t left_out = (now_ - deadline) / period + 1;
        t.overruns_ += static_cast<uint32_t>(left_out);
        deadline += left_out * period;
    }
    const Timer *const next = first();
    if (front_ || (next && next->deadline_.ticks <= deadline)) {
        heap_.insert(t, {deadline});
        return;
    }
    t.deadline_ = {deadline};
    t.active_ = true;
    front_ = &t;
}

void TimerQueue::interrupt(void *queue) {
    TimerQueue &self = *static_cast<TimerQueue *>(queue);
    const Time entry = self.now();
    port::timer_acknowledge();
    detail::timer_interrupt = {static_cast<uint32_t>(self.expiry_), static_cast<uint32_t>(entry.ticks)};
    for (unsigned n = 0; n < handlers_per_interrupt; ++n) {
        Timer *const t = self.first();
        if (!t || t->deadline_ > entry)
            break;
        self.remove(*t);
        if (t->period_ != 0)
            self.repeat(*t);
        t->handler_(t->argument_);
    }
    self.arm();
    scheduler.account_before_wrap(static_cast<uint32_t>(entry.ticks));
}

Time now() {
    const IrqMask masked;
    return timer_queue.now();
}

void Timer::start(Time deadline, Duration period) {
    const IrqMask masked;
    period_ = period.ticks > 0 ? period.ticks : 0;
    overruns_ = 0;
    timer_queue.start(*this, deadline);
}

bool Timer::stop() {
    const IrqMask masked;
    return timer_queue.stop(*this);
}

} // namespace rtos
