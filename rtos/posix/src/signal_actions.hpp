// SPDX-License-Identifier: BSD-3-Clause
// What signal.cpp and signal_api.cpp share.
#pragma once

#include "signal.hpp"
#include "thread_control.hpp"

namespace rtos::posix {

// What a mask may have in it.
inline constexpr uint64_t catchable = ~(signal_bit(SIGKILL) | signal_bit(SIGSTOP) | 1);

extern struct sigaction actions[NSIG];

// A thread in sigwait and its kin; its place in signal_waiters has this as data.
struct SignalWait {
    uint64_t set;
    SignalInfo info;
};
extern WaitQueue signal_waiters;

// IRQs masked. Of the thread's and the process's pending signals: the first of a set, and all.
bool take_pending(ThreadControl &c, uint64_t set, SignalInfo &info);
uint64_t pending_set(const ThreadControl &c);

void to_siginfo(const SignalInfo &info, siginfo_t *to);

} // namespace rtos::posix
