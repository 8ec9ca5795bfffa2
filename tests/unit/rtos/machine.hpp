// SPDX-License-Identifier: GPL-2.0-only
// A processor with a counter, a one-shot timer of 1 MHz and interrupts, for kernel tests: threads
// are real code on stacks of their own, time passes only when a test says so.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include <rtos/thread.hpp>

namespace machine {

inline constexpr uint32_t timer_tick = 24; // counter ticks

// A new machine and a new kernel; the counter starts at start.
void reset(uint64_t start = 1000);

// Let the kernel run until the counter reaches this value and nothing but the idle thread is
// ready. Call once after reset.
void run_until(uint64_t counter);

// In a thread: time passes, with its interrupts.
void advance(uint64_t ticks);
// In a thread: an interrupt comes now, whose ISR is this.
void interrupt(const std::function<void()> &isr);

uint64_t counter();
bool masked();
bool in_isr();

// Called whenever a thread has opened IRQs: an interrupt may come there. Cleared by reset.
void at_open(std::function<void()> what);

struct Record {
    unsigned timer_interrupts = 0;
    unsigned idle_left = 0;
    unsigned idle_entered = 0;
    unsigned switches = 0;
    std::vector<uint32_t> lines_enabled;
    std::vector<uint32_t> lines_disabled;
    std::string console;
    uint32_t refused_line = UINT32_MAX; // line_enable says no
    size_t memory = SIZE_MAX;           // what allocate_stack has left
    int stacks = 0;                     // allocated and not freed
    std::vector<std::string> faults;    // names of threads reported
};
Record &record();

} // namespace machine
