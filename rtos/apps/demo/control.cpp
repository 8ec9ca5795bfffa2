// SPDX-License-Identifier: BSD-3-Clause
// The periodic thread and its latency record.
#include "demo.hpp"

#include <rtos/irq_lock.hpp>
#include <rtos/semaphore.hpp>
#include <rtos/thread.hpp>

namespace demo {

using namespace rtos;

static constexpr Duration period = microseconds(500);

static void expired(void *);

// What the way from the interrupt to the thread needs, in few lines of the cache.
struct Due {
    Timer timer;
    TimerInterrupt released_by{}; // written by the timer's handler, before release
    Semaphore release;

    constexpr Due() : timer(expired, nullptr) {}
};
alignas(64) [[gnu::section(".data.hot")]] static constinit Due due;
static constinit rtmux_measurement record;

[[gnu::hot]] static void expired(void *) {
    due.released_by = timer_interrupt();
    (void)due.release.release();
}

// Ticks of the clock's low bits. The counter is read just before the timer starts, not in the same
// cycle, so a sample of nothing at all may come out negative by a tick.
static uint32_t latency(uint32_t from, uint32_t to) {
    const uint32_t ticks = to - from;
    return static_cast<int32_t>(ticks) > 0 ? ticks : 0;
}

[[gnu::hot]] static void control(void *) {
    Time deadline = now() + period;
    for (;;) {
        due.timer.start(deadline);
        (void)due.release.take();
        const Time begin = now();
        const TimerInterrupt interrupt = due.released_by;
        {
            const IrqLock lock;
            rtmux_latency_add(&record.isr, latency(interrupt.expiry, interrupt.entry));
            rtmux_latency_add(&record.thread, latency(interrupt.expiry, static_cast<uint32_t>(begin.ticks)));
            ++record.periods;
        }
        // The job ends here. A deadline that has passed meanwhile, or that passed by more than a
        // period before the release came, is a missed one; the loop goes on in phase.
        deadline = deadline + period;
        for (const Time end = now(); deadline <= end; deadline = deadline + period) {
            const IrqLock lock;
            ++record.missed;
        }
    }
}

alignas(64) [[gnu::section(".data.hot")]] static constinit Thread thread{"control", 0, control};

Status start_control() {
    rtmux_measurement_reset(&record, port::counter_hz, static_cast<uint32_t>(period.ticks));
    return thread.start(4096);
}

static uint64_t periods() {
    const IrqLock lock;
    return record.periods;
}

// Readers have a lower priority than the writer. Rather than masking IRQs for a copy of 4 KiB,
// repeat it until no period came in between.
void measurement(rtmux_measurement &copy) {
    uint64_t before;
    do {
        before = periods();
        copy = record;
    } while (periods() != before);
}

} // namespace demo
