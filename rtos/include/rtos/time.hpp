// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <compare>
#include <stdint.h>

#include "port.hpp"

namespace rtos {

// A span of the RT clock, in ticks of the board's counter (24 MHz: 41.7 ns).
struct Duration {
    int64_t ticks = 0;

    constexpr auto operator<=>(const Duration &) const = default;
    constexpr Duration operator+(Duration d) const { return {ticks + d.ticks}; }
    constexpr Duration operator-(Duration d) const { return {ticks - d.ticks}; }
    constexpr Duration operator*(int64_t n) const { return {ticks * n}; }

    constexpr int64_t nanoseconds() const {
        constexpr int64_t hz = port::counter_hz; // in two parts, or 4 days would not fit in between
        return ticks / hz * 1'000'000'000 + ticks % hz * (1'000'000'000 / 1000) / (hz / 1000);
    }
    constexpr int64_t microseconds() const { return ticks / (port::counter_hz / 1'000'000); }
};

// An instant of the RT clock: ticks since the counter's start, 64 bits wide; 24,000 years.
struct Time {
    uint64_t ticks = 0;

    constexpr auto operator<=>(const Time &) const = default;
    constexpr Time operator+(Duration d) const { return {ticks + static_cast<uint64_t>(d.ticks)}; }
    constexpr Time operator-(Duration d) const { return {ticks - static_cast<uint64_t>(d.ticks)}; }
    constexpr Duration operator-(Time t) const { return {static_cast<int64_t>(ticks - t.ticks)}; }

    static constexpr Time never() { return {INT64_MAX}; }
    // As a deadline: do not wait.
    static constexpr Time past() { return {0}; }
};

constexpr Duration microseconds(int64_t n) {
    return {n * (port::counter_hz / 1'000'000)};
}
constexpr Duration milliseconds(int64_t n) {
    return microseconds(n * 1000);
}
constexpr Duration seconds(int64_t n) {
    return microseconds(n * 1'000'000);
}

// The RT clock now. Monotonic; callable from anywhere. (POSIX: clock_gettime of CLOCK_MONOTONIC.)
Time now();
// So long from now; a negative span is over, as none is.
inline Time after(Duration d) {
    return now() + (d.ticks > 0 ? d : Duration{});
}

} // namespace rtos
