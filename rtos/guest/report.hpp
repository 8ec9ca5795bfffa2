// SPDX-License-Identifier: BSD-3-Clause
// The report of how a guest ended: a text, made in the idle thread, in nobody's time but the guest's.
#pragma once

#include <rtmux/abi/rtos.h>
#include <rtos/time.hpp>
#include <stddef.h>

namespace rtos::guest {

struct Facts {
    const char *cause;
    uint32_t life; // counted from 1
    Duration lasted;
    rtmux_guest_end end;
};

class Report {
  public:
    // In the idle thread, while no guest runs.
    void make(const Facts &facts);
    // Copy up to size bytes from offset on; returns how many there are. Any context: while a new report is
    // made there is none.
    size_t read(size_t offset, void *to, size_t size) const;

  private:
    template <class... T> void print(const char *text, T... arguments);
    void print_registers(const rtmux_guest_end &end);
    void print_faults(const rtmux_guest_end &end);
    void print_trace();
    void print_log();

    static constexpr size_t capacity = 8192, for_the_log = 5120;
    char text_[capacity] = {};
    size_t length_ = 0; // while it is made
    volatile size_t complete_ = 0;
};

} // namespace rtos::guest
