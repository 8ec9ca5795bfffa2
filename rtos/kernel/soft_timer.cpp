// SPDX-License-Identifier: BSD-3-Clause
#include <rtos/soft_timer.hpp>

#include <rtos/irq_lock.hpp>
#include <rtos/thread.hpp>
#include <rtos/wait_queue.hpp>

namespace rtos {

// Expired and not handled yet.
static constinit Link expired_timers;
static constinit WaitQueue timer_thread_waits;

void SoftTimer::run(void *) {
    for (;;) {
        Handler handler;
        void *argument;
        {
            const IrqLock lock;
            while (!expired_timers.linked())
                (void)timer_thread_waits.wait(lock, Time::never());
            SoftTimer &t = static_cast<SoftTimer &>(*expired_timers.next());
            t.unlink();
            t.active_ = t.expiry_.active(); // it is periodic
            handler = t.handler_;
            argument = t.argument_;
        }
        handler(argument); // which may be the end of the timer
    }
}

static constinit Thread timer_thread{"timer", soft_timer_priority, SoftTimer::run};

void SoftTimer::expired(void *timer) {
    SoftTimer &t = *static_cast<SoftTimer *>(timer);
    if (t.linked()) {
        t.missed_ = t.missed_ + 1;
        return;
    }
    expired_timers.insert_before(t);
    timer_thread_waits.wake_first();
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

Status soft_timers_start(size_t stack_bytes) {
    return timer_thread.start(stack_bytes);
}

} // namespace rtos
