// SPDX-License-Identifier: BSD-3-Clause
#include "timer_heap.hpp"

#include "port.hpp"

#include <bit>

namespace rtos {

[[gnu::always_inline]] inline Timer *&TimerHeap::link_to(Timer &t) {
    Timer *const parent = t.parent_;
    return parent ? parent->child_[parent->child_[1] == &t] : root_;
}

[[gnu::always_inline]] inline void TimerHeap::adopt(Timer &parent, unsigned side, Timer *child) {
    parent.child_[side] = child;
    if (child)
        child->parent_ = &parent;
}

[[gnu::always_inline]] inline void TimerHeap::swap_with_parent(Timer &child) {
    Timer &parent = *child.parent_;
    const unsigned side = parent.child_[1] == &child;
    Timer *const sibling = parent.child_[side ^ 1];
    link_to(parent) = &child;
    child.parent_ = parent.parent_;
    adopt(parent, 0, child.child_[0]);
    adopt(parent, 1, child.child_[1]);
    adopt(child, side, &parent);
    adopt(child, side ^ 1, sibling);
}

// Where the link to a position is, and whose link that is.
[[gnu::always_inline]] inline Timer *&TimerHeap::place(uint32_t position, Timer *&parent) {
    Timer **link = &root_;
    parent = nullptr;
    for (int bit = static_cast<int>(std::bit_width(position)) - 2; bit >= 0; --bit) {
        parent = *link;
        link = &parent->child_[position >> bit & 1];
    }
    return *link;
}

[[gnu::noinline]] void TimerHeap::step() {
    Timer *rises = moving_;
    Timer *above = rises->parent_;
    if (!above || above->deadline_ <= rises->deadline_) {
        // The heap is complete: without a left child there is no right one.
        above = rises;
        rises = above->child_[0];
        if (Timer *const right = above->child_[1]; right && right->deadline_ < rises->deadline_)
            rises = right;
        if (!rises || above->deadline_ <= rises->deadline_) {
            moving_ = nullptr;
            return;
        }
    }
    swap_with_parent(*rises);
}

// A stack that overflows in the calls of these two does so before they change anything.
void TimerHeap::insert(Timer &t, Time deadline) {
    port::probe_stack();
    settle();
    t.deadline_ = deadline;
    t.child_[0] = t.child_[1] = nullptr;
    t.place_ = Timer::Place::heap;
    place(++size_, t.parent_) = &t;
    if (t.parent_ && deadline < t.parent_->deadline_)
        moving_ = &t;
}

void TimerHeap::remove(Timer &t) {
    port::probe_stack();
    if (moving_ != &t)
        settle();
    Timer *parent;
    Timer *&link = place(size_--, parent);
    Timer *const last = link;
    link = nullptr;
    t.place_ = Timer::Place::none;
    moving_ = nullptr;
    if (last == &t)
        return;
    link_to(t) = last;
    last->parent_ = t.parent_;
    adopt(*last, 0, t.child_[0]);
    adopt(*last, 1, t.child_[1]);
    moving_ = last;
}

} // namespace rtos
