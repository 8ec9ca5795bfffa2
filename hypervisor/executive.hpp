// SPDX-License-Identifier: GPL-2.0-only
#pragma once

#include "boot/image.hpp"

#include <cstdint>

namespace rtmux::executive {

// The image at the top of RAM, and the guest's memory between RTMux's and it.
const Image &image();
// Checks the data of the guest's parts and reports what is wrong, once: they
// cannot change. With IRQs open.
void check_guest_image();
uint32_t guest_base();
uint32_t guest_size();

} // namespace rtmux::executive
