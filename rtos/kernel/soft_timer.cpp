// SPDX-License-Identifier: BSD-3-Clause
#include "soft_timer.hpp"

#include <rtos/irq_lock.hpp>
#include <rtos/thread.hpp>

namespace rtos {

constinit TimerThread timer_thread;

void SoftTimer::run(void *) {
    for (;;) {
        Handler handler;
        void *argument;
        {
            const IrqLock lock;
            while (!timer_thread.expired.linked())
                (void)timer_thread.waits.wait(lock, Time::never());
            SoftTimer &t = static_cast<SoftTimer &>(*timer_thread.expired.next());
            t.unlink();
            t.active_ = t.expiry_.active(); // it is periodic
            handler = t.handler_;
            argument = t.argument_;
        }
        handler(argument); // which may be the end of the timer
    }
}

static constexpr size_t stack = 8192;
static constinit Thread thread{"timer", soft_timer_priority, SoftTimer::run};

void SoftTimer::expired(void *timer) {
    SoftTimer &t = *static_cast<SoftTimer *>(timer);
    if (t.linked()) {
        t.missed_ = t.missed_ + 1;
        return;
    }
    timer_thread.expired.insert_before(t);
    timer_thread.waits.wake_first();
}

void SoftTimer::start(Time deadline, Duration period) {
    const IrqLock lock;
    unlink();
    active_ = true;
    expiry_.start(deadline, period);
}

bool SoftTimer::stop() {
    const IrqLock lock;
    const bool was = active_;
    active_ = false;
    expiry_.stop();
    unlink();
    return was;
}

Status soft_timers_start() {
    return thread.start(stack);
}

} // namespace rtos
