// SPDX-License-Identifier: BSD-3-Clause
#include "timer_queue.hpp"

#include <rtos/irq_lock.hpp>

namespace rtos {

constinit TimerQueue timer_queue;
constinit TimerInterrupt detail::timer_interrupt = {};

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
[[gnu::noinline]] void TimerQueue::repeat(Timer &t) {
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

void TimerQueue::interrupt(void *queue) {
    TimerQueue &self = *static_cast<TimerQueue *>(queue);
    const uint32_t entry = port::counter();
    port::timer_acknowledge();
    detail::timer_interrupt = {self.expiry_, entry};
    Timer *t = &self.first();
    for (unsigned n = 0; !is_after(low(t->deadline_), entry);) {
        self.remove(*t);
        if (t->period_ != 0)
            self.repeat(*t);
        t->handler_(t->argument_);
        t = &self.first();
        if (++n == handlers_per_interrupt || is_after(low(t->deadline_), entry) ||
            port::counter() - entry > longest_burst)
            break;
    }
    self.arm(*t);
}

Time now() {
    const IrqMask masked;
    return timer_queue.now();
}

void Timer::start(Time deadline) {
    const IrqMask masked;
    period_ = 0;
    timer_queue.put<true>(*this, deadline);
}

void Timer::start(Time deadline, Duration period) {
    const IrqMask masked;
    period_ = period.ticks > 0 ? period.ticks : 0;
    overruns_ = 0;
    timer_queue.put<true>(*this, deadline);
}

void Timer::start_after(Duration delay, Duration period) {
    const IrqMask masked;
    period_ = period.ticks;
    const Time deadline = timer_queue.now() + delay;
    timer_queue.put<false>(*this, deadline);
}

bool Timer::stop() {
    const IrqMask masked;
    return timer_queue.take_out(*this);
}

} // namespace rtos
