// SPDX-License-Identifier: BSD-3-Clause
// Priorities that change: a thread's place in the list or queue that it is in, and what its mutexes
// give to the threads that hold them.
#include "wait_queue.hpp"

#include <rtos/mutex.hpp>

namespace rtos {

// A thread's priority is the best of its own and of what each mutex it holds claims for it.
unsigned Scheduler::effective(const Thread &t) {
    unsigned best = t.base_priority_;
    for (const Link *l = t.held_.next(); l != &t.held_; l = l->next()) {
        const unsigned claim = Mutex::of(*const_cast<Link *>(l)).claim();
        best = claim < best ? claim : best;
    }
    return best;
}

[[gnu::always_inline]] inline void Scheduler::move(Thread &t, unsigned priority) {
    switch (t.state_) {
    case ThreadState::ready:
        unready(t);
        t.priority_ = static_cast<uint8_t>(priority);
        set_.add(priority);
        // The running thread stays before its new equals (POSIX 2.8.4: they do not preempt it).
        if (&t == current_)
            ready_[priority].insert_after(t);
        else
            ready_[priority].insert_before(t);
        if (set_.best() < current_->priority_)
            need_resched_ = 1;
        else if (priority == current_->priority_ && current_->slice_)
            account(), watch_slice(*current_);
        break;
    case ThreadState::waiting:
        t.priority_ = static_cast<uint8_t>(priority);
        if (t.queue_ && t.queue_->order() == WaitOrder::priority) {
            t.remove();
            t.queue_->enter(t);
        }
        break;
    default:
        t.priority_ = static_cast<uint8_t>(priority);
    }
}

// From t on along the chain of owners that wait for mutexes of others, until nothing changes. Also in a
// deadlock's circle that is so after one round.
void Scheduler::set_priority(Thread &start, unsigned new_priority) {
    Thread *t = &start;
    for (unsigned priority = new_priority; t->priority_ != priority; priority = effective(*t)) {
        move(*t, priority);
        Mutex *const m = t->blocked_on_;
        if (!m || !m->owner_)
            return;
        t = m->owner_;
    }
}

void Scheduler::disinherit(Mutex &m) {
    if (Thread *const owner = m.owner_)
        update_priority(*owner);
}

void Scheduler::end_wait(Thread &t, Status result) {
    Mutex *const blocked_on = t.blocked_on_;
    wake(t, result);
    if (blocked_on)
        disinherit(*blocked_on);
}

} // namespace rtos
