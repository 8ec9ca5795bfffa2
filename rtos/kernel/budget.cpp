// SPDX-License-Identifier: BSD-3-Clause
// Budgets without a look at any switch: nobody uses time faster than it passes, so the earliest moment at
// which a budget can be used up is known, and a timer looks then. If less was used, there is a later such
// moment.
#include <rtos/budget.hpp>

#include "scheduler.hpp"
#include "timer_queue.hpp"

#include <rtos/irq_lock.hpp>

namespace rtos {

// Of all threads, the one there may be.
static constinit Budget *total = nullptr;

// The guest's thread, which is always ready, goes before all others of this priority. IRQs masked.
void Scheduler::place_idle(unsigned priority) {
    unready(*idle_);
    idle_->priority_ = idle_->base_priority_ = static_cast<uint8_t>(priority);
    set_.add(priority);
    ready_[priority].insert_after(*idle_);
    need_resched_ = 1;
}

// Ticks on the processor: the thread's, or all that the idle thread did not have. IRQs masked.
uint64_t Budget::consumed() const {
    if (thread_)
        return Scheduler::run_ticks(*thread_);
    const uint64_t idle = Scheduler::run_ticks(scheduler.idle());
    return timer_queue.now().ticks - idle;
}

Duration Budget::used() const {
    const IrqLock lock;
    return on_ ? Duration{static_cast<int64_t>(consumed() - base_)} : Duration{};
}

bool Budget::gone() const {
    return thread_ && thread_->has_ended();
}

// For the earliest moment at which it can be used up, unless the period ends before.
void Budget::arm() {
    const Duration left = runtime_ - Duration{static_cast<int64_t>(consumed() - base_)};
    const Time at = timer_queue.now() + (left < runtime_min ? runtime_min : left);
    if (at < period_timer_.deadline())
        look_timer_.start(at);
}

void Budget::throttle(bool on) {
    throttled_ = on;
    if (!thread_)
        scheduler.place_idle(on ? priority_ : idle_priority);
    else if (on)
        scheduler.suspend(*thread_, Thread::wake_throttled);
    else
        scheduler.resume(*thread_, Thread::wake_throttled);
}

void Budget::look(void *of) {
    Budget &self = *static_cast<Budget *>(of);
    if (self.gone())
        return;
    if (static_cast<int64_t>(self.consumed() - self.base_) < self.runtime_.ticks)
        return self.arm();
    ++self.overruns_;
    if (self.overrun_ == Overrun::throttle)
        self.throttle(true);
    if (self.hook_)
        self.hook_(self, self.argument_);
}

void Budget::period_begins(void *of) {
    Budget &self = *static_cast<Budget *>(of);
    self.look_timer_.stop();
    if (self.gone()) {
        self.period_timer_.stop();
        self.on_ = self.throttled_ = false;
        return;
    }
    self.base_ = self.consumed();
    if (self.throttled_)
        self.throttle(false);
    self.arm();
}

Status Budget::begin(Thread *thread, Duration runtime, Duration period) {
    if (on_ || runtime < runtime_min || runtime > period || period < period_min || period > period_max)
        return Status::invalid;
    thread_ = thread;
    runtime_ = runtime;
    overruns_ = 0;
    on_ = true;
    base_ = consumed();
    period_timer_.start(timer_queue.now() + period, period);
    arm();
    return Status::ok;
}

Status Budget::start(Thread &thread, Duration runtime, Duration period) {
    const IrqLock lock;
    if (!thread.changeable())
        return Status::invalid;
    return begin(&thread, runtime, period);
}

Status Budget::start_total(Duration runtime, Duration period, unsigned priority) {
    const IrqLock lock;
    if (total || priority >= idle_priority)
        return Status::invalid;
    priority_ = static_cast<uint8_t>(priority);
    const Status result = begin(nullptr, runtime, period);
    if (result == Status::ok)
        total = this;
    return result;
}

Status Budget::stop() {
    const IrqLock lock;
    if (!on_)
        return Status::invalid;
    on_ = false;
    period_timer_.stop();
    look_timer_.stop();
    if (throttled_ && !gone())
        throttle(false);
    throttled_ = false;
    if (total == this)
        total = nullptr;
    return Status::ok;
}

} // namespace rtos
