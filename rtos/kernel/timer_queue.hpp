// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "timer_heap.hpp"

namespace rtos {

// The RT clock and its timers over one hardware timer. IRQs masked in all of it.
//
// The board's counter has 32 bits; the clock extends it at every reading. A timer of the queue's own,
// which is always active, sees to it that there is a reading before the counter wraps, and that
// the first deadline is always near enough to be compared by its low 32 bits. None is kept that is
// too old for that.
//
// The earliest timer may stand before the heap instead of in it: the periodic timer of the fastest
// loop, which always is the next one when it starts, comes and goes in constant time.
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
    // The same, inlined.
    template <bool may_be_past> void put(Timer &t, Time deadline);
    bool take_out(Timer &t);
    // The shortest ways in and out: t, which is not active and never periodic, expires after delay, the next
    // of all but not before the hardware interrupts; t is the next of all. False: it is not so, and nothing
    // is done.
    bool put_first(Timer &t, Duration delay);
    bool take_first(Timer &t);
    // The hardware timer's ISR; argument: the queue.
    static void interrupt(void *queue);
    // The interrupt that is served. No timer that its handlers start arms the hardware: it is due, and arms
    // at its end.
    TimerInterrupt served() const { return {expiry_, entry_}; }

  private:
    static constexpr Duration keep_alive_period{0x4000'0000}; // a quarter of the counter's range

    static uint32_t low(Time t) { return static_cast<uint32_t>(t.ticks); }
    static bool is_after(uint32_t a, uint32_t b) { return static_cast<int32_t>(b - a) < 0; }
    static void kept_alive(void *queue);
    Timer &first() const { return front_ ? *front_ : *heap_.first(); }
    void remove(Timer &t);
    bool stays_first(Timer &t, uint32_t entry);
    void repeat(Timer &t);
    void expire(Timer &t, uint32_t entry);
    Timer &expire_more(Timer &first, uint32_t entry);
    void arm(const Timer &t);

    uint32_t expiry_ = 0;    // when the hardware will interrupt, or has done so, on the counter
    Timer *front_ = nullptr; // not later than all in the heap
    uint32_t entry_ = 0;     // when the interrupt began that is or was served
    TimerHeap heap_;
    uint64_t now_ = 0; // as last read
    Timer keep_alive_;
};

extern TimerQueue timer_queue;

// The hardware timer may be coarser than the counter, so port::timer_arm rounds up. Should an
// interrupt come early all the same, it arms for what is left, until the counter has passed the
// deadline.
[[gnu::always_inline]] inline void TimerQueue::arm(const Timer &t) {
    const uint32_t start = port::counter();
    const int32_t left = static_cast<int32_t>(low(t.deadline_) - start);
    expiry_ = start + port::timer_arm(left > 0 ? static_cast<uint32_t>(left) : 0); // 0: as soon as it can
}

[[gnu::always_inline]] inline void TimerQueue::remove(Timer &t) {
    if (&t == front_) {
        front_ = nullptr;
        t.active_ = false;
    } else {
        heap_.remove(t);
    }
}

template <bool may_be_past> [[gnu::always_inline]] inline void TimerQueue::put(Timer &t, Time deadline) {
    if (t.active_) [[unlikely]]
        remove(t);
    if (first().deadline_ <= deadline) {
        heap_.insert(t, deadline);
        return;
    }
    if (front_)
        heap_.insert(*front_, front_->deadline_);
    if (may_be_past && deadline + keep_alive_period < Time{now_})
        deadline = Time{now_};
    t.deadline_ = deadline;
    t.active_ = true;
    front_ = &t;
    // An interrupt that comes before is early for nothing, and arms.
    if (is_after(expiry_, low(t.deadline_)))
        arm(t);
}

[[gnu::always_inline]] inline bool TimerQueue::take_out(Timer &t) {
    if (!t.active_)
        return false;
    // The hardware stays armed: one interrupt that finds nothing to do costs less than arming here.
    remove(t);
    return true;
}

[[gnu::always_inline]] inline bool TimerQueue::put_first(Timer &t, Duration delay) {
    const Time deadline = Time{now_} + Duration{port::counter() - static_cast<uint32_t>(now_)} + delay;
    if (front_ || heap_.first()->deadline_ <= deadline || is_after(expiry_, low(deadline)))
        return false;
    t.deadline_ = deadline;
    t.active_ = true;
    front_ = &t;
    return true;
}

[[gnu::always_inline]] inline bool TimerQueue::take_first(Timer &t) {
    if (&t != front_)
        return false;
    front_ = nullptr;
    t.active_ = false;
    return true;
}

// The periodic t before the heap, which has expired, may mostly stay there.
[[gnu::always_inline]] inline bool TimerQueue::stays_first(Timer &t, uint32_t entry) {
    const Time next = t.deadline_ + Duration{t.period_};
    if (!is_after(low(next), entry) || heap_.first()->deadline_ <= next) [[unlikely]]
        return false;
    t.deadline_ = next;
    return true;
}

[[gnu::always_inline]] inline void TimerQueue::expire(Timer &t, uint32_t entry) {
    if (&t != front_ || !t.periodic_ || !stays_first(t, entry)) {
        remove(t);
        if (t.periodic_)
            repeat(t);
    }
    t.handler_(t.argument_);
}

} // namespace rtos
