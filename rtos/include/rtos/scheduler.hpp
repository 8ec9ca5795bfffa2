// SPDX-License-Identifier: BSD-3-Clause
// The kernel's own: no application calls it. It is here for the functions that are inlined into what
// applications call.
#pragma once

#include <bit>

#include <rtos/list.hpp>
#include <rtos/status.hpp>
#include <rtos/timer.hpp>

#include "port.hpp"

#ifndef RTOS_PRIORITIES
#define RTOS_PRIORITIES 32
#endif

namespace rtos {

class Mutex;
class Thread;
class WaitQueue;

inline constexpr unsigned priorities = RTOS_PRIORITIES; // 0 is the highest; a CMake option
inline constexpr unsigned idle_priority = priorities - 1;

// ready: running too. suspended: would be ready otherwise; a suspended thread that waits is waiting.
// The low three bits are RT-Thread's rt_thread::stat, which shows this byte.
enum class ThreadState : uint8_t {
    created = 0x00,
    ended = 0x01,
    faulted = 0x11,
    ready = 0x02,
    waiting = 0x04,
    suspended = 0x0c,
};

// A set of priorities and its best member, in constant time: a bit for each, of 256 a bit for each word too.
template <unsigned n> class PrioritySet;
template <> class PrioritySet<32> {
  public:
    void add(unsigned p) { bits_ |= bit(p); }
    void remove(unsigned p) { bits_ &= ~bit(p); }
    unsigned best() const { return static_cast<unsigned>(std::countl_zero(bits_)); }
    bool contains(unsigned p) const { return bits_ & bit(p); }

  private:
    static constexpr uint32_t bit(unsigned p) { return 0x8000'0000u >> p; }
    uint32_t bits_ = 0;
};
template <> class PrioritySet<256> {
  public:
    void add(unsigned p) {
        words_.add(p / 32);
        bits_[p / 32].add(p % 32);
    }
    void remove(unsigned p) {
        bits_[p / 32].remove(p % 32);
        if (bits_[p / 32].best() == 32)
            words_.remove(p / 32);
    }
    unsigned best() const {
        const unsigned word = words_.best();
        return word * 32 + bits_[word].best();
    }
    bool contains(unsigned p) const { return bits_[p / 32].contains(p % 32); }

  private:
    PrioritySet<32> words_;
    PrioritySet<32> bits_[8];
};

// Which thread runs. Every function is called with IRQs masked.
//
// The running thread stays in its ready list, so picking the best one is a count of leading zeros and
// two loads. It is at the head, but for a moment: while the scheduler is locked or a switch is due.
// The idle thread is always ready.
class Scheduler {
  public:
    // Run the best ready thread; returns when this one is the best again, and has made its async calls.
    void reschedule();
    // The same as rtmux_rtos_ops::preempt: on an interrupt's way out. Its time is charged up to
    // interrupted().
    static void preempt();
    // An interrupt came, or a call of the executive's, that may end in preempt().
    void interrupted() { interrupted_ = port::counter(); }
    uint32_t interrupted_at() const { return interrupted_; } // on the counter
    // The port's: the top of the stack that ISRs run on.
    uint8_t *&isr_stack() { return isr_stack_; }
    // The first switch, from a context that is left for good.
    [[noreturn]] void begin(Thread &idle);

    Thread &current() const { return *current_; }
    Thread &idle() const { return *idle_; }
    bool idle_running() const { return current_ == idle_; }
    bool is_idle(const Thread &t) const { return &t == idle_; }
    bool running() const { return idle_ != nullptr; }

    // Not 0: reschedule() is due.
    volatile uint32_t &need_resched() { return need_resched_; }
    void lock() { ++lock_depth_; }
    void unlock() { --lock_depth_; }
    unsigned lock_depth() const { return lock_depth_; }

    // The running thread waits until wake() or end_wait(), or until the deadline if it is not never;
    // queue: what it enters, or null. Returns the result given to these, or timeout.
    Status wait(WaitQueue *queue, Time deadline, void *data);
    // The same for the outermost masked stretch, which ends here: IRQs are open on return.
    Status wait_and_open(WaitQueue *queue, Time deadline, void *data);
    // End the wait of t: what it waited for has come.
    void wake(Thread &t, Status result);
    // The same for the first waiter, and end the masked stretch if it is the outermost, switching if
    // that is due. Returns ok.
    Status wake_and_open(Link &waiters, bool was_masked);
    // End the wait of t from outside: whoever inherits its priority does so no longer.
    void end_wait(Thread &t, Status result);
    // Move the running thread behind its equals.
    Status yield();
    // The same on its behalf: its time slice is over. In an interrupt.
    void end_turn();
    // why: Thread::wake_suspended or wake_throttled; it stays so until none is left.
    void suspend(Thread &t, uint8_t why);
    void resume(Thread &t, uint8_t why);
    void place_idle(unsigned priority); // budget.cpp
    // Give t this effective priority, and what follows from that to owners of mutexes.
    void set_priority(Thread &t, unsigned priority);
    // The same with the one that its base priority and its mutexes give it.
    void update_priority(Thread &t) { set_priority(t, effective(t)); }
    // m's claim on its owner may have become less.
    void disinherit(Mutex &m);
    void set_slice(Thread &t, uint32_t ticks);
    // Called at every switch, IRQs masked, on the stack of from. Null: none.
    using SwitchHook = void (*)(Thread &from, Thread &to);
    void set_switch_hook(SwitchHook hook);
    // t.c_library was changed. The running thread's is kept in a place of its own, which newlib's code
    // reads as _impure_ptr: its address is given to the linker as an offset from scheduler.
    void use_c_library(const Thread &t);

    // Take t out of everything but its mutexes: it will never run again, unless it is running still.
    void detach(Thread &t, ThreadState final_state);
    // Leave the running thread for good: it has been detached.
    [[noreturn]] void leave();

    // Enter a thread, laid out by port::make_context, into its ready list.
    void add(Thread &t);

    // Charge the running thread for its time up to now; at least once in the counter's range.
    void account();

    static Thread &thread_of(Link &l);
    static Link &link_of(Thread &t);
    static uint64_t run_ticks(const Thread &t);
    static port::Context &context_of(Thread &t);
    const PrioritySet<priorities> &ready_set() const { return set_; }
    const Link &ready_list(unsigned priority) const { return ready_[priority]; }

  private:
    friend class Inspector; // of the unit tests
    friend class Mutex;
    friend class Thread;
    friend class WaitQueue;

    static void slice_over(void *self);
    static unsigned effective(const Thread &t);
    static void check_stack(const Thread &t);
    Thread &best() { return thread_of(*ready_[set_.best()].next()); }
    void make_ready(Thread &t);
    void unready(Thread &t);
    void move(Thread &t, unsigned priority);
    void end_of_wait(Thread &t, Status result);
    bool alone(const Thread &t) const;
    void watch_slice(Thread &t);
    void watch_next(Thread &next);
    void start_slice_timer(Time deadline);
    void charge();
    void extra_work(Thread &self, Thread &next, uint32_t work);
    void leave_for(Thread &next, bool yielding);
    [[noreturn]] void enter_best();
    void leave_slowly_for(Thread &next);
    void stay();
    void switch_to(Thread &self, Thread &next, bool yielding);
    void switch_if_due();
    bool begin_wait(WaitQueue *queue, Time deadline, void *data);
    static void stop_timeout(Thread &t);
    static void stay_suspended(Thread &t, Status result);
    void end_wait_now(Thread &t, Status result);
    void run_calls(Thread &self);

    // What the way from an interrupt to a thread of the highest priorities needs is one line of the cache.
    // The port's assembler and link script know the first ones' places.
    Thread *current_ = nullptr;
    void *c_library_ = nullptr;
    volatile uint32_t need_resched_ = 0;
    uint32_t lock_depth_ = 0;
    Thread *idle_ = nullptr;
    uint32_t accounted_ = 0;   // the counter at the last account()
    uint32_t interrupted_ = 0; // the counter when the last interrupt came
    uint8_t *isr_stack_ = nullptr;
    PrioritySet<priorities> set_;
    Link ready_[priorities];
    uint32_t slice_expiry_ = 0; // of slice_timer_, low bits
    Timer slice_timer_{slice_over, this};
    SwitchHook switch_hook_ = nullptr;
    Link all_; // threads that were started and not reaped
};

extern Scheduler scheduler;

} // namespace rtos
