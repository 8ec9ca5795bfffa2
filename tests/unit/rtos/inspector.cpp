// SPDX-License-Identifier: GPL-2.0-only
#include "inspector.hpp"

#include <algorithm>
#include <vector>

#include "kernel/scheduler.hpp"
#include <rtos/mutex.hpp>

namespace rtos {
namespace {

std::vector<Link *> links_of(const Link &head, std::string &wrong) {
    std::vector<Link *> links;
    for (Link *l = head.next(); l != &head; l = l->next()) {
        if (l->next()->prev() != l || l->prev()->next() != l || links.size() > 1000) {
            wrong += "broken list; ";
            break;
        }
        links.push_back(l);
    }
    return links;
}

} // namespace

std::string Inspector::check() {
    std::string wrong;
    const auto that = [&wrong](bool good, const Thread &t, const char *what) {
        if (!good)
            wrong += std::string(t.name()) + ": " + what + "; ";
    };
    std::vector<Thread *> ready;
    for (unsigned p = 0; p < priorities; ++p) {
        const auto links = links_of(scheduler.ready_[p], wrong);
        if (links.empty() == scheduler.set_.contains(p))
            wrong += "set and list differ at " + std::to_string(p) + "; ";
        for (Link *l : links) {
            Thread &t = Scheduler::thread_of(*l);
            that(t.priority_ == p, t, "in another priority's list");
            ready.push_back(&t);
        }
    }
    Thread &current = *scheduler.current_;
    if (scheduler.lock_depth_ == 0) {
        that(current.state_ == ThreadState::ready, current, "runs, but is not ready");
        that(&current == &scheduler.best(), current, "runs, but is not the best");
        if (scheduler.need_resched_)
            wrong += "a switch is due with IRQs open; ";
    }
    for (Thread *t = Thread::next_of_all(nullptr); t; t = Thread::next_of_all(t)) {
        const bool in_list = std::find(ready.begin(), ready.end(), t) != ready.end();
        that(in_list == (t->state_ == ThreadState::ready), *t, "state and ready list differ");
        that(t->priority_ == Scheduler::effective(*t), *t, "priority is not that of itself and its mutexes");
        that(!t->timeout_.active() || t->state_ == ThreadState::waiting, *t, "a timeout without a wait");
        that(t->state_ != ThreadState::suspended ||
                 (t->wake_work_ & (Thread::wake_suspended | Thread::wake_throttled)),
             *t, "suspended by nobody");
        that(!t->queue_ || t->state_ == ThreadState::waiting, *t, "in a queue, but not waiting");
        that(!t->blocked_on_ || t->queue_ == &t->blocked_on_->waiters_, *t, "blocked on another mutex");
        that(!t->blocked_on_ || t->blocked_on_->owner_ || scheduler.lock_depth_ != 0, *t,
             "waits for a free mutex");
        if (t->queue_) {
            const auto links = links_of(t->queue_->waiters_, wrong);
            that(std::find(links.begin(), links.end(), static_cast<Link *>(t)) != links.end(), *t,
                 "not in its queue");
            if (t->queue_->order() == WaitOrder::priority)
                that(std::is_sorted(links.begin(), links.end(),
                                    [](Link *a, Link *b) {
                                        return Scheduler::thread_of(*a).priority_ <
                                               Scheduler::thread_of(*b).priority_;
                                    }),
                     *t, "its queue is not in order");
        }
        for (Link *l : links_of(t->held_, wrong)) {
            const Mutex &m = Mutex::of(*l);
            that(m.owner_ == t && m.holds_ > 0, *t, "holds a mutex of another's");
            that(!t->has_ended() || scheduler.lock_depth_ != 0, *t, "has ended with a mutex");
        }
    }
    return wrong;
}

} // namespace rtos
