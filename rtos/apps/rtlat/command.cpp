// SPDX-License-Identifier: BSD-3-Clause
// The command rtlat of the RTOS's own shell: runs without Linux, or beside one that does not know of them.
#include "rtlat.hpp"

#include <finsh.h>
#include <rtos/log.hpp>

using namespace rtos;
using rtlat::meter;

namespace {

constexpr uint32_t standard_interval_us = 100, standard_samples = 100'000;

uint32_t nanoseconds(uint64_t ticks) {
    return static_cast<uint32_t>(Duration{static_cast<int64_t>(ticks)}.nanoseconds());
}

uint32_t average(const rtmux_latency &l) {
    if (l.count == 0)
        return 0;
    return static_cast<uint32_t>(Duration{static_cast<int64_t>(l.sum)}.nanoseconds() /
                                 static_cast<int64_t>(l.count));
}

// Digits and nothing else, below 2^32.
bool number(const char *text, uint32_t &value) {
    uint64_t sum = 0;
    if (!text || !*text)
        return false;
    for (; *text; text++) {
        if (*text < '0' || *text > '9' || (sum = sum * 10 + static_cast<uint64_t>(*text - '0')) > UINT32_MAX)
            return false;
    }
    value = static_cast<uint32_t>(sum);
    return true;
}

bool parse(rtlat_run &run, int count, char **words) {
    for (int i = 1; i < count; i += 2) {
        if (words[i][0] != '-' || words[i][1] == 0 || words[i][2] != 0)
            return false;
        uint32_t *const value = words[i][1] == 'i'   ? &run.interval_us
                                : words[i][1] == 'p' ? &run.priority
                                : words[i][1] == 'n' ? &run.samples
                                                     : nullptr;
        if (!value || !number(words[i + 1], *value))
            return false;
    }
    return true;
}

void say(const char *what, const rtmux_latency &l) {
    log_now(
        "rtlat: %s ns: min %u avg %u max %u; 99%% %u, 99.9%% %u, 99.99%% %u, 99.999%% %u", what,
        l.count ? nanoseconds(l.min) : 0, average(l), nanoseconds(l.max),
        nanoseconds(rtmux_latency_percentile(&l, 99000)), nanoseconds(rtmux_latency_percentile(&l, 99900)),
        nanoseconds(rtmux_latency_percentile(&l, 99990)), nanoseconds(rtmux_latency_percentile(&l, 99999)));
}

void report() {
    static rtmux_measurement m;
    static LatencyMeter::Worst worst;
    const LatencyMeter::Run &run = meter.run();
    const bool running = meter.running();
    meter.copy(m, worst);
    log_now("rtlat: run %u %s, every %u us, priority %u: %u samples, %u missed", meter.run_number(),
            running            ? "is on"
            : meter.complete() ? "is complete"
                               : "was stopped",
            run.interval_us, run.priority, static_cast<uint32_t>(m.periods), static_cast<uint32_t>(m.missed));
    say("isr", m.isr);
    say("thread", m.thread);
    log_now("rtlat: worst was sample %u; the guest: %s mode, pc %08x, exit %u, last hypercall %u, last fault "
            "%03x",
            worst.sample.number, worst.guest.user_mode ? "user" : "kernel", worst.guest.pc, worst.guest.exit,
            worst.guest.last_hypercall, worst.guest.last_status);
}

} // namespace

extern "C" int rtlat_command(int count, char **words) {
    if (count == 2 && __builtin_strcmp(words[1], "stop") == 0) {
        meter.stop();
        count = 1;
    }
    if (count == 1) {
        if (meter.run_number() == 0)
            log_now("rtlat: there was no run yet");
        else
            report();
        return 0;
    }
    rtlat_run run = {standard_interval_us, 1, standard_samples, 0};
    if (!parse(run, count, words)) {
        log_now("rtlat [stop | [-i US] [-p PRIORITY] [-n SAMPLES, 0: until stop]]");
        return 1;
    }
    switch (rtlat::start_run(run)) {
    case RTLAT_OK:
        log_now("rtlat: started; rtlat shows how it goes");
        return 0;
    case RTLAT_BAD_INTERVAL:
        log_now("rtlat: the interval is from %u to %u us", LatencyMeter::least_interval_us,
                LatencyMeter::most_interval_us);
        return 1;
    case RTLAT_BAD_PRIORITY:
        log_now("rtlat: the priority is from 0 to %u", LatencyMeter::worst_priority);
        return 1;
    case RTLAT_BUSY:
        log_now("rtlat: a run is on; rtlat stop ends it");
        return 1;
    default:
        log_now("rtlat: no memory for its thread");
        return 1;
    }
}
// clang-format off
MSH_CMD_EXPORT_ALIAS(rtlat_command, rtlat, [stop | [-i US] [-p PRIORITY] [-n SAMPLES]]: measure latency)
// clang-format on
