// SPDX-License-Identifier: BSD-3-Clause
// latency: a periodic thread, measured from its timer's expiry to its first instruction, shown while it runs.
#include <atomic>
#include <rtmux/measurement.h>
#include <rtos/irq_lock.hpp>
#include <rtos/semaphore.hpp>
#include <rtos/thread.hpp>

#include "shell.hpp"

namespace rtos::shell {

namespace {

// One at a time; the thread is kept for the next.
class Meter {
  public:
    bool begin(unsigned priority, Duration interval, uint32_t samples) {
        if (busy_.exchange(true))
            return false;
        if ((thread_.state() == Thread::State::created && thread_.start(stack_bytes) != Status::ok) ||
            thread_.set_priority(priority) != Status::ok) {
            busy_ = false;
            return false;
        }
        rtmux_latency_reset(&record_);
        missed_ = 0;
        samples_ = samples;
        stop_ = false;
        done_ = false;
        interval_ = interval;
        (void)job_.release();
        return true;
    }
    bool done() const { return done_; }
    void end() {
        stop_ = true;
        while (!done_)
            (void)Thread::sleep_for(milliseconds(1));
        busy_ = false;
    }
    // Copied in one piece: the thread is above the reader, and counts its samples.
    rtmux_latency latencies() const {
        for (;;) {
            const uint32_t before = served_;
            const rtmux_latency copy = record_;
            if (before == served_)
                return copy;
        }
    }
    uint32_t missed() const { return missed_; }

  private:
    static constexpr size_t stack_bytes = 4096;

    static void expired(void *meter) {
        Meter &m = *static_cast<Meter *>(meter);
        m.interrupt_ = timer_interrupt();
        (void)m.expired_.release();
    }

    static void work(void *meter) {
        Meter &m = *static_cast<Meter *>(meter);
        for (;;) {
            (void)m.job_.take();
            m.measure();
            m.done_ = true;
        }
    }

    void measure() {
        timer_.start(now() + interval_, interval_);
        const uint32_t overruns = timer_.overruns();
        while (!stop_ && (samples_ == 0 || record_.count < samples_)) {
            (void)expired_.take();
            const auto begin = static_cast<uint32_t>(now().ticks);
            uint32_t expiry, late;
            {
                const IrqLock lock;
                expiry = interrupt_.expiry;
                late = expired_.count();
            }
            const uint32_t ticks = begin - expiry;
            rtmux_latency_add(&record_, static_cast<int32_t>(ticks) > 0 ? ticks : 0);
            served_ = served_ + 1;
            missed_ = missed_ + late; // periods that came while this one was waiting to be served
            for (; late > 0; --late)
                (void)expired_.try_take();
        }
        timer_.stop();
        missed_ = missed_ + (timer_.overruns() - overruns);
        while (expired_.try_take())
            ;
    }

    Thread thread_{"latency", 1, work, this};
    Timer timer_{expired, this};
    Semaphore job_, expired_;
    TimerInterrupt interrupt_{};
    Duration interval_{};
    uint32_t samples_ = 0;
    rtmux_latency record_{};
    volatile uint32_t served_ = 0, missed_ = 0;
    volatile bool stop_ = false, done_ = true;
    std::atomic<bool> busy_{false};
};

Meter meter;

uint32_t nanoseconds(uint64_t ticks) {
    return static_cast<uint32_t>(Duration{static_cast<int64_t>(ticks)}.nanoseconds());
}

struct Options {
    uint32_t interval = 1000, priority = 1, samples = 0;
    bool histogram = false;
};

bool parse(Options &o, int count, char **words) {
    for (int i = 1; i < count; ++i) {
        const char *const w = words[i];
        if (__builtin_strcmp(w, "-h") == 0)
            o.histogram = true;
        else if (__builtin_strcmp(w, "-i") == 0 && parse_number(words[i + 1], 20, 10'000'000, o.interval))
            ++i;
        else if (__builtin_strcmp(w, "-p") == 0 &&
                 parse_number(words[i + 1], 0, idle_priority - 3, o.priority))
            ++i;
        else if (__builtin_strcmp(w, "-n") == 0 && parse_number(words[i + 1], 1, UINT32_MAX, o.samples))
            ++i;
        else
            return false;
    }
    return true;
}

void print_line(Shell &shell, const Options &o, const rtmux_latency &l, const char *end) {
    // The sum of an hour's samples has more than 32 bits.
    const int64_t sum = Duration{static_cast<int64_t>(l.sum)}.nanoseconds();
    const auto average = static_cast<uint32_t>(l.count ? sum / static_cast<int64_t>(l.count) : 0);
    shell.print("\r\x1b[Klatency: prio %u interval %u us samples %u min %u avg %u max %u ns missed %u%s",
                o.priority, o.interval, l.count, l.count ? nanoseconds(l.min) : 0, average,
                nanoseconds(l.max), meter.missed(), end);
}

void print_histogram(Shell &shell, const rtmux_latency &l) {
    for (uint32_t bin = 0; bin < RTMUX_HISTOGRAM_BINS; ++bin)
        if (l.histogram[bin] != 0)
            shell.print("%7u ns %9u\n", nanoseconds(bin), l.histogram[bin]);
    if (l.overflow != 0)
        shell.print("%7u ns and more: %u\n", nanoseconds(RTMUX_HISTOGRAM_BINS), l.overflow);
}

} // namespace

int latency(Shell &shell, int count, char **words) {
    Options o;
    if (!parse(o, count, words)) {
        shell.print("latency [-i US: 20 to 10000000] [-p PRIORITY: 0 to %u] [-n SAMPLES] [-h]\n",
                    idle_priority - 3);
        return 1;
    }
    if (!meter.begin(o.priority, microseconds(o.interval), o.samples)) {
        shell.print("latency: runs already, or there is no memory\n");
        return 1;
    }
    while (!meter.done() && !shell.cancelled_before(now() + milliseconds(250)))
        print_line(shell, o, meter.latencies(), "");
    meter.end();
    const rtmux_latency result = meter.latencies();
    print_line(shell, o, result, "\n");
    if (o.histogram)
        print_histogram(shell, result);
    return 0;
}

} // namespace rtos::shell
