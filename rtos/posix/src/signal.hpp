// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <signal.h>

#include "signal_queue.hpp"

namespace rtos::posix {

struct ThreadControl;

static_assert(first_queued == SIGRTMIN);

constexpr bool valid_signal(int number) {
    return number > 0 && number < NSIG;
}

// Generate a signal for a thread, or for the process (null). Any context. entry: to be queued, its info is
// what it says; null: only the number can be made pending. What is not queued goes back at once.
void generate(ThreadControl *thread, SignalEntry *entry, const SignalInfo &info);

// An entry with this in it from the pool; null: SIGQUEUE_MAX are pending. Any context.
SignalEntry *make_entry(const SignalInfo &info);
// Take back an entry that may be queued for the process. Any context.
void withdraw(SignalEntry &entry);

// AsyncCall: run the handlers of what is pending and not blocked, in the thread's own context.
void deliver_signals(void *control);
// Of a thread that has ended.
void drop_signals(ThreadControl &c);

// Change the running thread's mask, and deliver what is no longer blocked.
void set_mask(ThreadControl &c, uint64_t blocked);

} // namespace rtos::posix
