// SPDX-License-Identifier: GPL-2.0-only
// Runs a scenario once for every way in which interrupts may come into it.
//
// Wherever a thread has IRQs open after a kernel call, an interrupt may come: none, the end of the running
// thread's turn among its equals, or one of the scenario's own. The explorer tries all sequences of these
// choices with at most so many interrupts, in depth-first order, and inspects the kernel at each point.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

struct Scenario {
    // Makes the objects and starts the threads, on a new machine. What it returns is called at the
    // end, when all has run, and then destroyed: it keeps what it captured until then.
    std::function<std::function<void()>()> set_up;
    std::vector<std::function<void()>> isrs; // may be called several times, and before the threads begin
    unsigned interrupts = 2;                 // at most, in one run
    bool turns = true;                       // ends of turns are among them
    // What must hold at each point besides what the Inspector knows: empty, or what is wrong.
    std::function<std::string()> invariant = [] { return std::string(); };
    uint64_t end = 1'000'000; // on the counter
};

struct Explored {
    unsigned runs = 0;
    unsigned longest = 0; // points in a run
    std::string wrong;    // of the first run in which something was, with its choices
};

// Stops at the first run in which something is wrong, or that a test's assertion fails in.
Explored explore(const Scenario &scenario);
