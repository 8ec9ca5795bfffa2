// SPDX-License-Identifier: GPL-2.0-only
//
// The PB-A8 with an interrupt controller and a counter of the test's.
#pragma once

#include "realview-pb-a8/board.h"
#include "realview-pb-a8/devices.hpp"

#include <cstdint>

namespace board {

struct InterruptController {
    static inline bool enabled[line_count];
    static void enable(uint32_t line);
    static void disable(uint32_t line);
    static void forget(uint32_t line);
};

struct Counter {
    static inline uint32_t now;
    static uint32_t read() { return ++now; }
};

} // namespace board
