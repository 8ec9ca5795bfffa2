// SPDX-License-Identifier: GPL-2.0-only
// Slicing-by-4: table[k][b] is the checksum of byte b followed by k zero bytes,
// so one step takes four bytes with four look-ups that do not wait for another.
#include "crc32.hpp"

#include <bit>
#include <string.h>

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
    crc = ~crc;
    const uint8_t *words_end = bytes + (count & ~3u);
    const uint8_t *end = bytes + count;
    while (bytes != words_end) {
        uint32_t word;
        memcpy(&word, bytes, sizeof word);
        bytes += sizeof word;
        crc ^= word;
        crc = table[3][crc & 0xff] ^ table[2][(crc >> 8) & 0xff] ^ table[1][(crc >> 16) & 0xff] ^
              table[0][crc >> 24];
    }
    while (bytes != end)
        crc = (crc >> 8) ^ table[0][(crc ^ *bytes++) & 0xff];
    return ~crc;
}

} // namespace rtmux
