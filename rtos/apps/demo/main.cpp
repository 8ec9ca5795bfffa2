// SPDX-License-Identifier: BSD-3-Clause
#include "demo.hpp"

#include <rtos/log.hpp>
#include <rtos/shell.hpp>
#include <rtos/thread.hpp>

using namespace rtos;

// Average latency in ns, from ticks.
static uint32_t average(const rtmux_latency &l) {
    return l.count ? static_cast<uint32_t>(l.sum * 1000 / (port::counter_hz / 1'000'000) / l.count) : 0;
}
static uint32_t nanoseconds(uint32_t ticks) {
    return static_cast<uint32_t>(Duration{ticks}.nanoseconds());
}

static void report(const rtmux_measurement &m, const demo::FilterResult &f) {
    log("periods %u missed %u; thread ns min %u avg %u max %u; isr ns avg %u max %u", m.periods, m.missed,
        nanoseconds(m.thread.min), average(m.thread), nanoseconds(m.thread.max), average(m.isr),
        nanoseconds(m.isr.max));
    log("filter rounds %u checksum %08x mismatches %u", f.rounds, f.checksum, f.mismatches);
}

int main() {
    log("RTOS demo: control thread every 500 us, clock %u Hz", port::counter_hz);
    if (demo::start_control() != Status::ok || demo::start_filter() != Status::ok ||
        demo::start_vbus_service() != Status::ok || shell::start() != Status::ok) {
        log("demo: a thread did not start");
        return 1;
    }
    for (Time next = now();;) {
        next = next + seconds(2);
        (void)Thread::sleep_until(next);
        static rtmux_measurement measured;
        demo::measurement(measured);
        report(measured, demo::filter_result());
    }
}
