// SPDX-License-Identifier: BSD-3-Clause
// How threads begin and end.
#include "scheduler.hpp"
#include "system_thread.hpp"

#include <rtos/assert.hpp>
#include <rtos/interrupt.hpp>
#include <rtos/mutex.hpp>

namespace rtos {

static constexpr uint8_t stack_pattern = 0xa5;
static constexpr size_t stack_alignment = 8;

Status Thread::give_stack(size_t bytes) {
    if (state_ != State::created || stack_ || bytes < minimum_stack)
        return Status::invalid;
    const port::Stack stack = port::allocate_stack(bytes);
    if (!stack.base)
        return Status::no_memory;
    own_stack_ = true;
    stack_ = stack.base;
    stack_size_ = stack.size;
    return Status::ok;
}

Status Thread::use_stack(void *stack, size_t bytes) {
    const uintptr_t base = reinterpret_cast<uintptr_t>(stack);
    if (state_ != State::created || stack_ || !stack || base % stack_alignment || bytes < minimum_stack)
        return Status::invalid;
    stack_ = static_cast<uint8_t *>(stack);
    stack_size_ = bytes & ~(stack_alignment - 1);
    context_.work |= work_stack;
    return Status::ok;
}

bool Thread::startable() const {
    const bool is_idle = entry_ == port::idle_entry;
    return state_ == State::created && entry_ && valid_priority_ && (priority_ == idle_priority) == is_idle;
}

Status Thread::start() {
    if (!startable() || !stack_)
        return Status::invalid;
    __builtin_memset(stack_, stack_pattern, stack_size_);
    port::make_context(context_, stack_, stack_size_, begin, this);
    const IrqLock lock;
    scheduler.all_.insert_before(all_);
    scheduler.add(*this);
    return Status::ok;
}

// Where a thread begins, IRQs masked.
void Thread::begin(void *thread) {
    Thread &self = *static_cast<Thread *>(thread);
    if (!self.calls_.empty())
        self.calls_.run();
    port::irq_enable();
    self.entry_(self.argument_);
    exit();
}

// One mutex after the other goes to its waiter; IRQs are masked for each, not for all.
void Thread::give_up_mutexes() {
    for (;;) {
        const IrqLock lock;
        if (!held_.linked())
            return;
        Mutex::of(*held_.next()).give_up();
    }
}

// The last steps of a thread's end. IRQs masked.
void Thread::announce_end(const IrqLock &lock) {
    system_thread.ended(*this);
    joiners_.wake_all(lock, Status::ended);
}

// The running thread's end, IRQs masked.
void Thread::end_current(State final_state) {
    Thread &self = scheduler.current();
    const IrqLock lock;
    while (self.held_.linked()) // none, if it ends by itself
        Mutex::of(*self.held_.next()).give_up();
    scheduler.detach(self, final_state);
    self.announce_end(lock);
    scheduler.leave();
}

void Thread::exit() {
    port::irq_enable(); // whatever its caller has masked
    current().give_up_mutexes();
    port::irq_save();
    end_current(State::ended);
}

Status Thread::terminate() {
    if (in_interrupt()) {
        RTOS_ASSERT(!"called in an interrupt");
        return Status::would_block;
    }
    if (this == &current())
        exit();
    bool mine;
    {
        // Nobody else runs, and so nobody ends the one that is about to do this
        const SchedulerLock undisturbed;
        {
            const IrqLock lock;
            if (has_ended())
                return Status::ended;
            if (scheduler.is_idle(*this))
                return Status::invalid;
            if (lives()) {
                scheduler.detach(*this, State::ended);
                port::abandon_context(context_);
            }
            state_ = State::ended;
        }
        give_up_mutexes();
        const IrqLock lock;
        const bool joined = !joiners_.empty(); // who joins it may free it as soon as it runs
        announce_end(lock);
        mine = !joined && claim_end();
    }
    if (mine)
        dispose();
    return Status::ok;
}

Status Thread::join(Time deadline) {
    bool mine;
    {
        const IrqLock lock;
        if (this == &scheduler.current())
            return Status::deadlock;
        if (state_ == State::created || scheduler.is_idle(*this))
            return Status::invalid;
        // For its end, and for somebody who is at work on what it leaves.
        while (!(mine = claim_end()) && !disposed_) {
            const Status result = joiners_.wait(lock, deadline);
            if (result != Status::ended)
                return result;
        }
    }
    if (mine)
        dispose();
    return Status::ok;
}

// Whoever calls this first disposes of it. IRQs masked.
bool Thread::claim_end() {
    if (!has_ended() || reaped_)
        return false;
    reaped_ = true;
    unlink();
    all_.unlink();
    return true;
}

void Thread::dispose() {
    if (state_ == State::faulted)
        port::report_fault(*this);
    if (own_stack_)
        port::free_stack({stack_, stack_size_});
    stack_ = nullptr;
    stack_size_ = 0;
    const Hook hook = end_hook_;
    {
        const IrqLock lock;
        disposed_ = true;
        joiners_.wake_all(lock, Status::ended);
    }
    // Without a hook the object is its joiners' by now.
    if (hook)
        hook(*this);
}

bool Thread::reap() {
    {
        const IrqMask masked;
        if (!claim_end())
            return false;
    }
    dispose();
    return true;
}

void Thread::reap_first(Link &ended) {
    Thread *t;
    {
        const IrqMask masked;
        if (!ended.linked())
            return;
        t = &Scheduler::thread_of(*ended.next());
        t->claim_end();
    }
    t->dispose();
}

Thread *Thread::next_of_all(Thread *t) {
    Link &all = scheduler.all_;
    Link *const next = (t ? t->all_ : all).next();
    return next == &all ? nullptr : &static_cast<InAll *>(next)->thread;
}

size_t Thread::stack_high_water() const {
    return stack_size_ - stack_untouched(0, stack_size_);
}

size_t Thread::stack_untouched(size_t from, size_t limit) const {
    const size_t end = limit < stack_size_ - from ? from + limit : stack_size_;
    size_t at = from;
    for (uint32_t word; at + sizeof word <= end; at += sizeof word) {
        __builtin_memcpy(&word, stack_ + at, sizeof word);
        if (word != stack_pattern * 0x0101'0101u)
            break;
    }
    while (at < end && stack_[at] == stack_pattern)
        ++at;
    return at - from;
}

// The start pattern is gone from the lowest word: the stack was too small. IRQs masked.
void Scheduler::check_stack(const Thread &t) {
    static constexpr uint32_t pattern = stack_pattern * 0x0101'0101u;
    uint32_t lowest;
    __builtin_memcpy(&lowest, t.stack_, sizeof(lowest));
    if (lowest != pattern)
        port::stack_overflowed();
}

} // namespace rtos
