// SPDX-License-Identifier: GPL-2.0-only
//
// The Physical of boot/physical.hpp: RAM, a slot of the window at a time.
#pragma once

#include "board.h"
#include "mmu/window.hpp"

namespace rtmux {

struct ImageMemory {
    static const uint8_t *map(uint32_t pa, uint32_t &available) {
        if (pa - BOARD_RAM_BASE >= BOARD_RAM_SIZE)
            return nullptr;
        constexpr uint32_t megabyte = 1u << 20;
        available = megabyte - pa % megabyte;
        return window::slot(pa);
    }
};

} // namespace rtmux
