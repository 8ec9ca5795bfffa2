// SPDX-License-Identifier: BSD-3-Clause
#include "timer_queue.hpp"

#include <rtos/irq_lock.hpp>

namespace rtos {

constinit TimerQueue timer_queue;

// Bounds the masked stretch of one interrupt. What else has expired comes with the next one,
// as soon as the hardware timer can raise it.
static constexpr unsigned handlers_per_interrupt = 8;

void TimerQueue::begin() {
    now();
    arm();
}

// The hardware timer may be coarser than the clock and shorter than a delay, so it is armed for
// what is left until the clock has passed the first deadline. port::timer_arm rounds up: an
// expiry is never early by rounding, only by reaching port::timer_longest.
void TimerQueue::arm() {
    const Time start = now();
    uint32_t ticks = port::timer_longest;
    if (const Timer *first = heap_.first()) {
        if (first->deadline() <= start)
            ticks = 1;
        else if (const uint64_t left = first->deadline().ticks - start.ticks; left < ticks)
            ticks = static_cast<uint32_t>(left);
    }
    expiry_ = start + Duration{port::timer_arm(ticks)};
}

void TimerQueue::start(Timer &t, Time deadline) {
    if (t.active_)
        heap_.remove(t);
    heap_.insert(t, deadline);
    if (heap_.first() == &t)
        arm();
}

bool TimerQueue::stop(Timer &t) {
    if (!t.active_)
        return false;
    // The hardware stays armed: one interrupt that finds nothing to do costs less than arming here.
    heap_.remove(t);
    return true;
}

void TimerQueue::interrupt() {
    port::timer_acknowledge();
    record_ = {expiry_, now()};
    const Time entry = record_.entry;
    for (unsigned n = 0; n < handlers_per_interrupt; ++n) {
        Timer *const t = heap_.first();
        if (!t || t->deadline_ > entry)
            break;
        heap_.remove(*t);
        t->handler_(t->argument_);
    }
    arm();
}

Time now() {
    const IrqLock lock;
    return timer_queue.now();
}

void Timer::start(Time deadline) {
    const IrqLock lock;
    timer_queue.start(*this, deadline);
}

bool Timer::stop() {
    const IrqLock lock;
    return timer_queue.stop(*this);
}

TimerInterrupt timer_interrupt() {
    const IrqLock lock;
    return timer_queue.interrupt_record();
}

} // namespace rtos
