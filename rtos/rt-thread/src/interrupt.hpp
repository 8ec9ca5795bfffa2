// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <rtthread.h>

namespace rt {

// Around an application's function in interrupt context: rt_interrupt_get_nest() counts it, and the hooks see
// it.
class InterruptNesting {
  public:
    InterruptNesting() { rt_interrupt_enter(); }
    InterruptNesting(const InterruptNesting &) = delete;
    InterruptNesting &operator=(const InterruptNesting &) = delete;
    ~InterruptNesting() { rt_interrupt_leave(); }
};

} // namespace rt
