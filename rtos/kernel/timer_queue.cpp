// SPDX-License-Identifier: BSD-3-Clause
// The interrupt of the timers; compiled for speed. The rest is in timer.cpp.
#include "timer_queue.hpp"

namespace rtos {

constinit TimerQueue timer_queue;

void TimerQueue::interrupt(void *queue) {
    TimerQueue &self = *static_cast<TimerQueue *>(queue);
    const uint32_t entry = port::counter();
    port::timer_acknowledge();
    self.entry_ = entry;
    Timer *t = &self.first();
    if (!is_after(low(t->deadline_), entry)) [[likely]] {
        self.expire(*t, entry);
        t = &self.first();
        if (!is_after(low(t->deadline_), entry)) [[unlikely]]
            t = &self.expire_more(*t, entry);
    }
    self.arm(*t);
}

} // namespace rtos
