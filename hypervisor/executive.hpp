// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "board.h"
#include "boot/image.hpp"

#include <cstdint>

namespace rtmux::executive {

// The image at the top of RAM, and the guest's memory between RTMux's and it.
const Image &image();
// Checks the data of the guest's parts and reports what is wrong, once: they
// cannot change. With IRQs open.
void check_guest_image();
constexpr uint32_t guest_base() {
    return uint32_t{BOARD_RAM_BASE} + BOARD_RTMUX_SIZE;
}
extern uint32_t guest_bytes; // set once, at boot
inline uint32_t guest_size() {
    return guest_bytes;
}

} // namespace rtmux::executive
