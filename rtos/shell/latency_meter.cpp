// SPDX-License-Identifier: BSD-3-Clause
#include <rtos/guest.hpp>
#include <rtos/irq_lock.hpp>
#include <rtos/latency_meter.hpp>

namespace rtos {

// Ticks of the clock's low bits. The counter is read just before the timer starts, not in the same
// cycle, so a sample of nothing at all may come out negative by a tick.
static uint32_t latency(uint32_t from, uint32_t to) {
    const uint32_t ticks = to - from;
    return static_cast<int32_t>(ticks) > 0 ? ticks : 0;
}

Status LatencyMeter::start(const Run &run) {
    if (run.interval_us < least_interval_us || run.interval_us > most_interval_us ||
        run.priority > worst_priority)
        return Status::invalid;
    if (running_.exchange(true))
        return Status::busy;
    Status status = Status::ok;
    if (thread_.state() == Thread::State::created)
        status = thread_.start(stack_bytes);
    if (status == Status::ok)
        status = thread_.set_priority(run.priority);
    if (status != Status::ok) {
        running_ = false;
        return status;
    }
    run_ = run;
    {
        const IrqLock lock;
        rtmux_measurement_reset(&record_, port::counter_hz,
                                static_cast<uint32_t>(microseconds(run.interval_us).ticks));
        worst_ = {};
        version_ = version_ + 1;
    }
    ++number_;
    stop_ = false;
    (void)job_.release();
    return Status::ok;
}

void LatencyMeter::stop() {
    stop_ = true;
    if (running_)
        (void)expired_.release();
    while (running_)
        (void)Thread::sleep_for(milliseconds(1));
}

Time LatencyMeter::between(Time earliest) const {
    const int64_t interval = microseconds(run_.interval_us).ticks;
    Time next;
    {
        const IrqMask masked; // 64 bits
        next = timer_.deadline();
    }
    const Time middle = next + Duration{interval / 2};
    if (!running_)
        return earliest;
    if (earliest < middle)
        return middle;
    return middle + Duration{((earliest - middle).ticks + interval - 1) / interval * interval};
}

void LatencyMeter::expired(void *meter) {
    LatencyMeter &m = *static_cast<LatencyMeter *>(meter);
    m.interrupt_ = timer_interrupt();
    (void)m.expired_.release();
}

void LatencyMeter::work(void *meter) {
    LatencyMeter &m = *static_cast<LatencyMeter *>(meter);
    for (;;) {
        (void)m.job_.take();
        m.measure();
        m.running_ = false;
    }
}

void LatencyMeter::measure() {
    const Duration interval = microseconds(run_.interval_us);
    const uint32_t overruns = timer_.overruns();
    timer_.start(now() + interval, interval);
    uint32_t left_out = 0;
    while (!stop_ && (run_.samples == 0 || record_.periods < run_.samples)) {
        (void)expired_.take();
        const auto begin = static_cast<uint32_t>(now().ticks);
        if (stop_)
            break;
        TimerInterrupt interrupt;
        uint32_t late;
        {
            const IrqLock lock;
            interrupt = interrupt_;
            late = expired_.count(); // expiries that came before this one was served: their times are gone
            const uint32_t since = timer_.overruns() - overruns;
            record_.missed += late + (since - left_out);
            left_out = since;
        }
        record(interrupt, begin);
        for (; late > 0; --late)
            (void)expired_.try_take();
    }
    timer_.stop();
    while (expired_.try_take())
        ;
}

void LatencyMeter::record(const TimerInterrupt &interrupt, uint32_t begin) {
    const Sample sample = {static_cast<uint32_t>(record_.periods), latency(interrupt.expiry, interrupt.entry),
                           latency(interrupt.expiry, begin)};
    rtmux_guest_context guest;
    const bool worst = record_.thread.count == 0 || sample.thread > record_.thread.max;
    if (worst)
        executive().guest_context(&guest);
    {
        const IrqLock lock;
        rtmux_latency_add(&record_.isr, sample.isr);
        rtmux_latency_add(&record_.thread, sample.thread);
        ++record_.periods;
        if (worst)
            worst_ = {sample, guest};
        version_ = version_ + 1;
    }
    if (observer_)
        observer_(sample);
}

// Rather than masking IRQs for a copy of 4 KiB, repeat it until no sample came in between.
void LatencyMeter::copy(rtmux_measurement &record, Worst &worst) const {
    uint32_t before;
    do {
        before = version_;
        record = record_;
        worst = worst_;
        asm volatile("" ::: "memory");
    } while (version_ != before);
}

void LatencyMeter::copy(rtmux_measurement &record) const {
    Worst worst;
    copy(record, worst);
}

} // namespace rtos
