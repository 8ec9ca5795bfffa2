// SPDX-License-Identifier: BSD-3-Clause
#include "timer_queue.hpp"

#include "scheduler.hpp"

#include <rtos/irq_lock.hpp>

namespace rtos {

constinit TimerQueue timer_queue;
constinit TimerInterrupt detail::timer_interrupt = {};

// Bounds the masked stretch of one interrupt. What else has expired comes with the next one,
// as soon as the hardware timer can raise it.
static constexpr unsigned handlers_per_interrupt = 8;

static uint32_t low(Time t) {
    return static_cast<uint32_t>(t.ticks);
}

void TimerQueue::begin() {
    heap_.insert(keep_alive_, now() + keep_alive_period);
    arm();
}

void TimerQueue::kept_alive(void *queue) {
    TimerQueue &self = *static_cast<TimerQueue *>(queue);
    self.heap_.insert(self.keep_alive_, self.now() + keep_alive_period); // interrupt() arms
    scheduler.account();
}

// The hardware timer may be coarser than the counter, so port::timer_arm rounds up. Should an
// interrupt come early all the same, it arms for what is left, until the counter has passed the
// deadline.
[[gnu::always_inline]] inline void TimerQueue::arm() {
    const uint32_t start = port::counter();
    const int32_t left = static_cast<int32_t>(low(first().deadline_) - start);
    expiry_ = start + port::timer_arm(left > 0 ? static_cast<uint32_t>(left) : 1);
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
    if (first().deadline_ <= deadline) {
        heap_.insert(t, deadline);
        return;
    }
    if (front_)
        heap_.insert(*front_, front_->deadline_);
    t.deadline_ = deadline;
    t.active_ = true;
    front_ = &t;
    arm();
}

bool TimerQueue::stop(Timer &t) {
    if (!t.active_)
        return false;
    // The hardware stays armed: one interrupt that finds nothing to do costs less than arming here.
    remove(t);
    return true;
}

void TimerQueue::interrupt(void *queue) {
    TimerQueue &self = *static_cast<TimerQueue *>(queue);
    const uint32_t entry = port::counter();
    port::timer_acknowledge();
    detail::timer_interrupt = {self.expiry_, entry};
    for (unsigned n = 0; n < handlers_per_interrupt; ++n) {
        Timer &t = self.first();
        if (static_cast<int32_t>(low(t.deadline_) - entry) > 0)
            break;
        self.remove(t);
        t.handler_(t.argument_);
    }
    self.arm();
}

Time now() {
    const IrqLock lock;
    return timer_queue.now();
}

void Timer::start(Time deadline, Duration) {
    const IrqLock lock;
    timer_queue.start(*this, deadline);
}

bool Timer::stop() {
    const IrqLock lock;
    return timer_queue.stop(*this);
}

} // namespace rtos
