// SPDX-License-Identifier: GPL-2.0-only
#include "fake_physical.hpp"
#include "image.hpp"
#include "realview-pb-a8/board.h"

#include <cstddef>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>

using namespace rtmux;

namespace {

constexpr uint32_t base = 0x7e0ff000; // the image starts a page before the end of a slot
constexpr uint32_t guest_ram = 64 << 20;

Image check(const Bytes &file, uint32_t ram = guest_ram, uint32_t slot = 1 << 20) {
    FakePhysical physical{base, file, slot};
    Image image = check_image(physical, base, {BOARD_NAME, static_cast<uint32_t>(file.size()), ram});
    check_guest_parts(physical, image);
    return image;
}

ImageError header_verdict(const Bytes &file) {
    return check(file).part[RTMUX_PART_NONE].error;
}

// An image with its header changed and signed anew.
Bytes changed(const std::function<void(rtmux_image_header &)> &change) {
    Bytes file = load_file("rtmux.img");
    rtmux_image_header header;
    memcpy(&header, file.data(), sizeof header);
    change(header);
    header.crc32 = 0;
    memcpy(file.data(), &header, sizeof header);
    crc32_prepare();
    header.crc32 = crc32(0, file.data(), RTMUX_IMAGE_HEADER_SIZE);
    memcpy(file.data(), &header, sizeof header);
    return file;
}

rtmux_image_part &entry(rtmux_image_header &header, uint32_t type) {
    for (rtmux_image_part &part : header.part)
        if (part.type == type)
            return part;
    throw std::logic_error("no such part");
}

ImageError part_verdict(uint32_t type, const std::function<void(rtmux_image_part &)> &change) {
    const Image image = check(changed([&](rtmux_image_header &header) { change(entry(header, type)); }));
    EXPECT_EQ(image.part[RTMUX_PART_NONE].error, ImageError::none);
    return image.part[type].error;
}

} // namespace

TEST(Crc32, KnownValueHoweverItIsCut) {
    crc32_prepare();
    const auto *text = reinterpret_cast<const uint8_t *>("123456789");
    for (uint32_t cut = 0; cut <= 9; cut++)
        EXPECT_EQ(crc32(crc32(0, text, cut), text + cut, 9 - cut), 0xcbf43926u); // the check value of CRC-32
    const Bytes zeros(4097);
    EXPECT_EQ(crc32(0, zeros.data(), 4096), 0xc71c0011u); // zlib.crc32(bytes(4096))
    EXPECT_EQ(crc32(0, zeros.data() + 1, 4096), 0xc71c0011u);
}

TEST(Image, WhatMkimageWritesIsGood) {
    const Bytes file = load_file("rtmux.img");
    ASSERT_GT(file.size(), RTMUX_IMAGE_HEADER_SIZE);
    for (const uint32_t slot : {1u << 20, 4096u, 52u, 7u}) {
        const Image image = check(file, guest_ram, slot);
        EXPECT_EQ(image.length, file.size());
        for (uint32_t type = 0; type < image_part_types; type++)
            EXPECT_EQ(image.part[type].error, ImageError::none) << part_name(type);
        EXPECT_TRUE(image.rtos_usable() && image.guest_usable());
        const ImagePart &kernel = image.part[RTMUX_PART_KERNEL];
        const Bytes original = load_file("Image");
        ASSERT_EQ(kernel.length, original.size());
        EXPECT_EQ(kernel.memory_size, original.size() + 0x5000); // the BSS of make_parts.py
        EXPECT_EQ(image.kernel_log - image.kernel_va, 0x1234u);  // its prb
        EXPECT_EQ(image.policy | image.watchdog_ms, 0u);
        EXPECT_TRUE(std::equal(original.begin(), original.end(), file.begin() + (kernel.pa - base)));
        const ImagePart &text = image.part[RTMUX_PART_BOOTARGS];
        EXPECT_EQ(std::string(file.begin() + (text.pa - base), file.begin() + (text.pa - base) + text.length),
                  "console=ttyAMA0 quiet");
    }
}

TEST(Image, HeaderFields) {
    using Header = rtmux_image_header;
    EXPECT_EQ(header_verdict(changed([](Header &h) { h.magic ^= 1; })), ImageError::bad_magic);
    EXPECT_EQ(header_verdict(changed([](Header &h) { h.version++; })), ImageError::bad_version);
    EXPECT_EQ(header_verdict(changed([](Header &h) { h.branch++; })), ImageError::bad_branch);
    for (const uint32_t policy : {0u, 0x33333u, 0x12301u}) {
        const Image good = check(changed([=](Header &h) { h.policy = policy, h.watchdog_ms = 3600000; }));
        EXPECT_EQ(good.part[0].error, ImageError::none);
        EXPECT_EQ(good.policy, policy);
        EXPECT_EQ(good.watchdog_ms, 3600000u);
    }
    for (const uint32_t policy : {4u, 0x400u, 0xf0000u, 0x100000u, 0x80000000u})
        EXPECT_EQ(header_verdict(changed([=](Header &h) { h.policy = policy; })), ImageError::bad_policy);
    EXPECT_EQ(header_verdict(changed([](Header &h) { h.watchdog_ms = 3600001; })), ImageError::bad_policy);
    EXPECT_EQ(header_verdict(changed([](Header &h) { h.length = 0; })), ImageError::bad_length);
    EXPECT_EQ(header_verdict(changed([](Header &h) { h.length++; })), ImageError::bad_length);
    EXPECT_EQ(header_verdict(changed([](Header &h) { h.length += 4096; })), ImageError::longer_than_memory);
    EXPECT_EQ(header_verdict(changed([](Header &h) { h.length = 0xfffff000; })),
              ImageError::longer_than_memory);
    EXPECT_EQ(header_verdict(changed([](Header &h) { h.part_count = 0; })), ImageError::bad_part_count);
    EXPECT_EQ(header_verdict(changed([](Header &h) { h.part_count = 9; })), ImageError::bad_part_count);
    EXPECT_EQ(header_verdict(changed([](Header &h) { h.part_count = UINT32_MAX; })),
              ImageError::bad_part_count);
    EXPECT_EQ(header_verdict(changed([](Header &h) { h.board[0] = 'x'; })), ImageError::wrong_board);
    EXPECT_EQ(header_verdict(changed([](Header &h) { memset(h.board, 'x', sizeof h.board); })),
              ImageError::wrong_board);
    EXPECT_EQ(header_verdict(changed([](Header &h) { h.part[2].type = 0; })), ImageError::unknown_part);
    EXPECT_EQ(header_verdict(changed([](Header &h) { h.part[2].type = 7; })), ImageError::unknown_part);
    EXPECT_EQ(header_verdict(changed([](Header &h) { h.part[2].type = UINT32_MAX; })),
              ImageError::unknown_part);
}

TEST(Image, OfABadHeaderNothingElseIsReported) {
    const Image image = check(changed([](rtmux_image_header &h) { h.version++; }));
    EXPECT_TRUE(image.faulty(RTMUX_PART_NONE));
    for (uint32_t type = RTMUX_PART_EXECUTIVE; type < image_part_types; type++)
        EXPECT_FALSE(image.faulty(type)) << part_name(type);
    EXPECT_FALSE(image.rtos_usable() || image.guest_usable());
}

TEST(Image, EveryBitOfTheHeaderPageCounts) {
    const Bytes good = load_file("rtmux.img");
    for (uint32_t bit = 0; bit < RTMUX_IMAGE_HEADER_SIZE * 8; bit += bit < 0x140 * 8 ? 1 : 61) {
        Bytes file = good;
        file[bit / 8] ^= static_cast<uint8_t>(1 << bit % 8);
        const ImageError expected =
            bit / 32 == offsetof(rtmux_image_header, magic) / 4     ? ImageError::bad_magic
            : bit / 32 == offsetof(rtmux_image_header, version) / 4 ? ImageError::bad_version
                                                                    : ImageError::bad_header_checksum;
        ASSERT_EQ(header_verdict(file), expected) << "bit " << bit;
    }
}

TEST(Image, TooShortForAHeader) {
    for (const size_t size : {0, 1, 0x40, 4095})
        EXPECT_EQ(header_verdict(Bytes(size)), ImageError::unreadable);
}

TEST(Image, PartFields) {
    using Part = rtmux_image_part;
    for (const uint32_t type : {RTMUX_PART_RTOS, RTMUX_PART_KERNEL, RTMUX_PART_DEVICE_TREE, RTMUX_PART_INITRD,
                                RTMUX_PART_BOOTARGS}) {
        SCOPED_TRACE(part_name(type));
        EXPECT_EQ(part_verdict(type, [](Part &p) { p.offset++; }), ImageError::unaligned);
        EXPECT_EQ(part_verdict(type, [](Part &p) { p.offset = 0; }), ImageError::outside_image);
        EXPECT_EQ(part_verdict(type, [](Part &p) { p.offset = 0xfffff000; }), ImageError::outside_image);
        EXPECT_EQ(part_verdict(type, [](Part &p) { p.length = 0; }), ImageError::empty);
        EXPECT_EQ(part_verdict(type, [](Part &p) { p.length = p.memory_size = 0xfffff000; }),
                  ImageError::outside_image);
        EXPECT_EQ(part_verdict(type, [](Part &p) { p.length = UINT32_MAX - p.offset + 1; }),
                  ImageError::outside_image);
        EXPECT_EQ(part_verdict(type, [](Part &p) { p.memory_size = p.length - 1; }),
                  ImageError::bad_memory_size);
        EXPECT_EQ(part_verdict(type, [](Part &p) { p.memory_size = UINT32_MAX; }), ImageError::too_large);
        EXPECT_EQ(part_verdict(type, [](Part &p) { p.crc32 ^= 0x80000000; }), ImageError::bad_checksum);
        EXPECT_EQ(part_verdict(type, [](Part &p) { p.reserved = 1; }), ImageError::bad_reserved);
        const ImageError kernels = type == RTMUX_PART_KERNEL ? ImageError::none : ImageError::bad_reserved;
        EXPECT_EQ(part_verdict(type, [](Part &p) { p.kernel_va = 1; }), kernels);
        EXPECT_EQ(part_verdict(type, [](Part &p) { p.kernel_log = 0x80000000; }), kernels);
    }
    EXPECT_EQ(part_verdict(RTMUX_PART_EXECUTIVE, [](Part &p) { p.offset = 8192; }), ImageError::misplaced);
    const Image swapped = check(changed([](rtmux_image_header &h) { std::swap(h.part[0], h.part[1]); }));
    EXPECT_EQ(swapped.part[RTMUX_PART_EXECUTIVE].error, ImageError::misplaced);
    EXPECT_FALSE(swapped.rtos_usable());
}

TEST(Image, EveryPartIsSummed) {
    const Bytes good = load_file("rtmux.img");
    const Image image = check(good);
    for (uint32_t type = 1; type < image_part_types; type++)
        for (const uint32_t at : {0u, image.part[type].length / 2, image.part[type].length - 1}) {
            Bytes file = good;
            file[image.part[type].pa - base + at] ^= 0x10;
            const Image bad = check(file);
            for (uint32_t other = 0; other < image_part_types; other++)
                EXPECT_EQ(bad.part[other].error, other == type ? ImageError::bad_checksum : ImageError::none);
            // A bad guest does not take the RTOS with it, nor the other way round.
            EXPECT_EQ(bad.rtos_usable(), type > RTMUX_PART_RTOS);
            EXPECT_EQ(bad.guest_usable(), type <= RTMUX_PART_RTOS);
        }
}

TEST(Image, OverlapIsBlamedOnTheLessNeeded) {
    Image image = check(changed([](rtmux_image_header &h) {
        entry(h, RTMUX_PART_KERNEL).offset = entry(h, RTMUX_PART_RTOS).offset;
    }));
    EXPECT_EQ(image.part[RTMUX_PART_KERNEL].error, ImageError::overlap);
    EXPECT_TRUE(image.rtos_usable());
    image = check(changed([](rtmux_image_header &h) {
        rtmux_image_part &rtos = entry(h, RTMUX_PART_RTOS);
        rtos.offset = RTMUX_IMAGE_HEADER_SIZE;
    }));
    EXPECT_EQ(image.part[RTMUX_PART_RTOS].error, ImageError::overlap);
    EXPECT_FALSE(image.rtos_usable());
}

TEST(Image, MissingAndDuplicateParts) {
    const auto without = [](uint32_t type) {
        return check(changed([type](rtmux_image_header &h) {
            rtmux_image_part *gone = &entry(h, type);
            std::copy(gone + 1, h.part + h.part_count, gone);
            h.part[--h.part_count] = {};
        }));
    };
    for (uint32_t type = RTMUX_PART_RTOS; type < image_part_types; type++) {
        const Image image = without(type);
        EXPECT_EQ(image.part[type].error, ImageError::missing);
        const bool optional = type == RTMUX_PART_INITRD || type == RTMUX_PART_BOOTARGS;
        EXPECT_EQ(image.faulty(type), !optional);
        EXPECT_EQ(image.rtos_usable(), type != RTMUX_PART_RTOS);
        EXPECT_EQ(image.guest_usable(), optional || type == RTMUX_PART_RTOS);
    }
    const Image twice = check(changed([](rtmux_image_header &h) { h.part[5].type = RTMUX_PART_KERNEL; }));
    EXPECT_EQ(twice.part[RTMUX_PART_KERNEL].error, ImageError::duplicate);
    EXPECT_FALSE(twice.guest_usable());
    EXPECT_TRUE(twice.rtos_usable());
}

TEST(Image, MustFitTheGuest) {
    const Bytes file = load_file("rtmux.img");
    const Image good = check(file);
    const uint32_t kernel = good.part[RTMUX_PART_KERNEL].memory_size;
    const uint32_t initrd = good.part[RTMUX_PART_INITRD].length;
    for (uint32_t ram = 0; ram < 2 << 20; ram += 4096) {
        const Image image = check(file, ram);
        EXPECT_EQ(image.guest_usable(), place_guest(kernel, initrd, 0x70400000, ram).fits) << ram;
        EXPECT_TRUE(image.rtos_usable());
    }
    EXPECT_EQ(check(file, 0).part[RTMUX_PART_KERNEL].error, ImageError::too_large);
}

TEST(PlaceGuest, NothingOverlaps) {
    for (const uint32_t size :
         {0u, 1u, 0x8000u, 0x47fffu, 0x100000u, 0x103000u, 0x1000000u, 0xc000000u, 0xfffffu})
        for (const uint32_t kernel : {1u, 0x1000u, 0xb8000u, 0xfffff000u})
            for (const uint32_t initrd : {0u, 1u, 0x1000u, 0x20001u, 0xffffffffu}) {
                const uint32_t ram = 0x70400000;
                const GuestPlacement place = place_guest(kernel, initrd, ram, size);
                if (!place.fits)
                    continue;
                EXPECT_EQ(place.kernel, ram + 0x8000);
                EXPECT_LE(uint64_t{place.kernel} + kernel, place.device_tree);
                EXPECT_EQ(place.device_tree % device_tree_room, 0u);
                const uint64_t end = uint64_t{ram} + size;
                EXPECT_LE(uint64_t{place.device_tree} + device_tree_room, initrd != 0 ? place.initrd : end);
                EXPECT_EQ(place.initrd % 4096, 0u);
                EXPECT_LE(uint64_t{place.initrd} + initrd, end);
            }
    EXPECT_TRUE(place_guest(0x600000, 0x400000, 0x70400000, 0xb000000).fits);
    EXPECT_FALSE(place_guest(0x600000, 0x400000, 0x70400000, 0xa00000).fits);
}

TEST(Image, EveryErrorHasItsText) {
    for (unsigned i = 0; i < static_cast<unsigned>(ImageError::count_); i++) {
        const std::string text = describe(static_cast<ImageError>(i));
        EXPECT_FALSE(text.empty() || text == "unknown error" || text.find('\n') != std::string::npos);
    }
}
