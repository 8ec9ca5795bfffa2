// SPDX-License-Identifier: BSD-3-Clause
#include <rtos/work_queue.hpp>

#include <rtos/assert.hpp>
#include <rtos/thread.hpp>

namespace rtos {

void Work::delay_over(void *work) {
    Work &w = *static_cast<Work *>(work);
    w.unlink();
    w.queue_->append(w);
}

// IRQs masked.
void WorkQueue::append(Work &work) {
    works_.insert_before(work);
    worker_.wake_first();
}

// Out of both lists; IRQs masked.
void WorkQueue::take_out(Work &work) {
    work.delay_.stop();
    work.unlink();
    work.queue_ = nullptr;
}

void WorkQueue::run() {
    thread_ = &Thread::current();
    for (;;) {
        Work *work;
        {
            const IrqLock lock;
            running_ = nullptr; // by now the last one may be destroyed
            while (cancellers_.wake_first()) {
            }
            while (!works_.linked())
                (void)worker_.wait(lock, Time::never());
            work = static_cast<Work *>(works_.next());
            take_out(*work);
            running_ = work;
        }
        work->handler_(*work, work->argument_);
    }
}

Status WorkQueue::submit(Work &work) {
    const IrqLock lock;
    if (work.queue_)
        return Status::busy;
    work.queue_ = this;
    append(work);
    return Status::ok;
}

Status WorkQueue::submit_at(Work &work, Time time) {
    const IrqLock lock;
    if (work.queue_)
        return Status::busy;
    work.queue_ = this;
    delayed_.insert_before(work);
    work.delay_.start(time);
    return Status::ok;
}

Status WorkQueue::submit_urgent(Work &work) {
    const IrqLock lock;
    if (work.queue_ && work.queue_ != this)
        return Status::busy;
    take_out(work);
    work.queue_ = this;
    works_.next()->insert_before(work);
    worker_.wake_first();
    return Status::ok;
}

Status WorkQueue::cancel(Work &work) {
    const IrqLock lock;
    if (work.queue_ == this) {
        take_out(work);
        return Status::ok;
    }
    return running_ == &work ? Status::busy : Status::invalid;
}

Status WorkQueue::cancel_sync(Work &work) {
    const IrqLock lock;
    const Status cancelled = cancel(work);
    if (running_ != &work)
        return cancelled;
    if (thread_ == &Thread::current())
        return Status::deadlock;
    return cancellers_.wait(lock, Time::never());
}

WorkQueue::~WorkQueue() {
    cancel_all();
    cancellers_.close();
}

void WorkQueue::cancel_all() {
    for (;;) {
        const IrqLock lock;
        Link &list = works_.linked() ? works_ : delayed_;
        if (!list.linked())
            return;
        take_out(static_cast<Work &>(*list.next()));
    }
}

} // namespace rtos
