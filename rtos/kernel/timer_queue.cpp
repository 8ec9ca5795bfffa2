// SPDX-License-Identifier: BSD-3-Clause
// The interrupt of the timers; compiled for speed. The rest is in timer.cpp.
#include "timer_queue.hpp"

namespace rtos {

alignas(64) [[gnu::section(".data.hot")]] constinit TimerQueue
    timer_queue; // what the interrupt needs is one line of the cache

extern "C" const volatile TimerInterrupt rtos_timer_interrupt [[gnu::alias("_ZN4rtos11timer_queueE")]];

// One timer's handler, so that IRQs are masked as long as that takes and no longer. When more of them are due
// the hardware's request is not acknowledged: it is the next interrupt, at once. Otherwise the hardware is
// armed for the next deadline before the handler runs: the clock need not be read again, and whatever the
// handler starts arms by itself if it comes earlier.
[[gnu::hot]] void TimerQueue::interrupt(void *queue) {
    TimerQueue &self = *static_cast<TimerQueue *>(queue);
    const uint32_t entry = scheduler.interrupted_at();
    Timer &t = *self.first_;
    if (is_after(low(t.deadline_), entry)) [[unlikely]] {
        port::timer_acknowledge();
        return self.arm(t.deadline_);
    }
    self.served_ = {self.expiry_, entry};
    if (t.periodic_ || !self.take_first(t)) [[unlikely]]
        self.take_slowly(t);
    const int32_t left = static_cast<int32_t>(low(self.first_->deadline_) - entry);
    if (left > 0) [[likely]] {
        port::timer_acknowledge();
        self.expiry_ = entry + port::timer_arm(static_cast<uint32_t>(left));
    }
    t.handler_(t.argument_);
}

} // namespace rtos
