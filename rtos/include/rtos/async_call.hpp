// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <rtos/list.hpp>

namespace rtos {

// A function for some thread to call: Thread::post and defer enqueue it, without memory of their own.
// It is free for the next use, or to be destroyed, as soon as the function is called.
class AsyncCall : private Link {
  public:
    using Function = void (*)(void *argument);

    constexpr AsyncCall(Function function, void *argument) : function_(function), argument_(argument) {}

    // Enqueued and not called yet.
    bool pending() const { return linked(); }
    // Take it out of its queue. Any context. False: not pending.
    bool cancel();

  private:
    friend class CallQueue;

    Function function_;
    void *argument_;
};

// Let the system thread, the lowest priority above the guest's, call it; IRQs open, it may block but
// delays what else is deferred. Any context. False: pending already.
// Ended threads are given back there, so it is the place for what RTOS idle hooks do elsewhere.
bool defer(AsyncCall &call);

// Calls in order of arrival. IRQs masked in all of it but run().
class CallQueue {
  public:
    bool empty() const { return !calls_.linked(); }
    bool put(AsyncCall &call);
    // Call them all, those that come meanwhile as well. IRQs masked before and after, open for the calls.
    void run();
    void clear();

  private:
    Link calls_;
};

} // namespace rtos
