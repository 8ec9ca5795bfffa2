// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <rtos/timer.hpp>

namespace rtos {

// Active timers as an intrusive complete binary heap, earliest deadline at the root:
//
//          1            The number is a timer's position. The bits below the top bit of a
//        2   3          position are the path to it from the root: 6 = 110 is right, left.
//       4 5 6 .
//
// Complete, so its depth is log2(n) in the worst case, not only on average, and no memory
// is needed beyond the timers. The caller masks IRQs.
//
// insert and remove leave one timer in a place where it may be too low or too high; each step() moves it one
// level, and IRQs may open between two of them. Whoever needs the order meanwhile makes the rest of the
// steps.
class TimerHeap {
  public:
    bool empty() const { return root_ == nullptr; }
    // The earliest, null: none.
    Timer *first() {
        settle();
        return root_;
    }

    void insert(Timer &t, Time deadline);
    // t must be in the heap.
    void remove(Timer &t);

    bool settled() const { return moving_ == nullptr; }
    // Only if not settled.
    void step();

  private:
    Timer *&link_to(Timer &t);
    static void adopt(Timer &parent, unsigned side, Timer *child);
    Timer *&place(uint32_t position, Timer *&parent);
    void swap_with_parent(Timer &child);
    void settle() {
        while (moving_)
            step();
    }

    Timer *root_ = nullptr;
    Timer *moving_ = nullptr; // the one that may be in a wrong place
    uint32_t size_ = 0;
};

} // namespace rtos
