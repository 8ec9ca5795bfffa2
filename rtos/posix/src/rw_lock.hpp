// SPDX-License-Identifier: BSD-3-Clause
// No header of a C library: the host tests it.
#pragma once

#include <rtos/thread.hpp>
#include <rtos/wait_queue.hpp>

namespace rtos::posix {

// Many readers or one writer. By POSIX's thread execution scheduling a reader waits behind a writer
// of at least its own priority; who waits is served by priority, then by arrival.
class RwLock {
  public:
    // Thread context. timeout, would_block, interrupted; deadlock: the running thread holds it for writing.
    Status lock_shared(Time deadline);
    Status lock_exclusive(Time deadline);
    // busy.
    Status try_lock_shared();
    Status try_lock_exclusive();
    // not_owner: nobody holds it, or another thread for writing.
    Status unlock();

    bool in_use() const { return readers_ || writer_ || !waiters_.empty(); }

  private:
    enum Want : uintptr_t { read, write };

    bool must_wait_to_read() const;
    // Give it to those in front of the queue that may have it.
    void grant();

    unsigned readers_ = 0;
    Thread *writer_ = nullptr;
    WaitQueue waiters_;
};

} // namespace rtos::posix
