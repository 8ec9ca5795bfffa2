// SPDX-License-Identifier: BSD-3-Clause
// The region, and the channels in it: what vbus.hpp's functions work on.
#pragma once

#include "vbus.hpp"

#include <region.h>
#include <rtos/async_call.hpp>

namespace vbus {

class Bus {
  public:
    Status start(const rtmux_exec &exec);
    Channel *create(const Options &options);
    Channel *find(const char *name);
    Channel *at(uint32_t index) { return index < count_ ? &channels_[index] : nullptr; }
    void doorbell(uint32_t channel);
    void guest_state(uint32_t state);
    void restart();
    const Counters &counters() const { return counters_; }

    // Let the guest look at a channel. IRQs masked.
    [[gnu::always_inline]] void ring(uint32_t channel) {
        if (vbus_mark_rung(memory_, rung_, channel))
            notify_();
    }

  private:
    static void look_after(void *self);
    bool intact();
    void format();
    void lay_out(vbus_channel &entry, const Options &options, uint32_t &used) const;

    uint8_t *memory_ = nullptr;
    uint32_t size_ = 0;
    uint32_t used_ = 0; // bytes from the start that belong to the header and to channels
    uint32_t count_ = 0;
    uint32_t epoch_ = 0;
    uint32_t rung_[2] = {};
    void (*notify_)() = nullptr;
    volatile bool guest_gone_ = false;
    rtos::AsyncCall look_after_{look_after, this};
    Counters counters_ = {};
    Channel channels_[max_channels];
};

extern Bus bus;

} // namespace vbus
