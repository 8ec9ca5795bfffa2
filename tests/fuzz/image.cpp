// SPDX-License-Identifier: GPL-2.0-only
// Any bytes as an image. The header's checksum is put right first, or nothing would get past it.
#include "image.hpp"
#include "fake_physical.hpp"
#include "realview-pb-a8/board.h"

using namespace rtmux;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
    constexpr uint32_t base = 0x7e0ff000;
    Bytes file(data, data + size);
    if (file.size() >= RTMUX_IMAGE_HEADER_SIZE) {
        rtmux_image_header header;
        memcpy(&header, file.data(), sizeof header);
        header.crc32 = 0;
        memcpy(file.data(), &header, sizeof header);
        crc32_prepare();
        header.crc32 = crc32(0, file.data(), RTMUX_IMAGE_HEADER_SIZE);
        memcpy(file.data(), &header, sizeof header);
    }
    FakePhysical physical{base, file};
    const auto available = static_cast<uint32_t>(file.size());
    Image image = check_image(physical, base, {BOARD_NAME, available, 64 << 20});
    check_guest_parts(physical, image);
    for (uint32_t type = 1; type < image_part_types; type++)
        if (image.part[RTMUX_PART_NONE].usable() && image.part[type].usable() &&
            (image.part[type].pa < base + RTMUX_IMAGE_HEADER_SIZE || image.part[type].pa - base > available ||
             image.part[type].length > available - (image.part[type].pa - base)))
            __builtin_trap();
    return 0;
}
