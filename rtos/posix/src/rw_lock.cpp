// SPDX-License-Identifier: BSD-3-Clause
#include "rw_lock.hpp"

namespace rtos::posix {

bool RwLock::must_wait_to_read() const {
    if (writer_)
        return true;
    // The queue is sorted: only its first waiters are as important as the running thread. Readers do not
    // wait in front of writers unless one of these is there.
    const Thread *const first = waiters_.first();
    return first && first->priority() <= Thread::current().priority();
}

void RwLock::grant() {
    if (writer_)
        return;
    while (Thread *const t = waiters_.first()) {
        const bool writes = reinterpret_cast<uintptr_t>(WaitQueue::data_of(*t)) == write;
        if (writes && readers_)
            return;
        if (writes)
            writer_ = t;
        else
            ++readers_;
        waiters_.wake(*t);
        if (writes)
            return;
    }
}

Status RwLock::try_lock_shared() {
    const IrqLock lock;
    if (must_wait_to_read())
        return Status::busy;
    ++readers_;
    return Status::ok;
}

Status RwLock::try_lock_exclusive() {
    const IrqLock lock;
    if (writer_ || readers_)
        return Status::busy;
    writer_ = &Thread::current();
    return Status::ok;
}

Status RwLock::lock_shared(Time deadline) {
    const IrqLock lock;
    if (writer_ == &Thread::current())
        return Status::deadlock;
    if (!must_wait_to_read()) {
        ++readers_;
        return Status::ok;
    }
    return waiters_.wait(lock, deadline, reinterpret_cast<void *>(read));
}

Status RwLock::lock_exclusive(Time deadline) {
    const IrqLock lock;
    if (writer_ == &Thread::current())
        return Status::deadlock;
    if (!writer_ && !readers_) {
        writer_ = &Thread::current();
        return Status::ok;
    }
    const Status s = waiters_.wait(lock, deadline, reinterpret_cast<void *>(write));
    // Readers may have waited behind this writer alone.
    if (s != Status::ok)
        grant();
    return s;
}

Status RwLock::unlock() {
    const IrqLock lock;
    if (writer_) {
        if (writer_ != &Thread::current())
            return Status::not_owner;
        writer_ = nullptr;
    } else if (readers_) {
        --readers_;
    } else {
        return Status::not_owner;
    }
    grant();
    return Status::ok;
}

} // namespace rtos::posix
