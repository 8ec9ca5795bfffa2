// SPDX-License-Identifier: GPL-2.0-only
#include "image.hpp"

#include "rtmux/abi/life.h"

#include "rtmux/layout.h"

namespace rtmux {

namespace {

constexpr uint32_t page = 4096;
constexpr uint32_t branch_to_executive = 0xea000000 | (RTMUX_IMAGE_HEADER_SIZE - 8) / 4; // "b", pc + 8
constexpr uint32_t kernel_offset = RTMUX_IMAGE_KERNEL_OFFSET;

constexpr const char *messages[] = {
    "good",
    "memory cannot be read",
    "not an image (wrong magic)",
    "format version not known to this executive",
    "checksum of the header does not match",
    "first word is not the branch to the executive",
    "reserved field is not 0",
    "policy or watchdog of the guest out of range",
    "length is 0 or not a multiple of 4096",
    "longer than the memory it was loaded into",
    "number of parts out of range",
    "made for another board",
    "part of unknown type",
    "missing",
    "given twice",
    "not the first part, right after the header",
    "offset not a multiple of 4096",
    "empty",
    "reaches outside the image",
    "overlaps another part",
    "memory size smaller than length",
    "does not fit the memory it is for",
    "checksum does not match",
};
static_assert(sizeof messages / sizeof messages[0] == static_cast<unsigned>(ImageError::count_));

bool valid_policy(uint32_t policy) {
    for (uint32_t cause = 0; cause < RTMUX_POLICIES; cause++, policy >>= 4)
        if ((policy & 0xf) > RTMUX_AFTER_RESET)
            return false;
    return policy == 0;
}

ImageError header_error(const rtmux_image_header &header, uint32_t page_crc, const ImageLimits &limits) {
    if (header.magic != RTMUX_IMAGE_MAGIC)
        return ImageError::bad_magic;
    if (header.version != RTMUX_IMAGE_VERSION)
        return ImageError::bad_version;
    if (header.crc32 != page_crc)
        return ImageError::bad_header_checksum;
    if (header.branch != branch_to_executive)
        return ImageError::bad_branch;
    if (!valid_policy(header.policy) || header.watchdog_ms > RTMUX_WATCHDOG_MAX_MS)
        return ImageError::bad_policy;
    if (header.length < RTMUX_IMAGE_HEADER_SIZE || header.length % page != 0)
        return ImageError::bad_length;
    if (header.length > limits.available)
        return ImageError::longer_than_memory;
    if (header.part_count == 0 || header.part_count > RTMUX_IMAGE_MAX_PARTS)
        return ImageError::bad_part_count;
    if (strncmp(header.board, limits.board, sizeof header.board) != 0)
        return ImageError::wrong_board;
    for (uint32_t i = 0; i < header.part_count; i++)
        if (header.part[i].type == RTMUX_PART_NONE || header.part[i].type >= image_part_types)
            return ImageError::unknown_part;
    return ImageError::none;
}

uint32_t memory_limit(uint32_t type, const ImageLimits &limits) {
    switch (type) {
    case RTMUX_PART_EXECUTIVE:
        return RTMUX_EXEC_SIZE;
    case RTMUX_PART_RTOS:
        return RTMUX_RTOS_SIZE;
    case RTMUX_PART_KERNEL:
        return limits.guest_ram > kernel_offset ? limits.guest_ram - kernel_offset : 0;
    case RTMUX_PART_DEVICE_TREE:
        return device_tree_room;
    case RTMUX_PART_BOOTARGS:
        return bootargs_max;
    default:
        return limits.guest_ram;
    }
}

ImageError part_error(const rtmux_image_part &part, uint32_t index, uint32_t length,
                      const ImageLimits &limits) {
    if ((part.type == RTMUX_PART_EXECUTIVE) != (index == 0))
        return ImageError::misplaced;
    if (part.type == RTMUX_PART_EXECUTIVE && part.offset != RTMUX_IMAGE_HEADER_SIZE)
        return ImageError::misplaced;
    if (part.reserved != 0 || (part.type != RTMUX_PART_KERNEL && (part.kernel_va | part.kernel_log) != 0))
        return ImageError::bad_reserved;
    if (part.offset % page != 0)
        return ImageError::unaligned;
    if (part.length == 0)
        return ImageError::empty;
    if (part.offset < RTMUX_IMAGE_HEADER_SIZE || part.offset > length || part.length > length - part.offset)
        return ImageError::outside_image;
    if (part.memory_size < part.length)
        return ImageError::bad_memory_size;
    if (part.memory_size > memory_limit(part.type, limits))
        return ImageError::too_large;
    return ImageError::none;
}

bool optional(uint32_t type) {
    return type == RTMUX_PART_INITRD || type == RTMUX_PART_BOOTARGS;
}

} // namespace

const char *describe(ImageError error) {
    return error < ImageError::count_ ? messages[static_cast<unsigned>(error)] : "unknown error";
}

const char *part_name(uint32_t type) {
    constexpr const char *names[] = {"header",      "executive", "RTOS",        "kernel",
                                     "device tree", "initrd",    "command line"};
    static_assert(sizeof names / sizeof names[0] == image_part_types);
    return type < image_part_types ? names[type] : "unknown part";
}

bool Image::rtos_usable() const {
    return part[RTMUX_PART_NONE].usable() && part[RTMUX_PART_EXECUTIVE].usable() &&
           part[RTMUX_PART_RTOS].usable();
}

bool Image::faulty(uint32_t type) const {
    if (type != RTMUX_PART_NONE && !part[RTMUX_PART_NONE].usable())
        return false; // nothing is known of it
    return !part[type].usable() && !(optional(type) && part[type].error == ImageError::missing);
}

bool Image::guest_usable() const {
    return part[RTMUX_PART_NONE].usable() && !faulty(RTMUX_PART_KERNEL) && !faulty(RTMUX_PART_DEVICE_TREE) &&
           !faulty(RTMUX_PART_INITRD) && !faulty(RTMUX_PART_BOOTARGS);
}

void check_image_header(Image &image, const rtmux_image_header &header, uint32_t page_crc,
                        const ImageLimits &limits) {
    ImagePart &verdict = image.part[RTMUX_PART_NONE];
    verdict.error = header_error(header, page_crc, limits);
    if (verdict.error != ImageError::none)
        return;
    image.length = header.length;
    image.policy = header.policy;
    image.watchdog_ms = header.watchdog_ms;

    for (uint32_t i = 0; i < header.part_count; i++) {
        const rtmux_image_part &entry = header.part[i];
        ImagePart &part = image.part[entry.type];
        if (part.error != ImageError::missing) {
            part.error = ImageError::duplicate;
            continue;
        }
        part.error = part_error(entry, i, header.length, limits);
        part.pa = image.pa + entry.offset;
        part.length = entry.length;
        part.memory_size = entry.memory_size;
        part.crc32 = entry.crc32;
        if (entry.type == RTMUX_PART_KERNEL) {
            image.kernel_va = entry.kernel_va;
            image.kernel_log = entry.kernel_log;
        }
    }

    // Types are numbered by what depends on them: of two that overlap, the one
    // less needed is refused, and its checksum is not looked at.
    for (uint32_t type = 1; type < image_part_types; type++)
        for (uint32_t other = 1; other < type; other++) {
            ImagePart &part = image.part[type];
            const ImagePart &needed = image.part[other];
            if (part.usable() && needed.usable() && part.pa < needed.pa + needed.length &&
                needed.pa < part.pa + part.length)
                part.error = ImageError::overlap;
        }

    ImagePart &initrd = image.part[RTMUX_PART_INITRD];
    ImagePart &kernel = image.part[RTMUX_PART_KERNEL];
    if (kernel.usable() && !place_guest(kernel.memory_size, 0, 0, limits.guest_ram).fits)
        kernel.error = ImageError::too_large;
    if (kernel.usable() && initrd.usable() &&
        !place_guest(kernel.memory_size, initrd.length, 0, limits.guest_ram).fits)
        initrd.error = ImageError::too_large;
}

GuestPlacement place_guest(uint32_t kernel_memory, uint32_t initrd_length, uint32_t base, uint32_t size) {
    GuestPlacement place;
    // Offsets first: nothing overflows, as each step takes from what is left.
    uint32_t top = size & ~(page - 1);
    if (initrd_length > top)
        return place;
    top = (top - initrd_length) & ~(page - 1);
    const uint32_t initrd = top;
    top &= ~(device_tree_room - 1);
    if (top < device_tree_room)
        return place;
    top -= device_tree_room;
    if (top < kernel_offset || kernel_memory > top - kernel_offset)
        return place;
    place.fits = true;
    place.kernel = base + kernel_offset;
    place.device_tree = base + top;
    place.initrd = initrd_length != 0 ? base + initrd : 0;
    return place;
}

} // namespace rtmux
