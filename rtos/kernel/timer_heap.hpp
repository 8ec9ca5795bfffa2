// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <rtos/timer.hpp>

namespace rtos {

// The active timers as an intrusive complete binary heap, earliest deadline at the root:
//
//          1            The number is a timer's position. The bits below the top bit of a
//        2   3          position are the path to it from the root: 6 = 110 is right, left.
//       4 5 6 .
//
// Complete, so its depth is log2(n) in the worst case, not only on average, and no memory
// is needed beyond the timers. The caller masks IRQs.
//
// insert and remove are one function each, all inlined: a stack that overflows in their call
// does so before they change anything.
class TimerHeap {
  public:
    Timer *first() const { return root_; }

    void insert(Timer &t, Time deadline);
    // t must be in the heap.
    void remove(Timer &t);

  private:
    Timer *&link_to(Timer &t);
    static void adopt(Timer &parent, unsigned side, Timer *child);
    void swap_with_parent(Timer &child);
    bool rise(Timer &t);
    void sink(Timer &t);

    Timer *root_ = nullptr;
    uint32_t size_ = 0;
};

} // namespace rtos
