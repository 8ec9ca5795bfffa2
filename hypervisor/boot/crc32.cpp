// SPDX-License-Identifier: GPL-2.0-only
// Slicing-by-4: table[k][b] is the checksum of byte b followed by k zero bytes,
// so one step takes four bytes with four look-ups that do not wait for another.
#include "crc32.hpp"

#include <bit>

namespace rtmux {

static_assert(std::endian::native == std::endian::little, "a word's first byte is its lowest");

namespace {
constexpr uint32_t polynomial = 0xedb88320;
uint32_t table[4][256]; // made at boot: 4 KiB of zeroed memory, not of the image
} // namespace

void crc32_prepare() {
    for (uint32_t b = 0; b < 256; b++) {
        uint32_t crc = b;
        for (int bit = 0; bit < 8; bit++)
            crc = (crc >> 1) ^ ((crc & 1) != 0 ? polynomial : 0);
        table[0][b] = crc;
    }
    for (uint32_t b = 0; b < 256; b++)
        for (int k = 1; k < 4; k++)
            table[k][b] = (table[k - 1][b] >> 8) ^ table[0][table[k - 1][b] & 0xff];
}

uint32_t crc32(uint32_t crc, const uint8_t *bytes, uint32_t count) {
    const uint32_t *const t0 = table[0];
    const uint32_t *const t1 = table[1];
    const uint32_t *const t2 = table[2];
    const uint32_t *const t3 = table[3];
    // A freestanding compiler takes memcpy for a call.
    const auto step = [&](const uint8_t *from) {
        uint32_t word;
        __builtin_memcpy(&word, from, sizeof word);
        crc ^= word;
        crc = t3[crc & 0xff] ^ t2[crc >> 8 & 0xff] ^ t1[crc >> 16 & 0xff] ^ t0[crc >> 24];
    };
    crc = ~crc;
    for (; count >= 16; count -= 16, bytes += 16) {
        step(bytes);
        step(bytes + 4);
        step(bytes + 8);
        step(bytes + 12);
    }
    for (; count != 0; count--)
        crc = crc >> 8 ^ t0[(crc ^ *bytes++) & 0xff];
    return ~crc;
}

} // namespace rtmux
