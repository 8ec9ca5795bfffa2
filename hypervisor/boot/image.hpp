// SPDX-License-Identifier: GPL-2.0-only
// The image of rtmux/abi/image.h: what is in it, and what is wrong with it.
// Specification: docs/image.md.
#pragma once

#include "crc32.hpp"
#include "physical.hpp"
#include "rtmux/abi/image.h"

namespace rtmux {

enum class ImageError : uint8_t {
    none,
    // of the header
    unreadable,
    bad_magic,
    bad_version,
    bad_header_checksum,
    bad_branch,
    bad_reserved,
    bad_policy,
    bad_length,
    longer_than_memory,
    bad_part_count,
    wrong_board,
    unknown_part,
    // of a part
    missing,
    duplicate,
    misplaced,
    unaligned,
    empty,
    outside_image,
    overlap,
    bad_memory_size,
    too_large,
    bad_checksum,
    count_
};

// One line, without the name of the part.
[[nodiscard]] const char *describe(ImageError error);
// "executive", "RTOS", "kernel", ...; "header" for RTMUX_PART_NONE.
[[nodiscard]] const char *part_name(uint32_t type);

constexpr uint32_t image_part_types = RTMUX_PART_BOOTARGS + 1;
constexpr uint32_t bootargs_max = RTMUX_IMAGE_BOOTARGS_MAX;

struct ImagePart {
    uint32_t pa = 0;
    uint32_t length = 0;
    uint32_t memory_size = 0;
    uint32_t crc32 = 0; // as the header states it
    ImageError error = ImageError::missing;

    [[nodiscard]] bool usable() const { return error == ImageError::none; }
};

// part[RTMUX_PART_NONE].error is the header's verdict; if it is not none, the
// rest says nothing. part[type] is valid if its error is none.
struct Image {
    uint32_t pa = 0;
    uint32_t length = 0;
    uint32_t policy = 0, watchdog_ms = 0;    // of the guest, as the header has them
    uint32_t kernel_va = 0, kernel_log = 0; // as the kernel's entry has them
    ImagePart part[image_part_types];

    // Executive and RTOS are good: the real-time side can run, whatever the guest's parts are.
    [[nodiscard]] bool rtos_usable() const;
    // All the guest's parts are good; an initrd and a command line need not be there.
    [[nodiscard]] bool guest_usable() const;
    // To be reported: everything not none, but a missing initrd or command line, and what a bad header tells.
    [[nodiscard]] bool faulty(uint32_t type) const;
};

// What the image must fit.
struct ImageLimits {
    const char *board;  // BOARD_NAME
    uint32_t available; // bytes of memory from the start of the image
    uint32_t guest_ram; // bytes the guest gets
};

// The checks that need no other memory than the header page: its first
// sizeof(rtmux_image_header) bytes and the checksum of the page with the field
// crc32 taken as 0. Leaves in image.part[].error what is known so far.
void check_image_header(Image &image, const rtmux_image_header &header, uint32_t page_crc,
                        const ImageLimits &limits);

// Where the parts go in the guest's RAM [base, base + size), base a multiple of
// 2 MiB: the kernel at base + 0x8000, the initrd at the top, the device tree in
// an aligned area (so in one 1 MiB slot) of device_tree_room bytes below it.
struct GuestPlacement {
    bool fits = false;
    uint32_t kernel = 0;
    uint32_t device_tree = 0;
    uint32_t initrd = 0; // 0: none
};
constexpr uint32_t device_tree_room = RTMUX_IMAGE_DEVICE_TREE_MAX; // a power of two
[[nodiscard]] GuestPlacement place_guest(uint32_t kernel_memory, uint32_t initrd_length, uint32_t base,
                                         uint32_t size);

// The checksums of the parts [first, last] that nothing is wrong with so far. Works through all their bytes.
template <class Physical>
void check_part_data(Physical &physical, Image &image, uint32_t first, uint32_t last) {
    for (uint32_t type = first; type <= last; type++) {
        ImagePart &part = image.part[type];
        uint32_t crc = 0;
        if (!part.usable())
            continue;
        if (!visit_physical(physical, part.pa, part.length,
                            [&crc](const uint8_t *bytes, uint32_t count) { crc = crc32(crc, bytes, count); }))
            part.error = ImageError::unreadable;
        else if (crc != part.crc32)
            part.error = ImageError::bad_checksum;
    }
}

// Checks the header of the image at pa, and the data of the parts that the real-time side needs. Those of
// the guest are checked by check_guest_parts(), when the real-time side runs already.
template <class Physical>
[[nodiscard]] Image check_image(Physical &physical, uint32_t pa, const ImageLimits &limits) {
    crc32_prepare();
    Image image;
    image.pa = pa;
    ImageError &verdict = image.part[RTMUX_PART_NONE].error;
    verdict = ImageError::unreadable;

    rtmux_image_header header;
    if (limits.available < RTMUX_IMAGE_HEADER_SIZE || !read_physical(physical, pa, &header, sizeof header))
        return image;
    const uint32_t stated = header.crc32;
    header.crc32 = 0;
    uint32_t crc = crc32(0, reinterpret_cast<const uint8_t *>(&header), sizeof header);
    header.crc32 = stated;
    if (!visit_physical(physical, pa + sizeof header, RTMUX_IMAGE_HEADER_SIZE - sizeof header,
                        [&crc](const uint8_t *bytes, uint32_t count) { crc = crc32(crc, bytes, count); }))
        return image;
    check_image_header(image, header, crc, limits);
    if (verdict == ImageError::none)
        check_part_data(physical, image, RTMUX_PART_EXECUTIVE, RTMUX_PART_RTOS);
    return image;
}

// The data of the guest's parts: megabytes, so with IRQs open.
template <class Physical> void check_guest_parts(Physical &physical, Image &image) {
    check_part_data(physical, image, RTMUX_PART_KERNEL, RTMUX_PART_BOOTARGS);
}

} // namespace rtmux
