// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stddef.h>

#include <rtos/async_call.hpp>
#include <rtos/list.hpp>
#include <rtos/scheduler_lock.hpp>
#include <rtos/status.hpp>
#include <rtos/timer.hpp>
#include <rtos/wait_queue.hpp>

// What newlib keeps of a thread; of those that have none of their own in common.
struct _reent;
extern "C" struct _reent rtos_c_library;

namespace rtos {

class Mutex;

inline constexpr size_t minimum_stack = 512;
inline constexpr size_t name_size = 16; // with the final 0
static_assert(priorities == 32 || priorities == 256);

// A preemptive thread. First in, first out among equals (POSIX: SCHED_FIFO), or round robin when it
// has a time slice (SCHED_RR). The object must outlive the thread, see reap().
class Thread : private Link {
  public:
    using Entry = void (*)(void *argument);
    using Hook = void (*)(Thread &);
    using State = ThreadState;

    // name: the first 15 characters are copied.
    constexpr Thread(const char *name, unsigned priority, Entry entry, void *argument = nullptr)
        : priority_(static_cast<uint8_t>(priority)), base_priority_(static_cast<uint8_t>(priority)),
          timeout_(wait_timed_out, this), entry_(entry), argument_(argument) {
        for (size_t i = 0; name && name[i] && i < name_size - 1; ++i)
            name_[i] = name[i];
        valid_priority_ = priority < priorities;
    }
    Thread(const Thread &) = delete;
    Thread &operator=(const Thread &) = delete;

    // -- Life. Thread context, all of it.

    // A stack of the kernel's, of at least so many bytes: whole pages, an unmapped page below.
    // invalid: under minimum_stack, has one already, or was started; no_memory.
    Status give_stack(size_t bytes);
    // A stack of the caller's, 8-byte aligned: no page can be unmapped below it. An overflow is noticed
    // only with RTOS_DEBUG, and only when the thread is switched away.
    Status use_stack(void *stack, size_t bytes);
    // Make it ready. invalid: priority not in 0..idle_priority - 1, no stack, or started before.
    Status start();
    Status start(size_t stack_bytes) {
        if (!startable())
            return Status::invalid;
        const Status given = give_stack(stack_bytes);
        return given == Status::ok ? start() : given;
    }
    // A thread with its object and stack on the heap, both given back when it has ended. Not started.
    // Null: invalid arguments or no memory. Nobody may use it after its end.
    static Thread *create(const char *name, unsigned priority, Entry entry, void *argument,
                          size_t stack_bytes);

    // End the running thread. (POSIX: pthread_exit, without its cleanup.)
    [[noreturn]] static void exit();
    // End this thread, in whatever state it is and without it ever running again: it leaves the queue
    // it waits in, and its mutexes go to their waiters. If it is the running one, as exit.
    // One that has not begun never will. invalid: the idle thread; ended: has ended before; would_block.
    Status terminate();
    // Wait until it has ended and been reaped, or reap it. Without an end hook the object is free for other
    // use then. timeout, would_block, interrupted; deadlock: the running thread;
    // invalid: never started.
    Status join(Time deadline = Time::never());
    // Called once after the thread's end, IRQs open, by the thread that reaps it: one that terminates
    // or joins it, or the system thread. Its last act on the thread: it may free the object.
    void set_end_hook(Hook hook) { end_hook_ = hook; }
    Hook end_hook() const { return end_hook_; }
    // After its end: report its fault, give its stack back, call its end hook. Mostly the system
    // thread's work, soon after the end, but who wants to reuse the object may hasten it. False: it
    // was reaped before, or has not ended.
    bool reap();
    // The same with the first of a list.
    static void reap_first(Link &ended);

    // -- Scheduling. Any context unless said otherwise.

    // The running thread; in an ISR, the interrupted one.
    static Thread &current();
    // In a thread, with IRQs open and the scheduler unlocked.
    static bool may_block();
    // Let the next thread of the same priority run. Thread context. would_block.
    static Status yield() { return scheduler.yield(); }
    // Sleep until the deadline; returns at once if it has passed, and counts it as missed.
    // would_block, interrupted. (POSIX: clock_nanosleep with TIMER_ABSTIME.)
    static Status sleep_until(Time deadline);
    static Status sleep_for(Duration d) { return sleep_until(after(d)); }

    // Keep it from running until resume, from now on if it is ready, or from the end of its wait.
    // Does not count. The running thread stops at the end of the outermost IrqLock.
    // invalid: not started or ended, the idle thread.
    Status suspend();
    // invalid: not suspended.
    Status resume();
    bool suspended() const { return wake_work_ & wake_suspended; }
    // End its wait with this result, as if the object waited for had done so. invalid: not waiting.
    Status end_wait(Status result = Status::interrupted);
    // Let it run the call in its own context, IRQs open, before it goes on; a wait ends with
    // interrupted. The running thread: at the end of the outermost IrqLock. A suspended one: when it
    // is resumed. invalid: pending already, thread not started or ended, the idle thread.
    Status post(AsyncCall &call);

    // Base priority; what it inherits stays. It goes behind its new equals, the running thread before
    // them. invalid: out of range, the idle thread.
    Status set_priority(unsigned priority);
    // Round robin: after this much time on the processor it goes behind its equals. 0: never.
    void set_slice(Duration slice);
    Duration slice() const { return {slice_}; }

    // -- What is known about it. Any context.

    const char *name() const { return name_; }
    void rename(const char *name);
    unsigned priority() const { return priority_; } // effective
    unsigned base_priority() const { return base_priority_; }
    State state() const { return state_; }
    bool has_ended() const { return state_ == State::ended || state_ == State::faulted; }
    // What it waits in; null also for a sleep.
    const WaitQueue *waits_in() const { return queue_; }
    // Time on the processor, interrupts that came meanwhile included.
    Duration run_time() const;
    // Deadlines of sleep_until that had passed already.
    uint32_t missed_deadlines() const { return missed_deadlines_; }
    size_t stack_size() const { return stack_size_; }
    const void *stack_base() const { return stack_; }
    bool has_guard_page() const { return own_stack_; }
    // The most stack it has used, in bytes: counts what the start pattern no longer covers.
    size_t stack_high_water() const;
    // The same in steps, for who must be quick: of so many bytes from this one on, counted from the stack's
    // lowest, how many the pattern covers up to the first that it does not.
    size_t stack_untouched(size_t from, size_t limit) const;
    Entry entry_point() const { return entry_; }
    void *entry_argument() const { return argument_; }

    // Call f(Thread &) for each thread that has been started or has a stack, until reaped, with the
    // scheduler locked: no thread comes or goes meanwhile. Thread context.
    template <class F> static void for_each(F f) {
        const SchedulerLock lock;
        for (Thread *t = next_of_all(nullptr); t; t = next_of_all(t))
            f(*t);
    }

    // The running thread's end, IRQs masked, on a stack that is not its own: after a fault.
    [[noreturn]] static void end_current(State final_state);

  private:
    friend class Budget;
    friend class Inspector; // of the unit tests
    friend class Mutex;
    friend class Scheduler;
    friend class WaitQueue;
    friend struct RtThreadView;

    struct InAll : Link {
        constexpr explicit InAll(Thread &t) : thread(t) {}
        Thread &thread;
    };

    static void begin(void *thread);
    static void wait_timed_out(void *thread);
    static Thread *next_of_all(Thread *t);
    bool startable() const;
    bool lives() const;
    bool changeable() const;
    void give_up_mutexes();
    void announce_end(const IrqLock &lock);
    bool claim_end();
    void dispose();

    // Bits of port::Context::work.
    static constexpr uint32_t work_idle = 2;  // it is the idle thread
    static constexpr uint32_t work_slice = 4; // it has a time slice
    static constexpr uint32_t work_stack = 8; // its stack is to be checked
    static constexpr uint32_t work_hook = 16; // there is a switch hook
    // Bits of wake_work_: what the end of its wait has to do besides.
    static constexpr uint8_t wake_timed = 1;     // the timeout may be active
    static constexpr uint8_t wake_suspended = 2; // it does not become ready
    static constexpr uint8_t wake_throttled = 4; // nor until the end of its budget's period

    // The Link: in a ready list, in the wait queue, or among the ended ones that nobody has reaped.
    // What switches and waits need comes first: up to the context's own words one line of the cache, in a
    // thread that is declared with that alignment.
    uint8_t priority_; // the effective one
    uint8_t base_priority_;
    State state_ = State::created;
    uint8_t wake_work_ = 0;
    Status wait_result_ = Status::ok;
    WaitQueue *queue_ = nullptr;
    Mutex *blocked_on_ = nullptr; // the mutex whose queue that is
    uint64_t run_ticks_ = 0;

  public:
    // For the programming interfaces above: each keeps its own thread object here.
    void *c_library = &rtos_c_library; // see Scheduler::use_c_library

  private:
    CallQueue calls_;
    uint32_t slice_ = 0;
    port::Context context_;

  public:
    void *rt_thread = nullptr;
    void *posix = nullptr;

  private:
    uint32_t slice_end_ = 0; // of the current slice, in run_ticks_
    void *wait_data_ = nullptr;
    Link held_; // mutexes
    Timer timeout_;
    Entry entry_;
    void *argument_;
    WaitQueue joiners_;
    Hook end_hook_ = nullptr;
    InAll all_{*this};
    uint32_t missed_deadlines_ = 0;
    uint8_t *stack_ = nullptr; // lowest usable byte; the page below it is the guard
    size_t stack_size_ = 0;
    bool own_stack_ = false; // the kernel's
    bool reaped_ = false;    // somebody does it, or has done
    bool disposed_ = false;  // but for the end hook
    bool valid_priority_ = false;
    char name_[name_size] = {};
};

} // namespace rtos
