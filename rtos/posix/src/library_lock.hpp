// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <rtos/mutex.hpp>
#include <rtos/thread.hpp>

#include "thread_control.hpp"

namespace rtos::posix {

// newlib's locks are recursive. Where nothing may block (before the threads, in an ISR) there is nobody to
// lock out either; nothing of newlib that has locks is for ISRs.
class LibraryLock {
  public:
    void lock() {
        if (Thread::may_block())
            (void)uninterrupted([this] { return mutex_.lock(); });
    }
    bool try_lock() { return mutex_.try_lock() == Status::ok; }
    void unlock() { (void)mutex_.unlock(); }

  private:
    Mutex mutex_{Mutex::Kind::recursive, Mutex::Protocol::inherit};
};

} // namespace rtos::posix
