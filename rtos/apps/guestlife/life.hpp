// SPDX-License-Identifier: BSD-3-Clause
// What deaths.cpp and chaos.cpp have in common: the guest of tests/payload over V-Bus, and a thread of 1 kHz
// that must not notice what becomes of it.
#pragma once

#include <rtos/guest.hpp>
#include <rtos/thread.hpp>
#include <rtos/time.hpp>
#include <vbus.hpp>

namespace guestlife {

inline constexpr rtos::Duration patience = rtos::milliseconds(500);
extern vbus::Channel *channel;

// Logs why, and counts, unless all is well.
bool good(bool what, const char *why, uint32_t life);
uint32_t failures();

template <class Condition> bool wait_for(Condition condition) {
    for (const rtos::Time end = rtos::now() + patience; rtos::now() < end;
         (void)rtos::Thread::sleep_for(rtos::microseconds(200)))
        if (condition())
            return true;
    return condition();
}

// The guest is there, and sends back what it gets.
bool talk(uint32_t life);

// Every end is followed by a start; waits for the guest.
void begin();
uint32_t all_ends();

// The last line: what was done, how often, failures, and how the thread fared.
void summary(const char *what, uint32_t lives, const char *unit, uint32_t count);

} // namespace guestlife
