// SPDX-License-Identifier: BSD-3-Clause
#include "timer_heap.hpp"

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

[[gnu::always_inline]] inline bool TimerHeap::rise(Timer &t) {
    bool moved = false;
    while (t.parent_ && t.deadline_ < t.parent_->deadline_) {
        swap_with_parent(t);
        moved = true;
    }
    return moved;
}

[[gnu::always_inline]] inline void TimerHeap::sink(Timer &t) {
    // The heap is complete: without a left child there is no right one.
    while (Timer *least = t.child_[0]) {
        if (t.child_[1] && t.child_[1]->deadline_ < least->deadline_)
            least = t.child_[1];
        if (t.deadline_ <= least->deadline_)
            return;
        swap_with_parent(*least);
    }
}

void TimerHeap::insert(Timer &t, Time deadline) {
    t.deadline_ = deadline;
    t.child_[0] = t.child_[1] = nullptr;
    t.parent_ = nullptr;
    t.active_ = true;
    const uint32_t position = ++size_;
    if (position == 1) {
        root_ = &t;
        return;
    }
    Timer *parent = root_;
    for (int bit = static_cast<int>(std::bit_width(position)) - 2; bit > 0; --bit)
        parent = parent->child_[position >> bit & 1];
    adopt(*parent, position & 1, &t);
    rise(t);
}

void TimerHeap::remove(Timer &t) {
    Timer *last = root_;
    for (int bit = static_cast<int>(std::bit_width(size_)) - 2; bit >= 0; --bit)
        last = last->child_[size_ >> bit & 1];
    link_to(*last) = nullptr;
    --size_;
    t.active_ = false;
    if (last == &t)
        return;
    link_to(t) = last;
    last->parent_ = t.parent_;
    adopt(*last, 0, t.child_[0]);
    adopt(*last, 1, t.child_[1]);
    if (!rise(*last))
        sink(*last);
}

} // namespace rtos
