// SPDX-License-Identifier: BSD-3-Clause
// Timers but for their interrupt; compiled for size.
#include "timer_queue.hpp"

#include <rtos/irq_lock.hpp>

namespace rtos {

// Both bound the masked stretch of one interrupt. What else has expired comes with the next one,
// as soon as the hardware timer can raise it.
static constexpr unsigned handlers_per_interrupt = 8;
static constexpr uint32_t longest_burst = microseconds(2).ticks;

void TimerQueue::begin() {
    heap_.insert(keep_alive_, now() + keep_alive_period);
    arm(keep_alive_);
}

void TimerQueue::kept_alive(void *queue) {
    TimerQueue &self = *static_cast<TimerQueue *>(queue);
    self.heap_.insert(self.keep_alive_, self.now() + keep_alive_period); // interrupt() arms
    scheduler.account();
}

void TimerQueue::start(Timer &t, Time deadline) {
    put<true>(t, deadline);
}

bool TimerQueue::stop(Timer &t) {
    return take_out(t);
}

// The periodic t, which has expired and is out of the queue, starts again, but not in the past.
void TimerQueue::repeat(Timer &t) {
    const uint64_t period = static_cast<uint64_t>(t.period_);
    Time deadline = t.deadline_ + Duration{t.period_};
    if (deadline <= now()) {
        const uint64_t left_out = (now_ - deadline.ticks) / period + 1;
        t.overruns_ += static_cast<uint32_t>(left_out);
        deadline.ticks += left_out * period;
    }
    if (front_ || first().deadline_ <= deadline) {
        heap_.insert(t, deadline);
        return;
    }
    t.deadline_ = deadline;
    t.active_ = true;
    front_ = &t;
}

// More of them are due at once. Returns the first that is not served.
Timer &TimerQueue::expire_more(Timer &first_due, uint32_t entry) {
    Timer *t = &first_due;
    for (unsigned n = 1; n < handlers_per_interrupt && !is_after(low(t->deadline_), entry) &&
                         port::counter() - entry <= longest_burst;
         ++n) {
        expire(*t, entry);
        t = &first();
    }
    return *t;
}

TimerInterrupt timer_interrupt() {
    return timer_queue.served();
}

Time now() {
    const IrqMask masked;
    return timer_queue.now();
}

void Timer::start(Time deadline) {
    const IrqMask masked;
    period_ = 0;
    periodic_ = false;
    timer_queue.start(*this, deadline);
}

void Timer::start(Time deadline, Duration period) {
    const IrqMask masked;
    period_ = period.ticks > 0 ? period.ticks : 0;
    periodic_ = period.ticks > 0;
    overruns_ = 0;
    timer_queue.start(*this, deadline);
}

void Timer::start_after(Duration delay, Duration period) {
    const IrqMask masked;
    start(after(delay), period);
}

bool Timer::stop() {
    const IrqMask masked;
    return timer_queue.stop(*this);
}

} // namespace rtos
