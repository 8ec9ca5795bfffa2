// SPDX-License-Identifier: BSD-3-Clause
// latency: a periodic thread, measured from its timer's expiry to its first instruction, shown while it runs.
#include <rtos/latency_meter.hpp>

#include "shell.hpp"

namespace rtos::shell {

namespace {

constinit LatencyMeter meter{"latency"};
constinit rtmux_measurement seen; // of 4 KiB: not on a stack; whoever started the meter has it
constinit std::atomic<bool> taken{false};

uint32_t nanoseconds(uint64_t ticks) {
    return static_cast<uint32_t>(Duration{static_cast<int64_t>(ticks)}.nanoseconds());
}

struct Options {
    LatencyMeter::Run run;
    bool histogram = false;
};

bool parse(Options &o, int count, char **words) {
    for (int i = 1; i < count; ++i) {
        const char *const w = words[i];
        if (__builtin_strcmp(w, "-h") == 0)
            o.histogram = true;
        else if (__builtin_strcmp(w, "-i") == 0 &&
                 parse_number(words[i + 1], LatencyMeter::least_interval_us, LatencyMeter::most_interval_us,
                              o.run.interval_us))
            ++i;
        else if (__builtin_strcmp(w, "-p") == 0 &&
                 parse_number(words[i + 1], 0, LatencyMeter::worst_priority, o.run.priority))
            ++i;
        else if (__builtin_strcmp(w, "-n") == 0 && parse_number(words[i + 1], 1, UINT32_MAX, o.run.samples))
            ++i;
        else
            return false;
    }
    return true;
}

void print_line(Shell &shell, const LatencyMeter::Run &run, const char *end) {
    meter.copy(seen);
    const rtmux_latency &l = seen.thread;
    // The sum of an hour's samples has more than 32 bits.
    const int64_t sum = Duration{static_cast<int64_t>(l.sum)}.nanoseconds();
    const auto average = static_cast<uint32_t>(l.count ? sum / static_cast<int64_t>(l.count) : 0);
    shell.print("\r\x1b[Klatency: prio %u interval %u us samples %u min %u avg %u max %u ns missed %u%s",
                run.priority, run.interval_us, l.count, l.count ? nanoseconds(l.min) : 0, average,
                nanoseconds(l.max), static_cast<uint32_t>(seen.missed), end);
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
        shell.print("latency [-i US: %u to %u] [-p PRIORITY: 0 to %u] [-n SAMPLES] [-h]\n",
                    LatencyMeter::least_interval_us, LatencyMeter::most_interval_us,
                    LatencyMeter::worst_priority);
        return 1;
    }
    if (taken.exchange(true)) {
        shell.print("latency: runs already\n");
        return 1;
    }
    if (meter.start(o.run) != Status::ok) {
        shell.print("latency: there is no memory for its thread\n");
        taken = false;
        return 1;
    }
    while (meter.running() && !shell.cancelled_before(now() + milliseconds(250)))
        print_line(shell, o.run, "");
    meter.stop();
    print_line(shell, o.run, "\n");
    if (o.histogram)
        print_histogram(shell, seen.thread);
    taken = false;
    return 0;
}

} // namespace rtos::shell
