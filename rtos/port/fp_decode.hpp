// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <stdint.h>

namespace rtos::port {

// An ARM or Thumb instruction of coprocessors 10 and 11 or of Advanced SIMD (Arm ARM A5.1, A6.3,
// A7.4 to A7.7). first and second: the halfwords of a Thumb instruction, in order.
constexpr bool is_fp_arm(uint32_t op) {
    return ((op & 0x0c000e00) == 0x0c000a00 && (op & 0x0f000000) != 0x0f000000) || // VFP, transfers
           (op & 0xfe000000) == 0xf2000000 ||                                      // data processing
           (op & 0xff100000) == 0xf4000000;                                        // structure loads, stores
}
constexpr bool is_fp_thumb(uint16_t first, uint16_t second) {
    return ((first & 0xec00) == 0xec00 && (second & 0x0e00) == 0x0a00) || (first & 0xef00) == 0xef00 ||
           (first & 0xff10) == 0xf900;
}

} // namespace rtos::port
