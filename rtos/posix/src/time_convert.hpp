// SPDX-License-Identifier: BSD-3-Clause
// struct timespec and the kernel's ticks. No header of a C library: the host tests it.
#pragma once

#include <stdint.h>

#include <rtos/time.hpp>

namespace rtos::posix {

inline constexpr int64_t ns_per_s = 1'000'000'000;

template <class Timespec> constexpr bool valid(const Timespec &t) {
    return t.tv_nsec >= 0 && t.tv_nsec < ns_per_s;
}

// Of at most 146 years, so that two of them have a sum.
template <class Timespec> constexpr int64_t to_ns(const Timespec &t) {
    constexpr int64_t limit = INT64_MAX / ns_per_s / 2 - 1;
    const int64_t s = t.tv_sec;
    if (s > limit)
        return limit * ns_per_s;
    if (s < -limit)
        return -limit * ns_per_s;
    return s * ns_per_s + t.tv_nsec;
}

template <class Timespec> constexpr Timespec from_ns(int64_t ns) {
    Timespec t{};
    int64_t s = ns / ns_per_s;
    int64_t rest = ns % ns_per_s;
    if (rest < 0) {
        rest += ns_per_s;
        --s;
    }
    t.tv_sec = static_cast<decltype(t.tv_sec)>(s);
    t.tv_nsec = static_cast<decltype(t.tv_nsec)>(rest);
    return t;
}

constexpr int64_t ns_to_ticks_up(int64_t ns) {
    constexpr int64_t khz = port::counter_hz / 1000;
    const int64_t whole = ns / 1'000'000;
    const int64_t rest = ns % 1'000'000;
    return whole * khz + (rest * khz + 999'999) / 1'000'000;
}

constexpr int64_t ticks_to_ns(int64_t ticks) {
    return Duration{ticks}.nanoseconds();
}

// An instant as a timespec, in one 64-bit division.
template <class Timespec> constexpr Timespec from_ticks(uint64_t ticks) {
    constexpr uint32_t hz = port::counter_hz;
    static_assert(hz % 1'000'000 == 0 && uint64_t{hz} * (1000 / 8) <= UINT32_MAX && hz / 1'000'000 % 8 == 0);
    const uint64_t s = ticks / hz;
    const uint32_t rest = static_cast<uint32_t>(ticks - s * hz);
    Timespec t{};
    t.tv_sec = static_cast<decltype(t.tv_sec)>(s);
    t.tv_nsec = static_cast<decltype(t.tv_nsec)>(rest * (1000 / 8) / (hz / 1'000'000 / 8));
    return t;
}

// An instant of the monotonic clock as a deadline; one before its start has passed.
constexpr Time deadline_at(int64_t monotonic_ns) {
    return monotonic_ns <= 0 ? Time::past() : Time{static_cast<uint64_t>(ns_to_ticks_up(monotonic_ns))};
}

} // namespace rtos::posix
