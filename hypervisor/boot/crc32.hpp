// SPDX-License-Identifier: GPL-2.0-only
// CRC-32 as in IEEE 802.3 and zlib: reflected polynomial 0xedb88320.
#pragma once

#include <stdint.h>

namespace rtmux {

// Makes the tables; once, before the first crc32().
void crc32_prepare();

// The checksum of what had checksum `crc`, followed by these bytes. Start with 0.
[[nodiscard]] uint32_t crc32(uint32_t crc, const uint8_t *bytes, uint32_t count);

} // namespace rtmux
