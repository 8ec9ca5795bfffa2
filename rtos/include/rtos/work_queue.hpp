// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <rtos/list.hpp>
#include <rtos/timer.hpp>
#include <rtos/wait_queue.hpp>

namespace rtos {

class Thread;
class WorkQueue;

// A function for a work queue's thread to call. One queue at a time; free again when it runs, so it may
// submit itself.
class Work : private Link {
  public:
    using Handler = void (*)(Work &work, void *argument);

    constexpr Work(Handler handler, void *argument)
        : handler_(handler), argument_(argument), delay_(delay_over, this) {}

    // Waits in a queue, or for its delay to be over.
    bool pending() const { return queue_ != nullptr; }

  private:
    friend class WorkQueue;
    static void delay_over(void *work);

    Handler handler_;
    void *argument_;
    WorkQueue *volatile queue_ = nullptr;
    Timer delay_;
};

// Works, done one after the other by the thread that runs the queue.
class WorkQueue {
  public:
    constexpr WorkQueue() = default;
    // Its thread has ended: works that are pending are free again, waits for the one that ran end with
    // deleted.
    ~WorkQueue();

    // Do the works, for ever: what the queue's thread calls. Thread context.
    [[noreturn]] void run();

    // Append a work. Any context. busy: it is pending already.
    Status submit(Work &work);
    // Append it at the time, or now if that has passed. Any context. busy.
    Status submit_at(Work &work, Time time);
    // Put it before all others; one that is pending here is moved. Any context. busy: in another queue.
    Status submit_urgent(Work &work);

    // Take a work out before it begins. Any context. busy: it runs right now, and is not pending; invalid:
    // neither.
    Status cancel(Work &work);
    // The same; and if it runs, wait until it has ended, so that the work may be destroyed. Thread context.
    // would_block; interrupted; deleted; deadlock: by the work itself; invalid: neither pending nor running.
    Status cancel_sync(Work &work);
    // Take out all that are pending. Any context.
    void cancel_all();

    // The work that runs right now, or null.
    const Work *running() const { return running_; }
    bool idle() const { return !running_ && !works_.linked() && !delayed_.linked(); }

  private:
    friend class Work;

    void append(Work &work);
    static void take_out(Work &work);

    Link works_;
    Link delayed_;
    Work *volatile running_ = nullptr;
    Thread *thread_ = nullptr;
    WaitQueue worker_;     // the thread, when there is nothing to do
    WaitQueue cancellers_; // for the end of the running work
};

} // namespace rtos
