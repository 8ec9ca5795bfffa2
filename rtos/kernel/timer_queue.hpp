// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "timer_heap.hpp"

#include <rtos/scheduler.hpp>

namespace rtos {

// The RT clock and its timers over one hardware timer. IRQs masked in all of it.
//
// The board's counter has 32 bits; the clock extends it at every reading. A timer of the queue's own,
// which is always active, sees to it that there is a reading before the counter wraps, and that
// the first deadline is always near enough to be compared by its low 32 bits. None is kept that is
// too old for that.
//
// The earliest timers, a few, are a sorted list, never empty; the others, none of them earlier than the
// list's last one, are in the heap. So the interrupt takes the first and knows the next in constant time, and
// only starting and stopping timers costs what a heap does. Whoever starts or stops one in a thread moves one
// from the heap to the list when that runs short; the interrupt does so only when it has taken the last.
class TimerQueue {
  public:
    constexpr TimerQueue() : keep_alive_(kept_alive, this) {}

    // Start the clock and the hardware timer, whose line must be served by interrupt() from now on.
    void begin();

    Time now() {
        const uint32_t counter = port::counter();
        now_ += counter - static_cast<uint32_t>(now_);
        return {now_};
    }
    // When the counter had this value, not long ago.
    Time at(uint32_t counter) const {
        return Time{now_} + Duration{static_cast<int32_t>(counter - static_cast<uint32_t>(now_))};
    }

    void start(Timer &t, Time deadline);
    bool stop(Timer &t);
    // The shortest ways in and out: t, which is not active and never periodic, expires after delay, the next
    // of all but not before the hardware interrupts; t is the next of all. False: it is not so, and nothing
    // is done.
    bool put_first(Timer &t, Duration delay);
    bool take_first(Timer &t);
    // What was started or stopped has left something to do: finish() does it, in short masked stretches of
    // its own. Inside of another it does nothing.
    bool unfinished() const { return !heap_.settled() || (length_ < refilled_below && !heap_.empty()); }
    void finish();
    // The hardware timer's ISR; argument: the queue.
    static void interrupt(void *queue);

  private:
    static constexpr Duration keep_alive_period{0x4000'0000};  // a quarter of the counter's range
    static constexpr uint32_t longest = 6, refilled_below = 3; // of the list

    static uint32_t low(Time t) { return static_cast<uint32_t>(t.ticks); }
    static bool is_after(uint32_t a, uint32_t b) { return static_cast<int32_t>(b - a) < 0; }
    static void kept_alive(void *queue);
    static Timer *&behind(Timer &t) { return t.child_[0]; }
    static Timer *&before(Timer &t) { return t.parent_; }
    void arm(Time deadline);
    void link_first(Timer &t);
    void link_behind(Timer &after, Timer &t);
    void insert(Timer &t, Time deadline);
    void unlink(Timer &t);
    void remove(Timer &t);
    void refill();
    void take_slowly(Timer &t);

    TimerInterrupt served_ = {}; // rtos_timer_interrupt
    uint32_t expiry_ = 0;        // when the hardware will interrupt, or has done so, on the counter
    uint32_t length_ = 0;        // of the list
    Timer *first_ = nullptr;
    Timer *last_ = nullptr;
    TimerHeap heap_;
    uint64_t now_ = 0; // as last read
    Timer keep_alive_;
};

extern TimerQueue timer_queue;

// Of the first one before() has no meaning.
[[gnu::always_inline]] inline void TimerQueue::link_first(Timer &t) {
    Timer *const next = first_;
    before(*next) = &t;
    behind(t) = next;
    t.place_ = Timer::Place::list;
    first_ = &t;
    ++length_;
}

[[gnu::always_inline]] inline bool TimerQueue::put_first(Timer &t, Duration delay) {
    const Time deadline = Time{now_} + Duration{port::counter() - static_cast<uint32_t>(now_)} + delay;
    if (length_ >= longest || first_->deadline_ <= deadline || is_after(expiry_, low(deadline)))
        return false;
    t.deadline_ = deadline;
    link_first(t);
    return true;
}

[[gnu::always_inline]] inline bool TimerQueue::take_first(Timer &t) {
    if (&t != first_)
        return false;
    Timer *const next = behind(t);
    if (!next)
        return false;
    first_ = next;
    t.place_ = Timer::Place::none;
    --length_;
    return true;
}

} // namespace rtos
