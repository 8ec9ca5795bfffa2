// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <signal.h>

#include "signal_queue.hpp"

namespace rtos::posix {

struct NotifyWorker;

// What a struct sigevent asks for. SIGEV_THREAD's function is called by a thread made here for it alone, with
// the attributes given, so that nothing is allocated when the event comes.
class Notification {
  public:
    // Thread context. Null event: none. Returns an error number: EINVAL; EAGAIN: no memory for the thread.
    int prepare(const sigevent *event, int code);
    // The event has come. Any context. entry: to be queued for SIGEV_SIGNAL, or null for one of the pool's.
    void fire(SignalEntry *entry);
    // No more events. Thread context.
    void dispose();

    bool is_signal() const { return event_.sigev_notify == SIGEV_SIGNAL; }
    SignalInfo info() const;
    void set_value(union sigval value) { event_.sigev_value = value; }

  private:
    sigevent event_{};
    int code_ = 0;
    NotifyWorker *worker_ = nullptr;
};

} // namespace rtos::posix
