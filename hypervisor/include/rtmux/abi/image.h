/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The image file: one page of header, then the executive's binary, then the
 * other parts, each on a page boundary. All fields little endian.
 *
 * Word 0 of the file is a branch to the executive's first instruction (the
 * byte after the header page), so a boot loader enters the file at its start:
 * QEMU's -kernel, or U-Boot's go. Written by tools/mkimage.py, read by
 * hypervisor/boot/image.hpp; specification: docs/image.md.
 */
#ifndef RTMUX_ABI_IMAGE_H
#define RTMUX_ABI_IMAGE_H

#include <stddef.h>
#include <stdint.h>

#define RTMUX_IMAGE_MAGIC 0x584d5452u /* "RTMX" */
#define RTMUX_IMAGE_VERSION 1u
#define RTMUX_IMAGE_HEADER_SIZE 4096u
#define RTMUX_IMAGE_MAX_PARTS 8u

/* What the executive sets aside for these, the device tree's edits included */
#define RTMUX_IMAGE_DEVICE_TREE_MAX 0x40000u
#define RTMUX_IMAGE_BOOTARGS_MAX 1023u /* COMMAND_LINE_SIZE of arch/arm, without the 0 */
#define RTMUX_IMAGE_KERNEL_OFFSET 0x8000u /* TEXT_OFFSET: from the start of the guest's RAM */

enum rtmux_part_type {
	RTMUX_PART_NONE = 0,
	RTMUX_PART_EXECUTIVE = 1, /* raw binary, first after the header */
	RTMUX_PART_RTOS = 2,      /* ELF32 executable linked into the window */
	RTMUX_PART_KERNEL = 3,    /* Linux arch/arm/boot/Image */
	RTMUX_PART_DEVICE_TREE = 4,
	RTMUX_PART_INITRD = 5,
	RTMUX_PART_BOOTARGS = 6   /* text, not terminated */
};

struct rtmux_image_part {
	uint32_t type;        /* enum rtmux_part_type */
	uint32_t offset;      /* from the start of the file, multiple of 4096 */
	uint32_t length;      /* bytes in the file */
	uint32_t memory_size; /* bytes it needs in memory; kernel: with its BSS */
	uint32_t crc32;       /* of its bytes, as zlib.crc32 */
	uint32_t kernel_va;   /* kernel: virtual address of its first byte; others: 0 */
	uint32_t kernel_log;  /* kernel: virtual address of its variable prb, 0: not known; others: 0 */
	uint32_t reserved;    /* 0 */
};

struct rtmux_image_header {
	uint32_t branch;     /* 0x000: ARM "b" to offset 4096 */
	uint32_t magic;      /* 0x004 */
	uint32_t version;    /* 0x008 */
	uint32_t length;     /* 0x00c: of the whole file, multiple of 4096 */
	uint32_t part_count; /* 0x010 */
	uint32_t crc32;      /* 0x014: of the header page with this field 0 */
	char board[32];      /* 0x018: name, 0-terminated */
	uint32_t policy;     /* 0x038: what to do when the guest ends, rtmux/abi/life.h; 0: the defaults */
	uint32_t watchdog_ms; /* 0x03c: of the guest, from its start; 0: none */
	struct rtmux_image_part part[RTMUX_IMAGE_MAX_PARTS]; /* 0x040 */
};

#ifdef __cplusplus
static_assert(sizeof(rtmux_image_part) == 32);
static_assert(offsetof(rtmux_image_header, part) == 0x40);
static_assert(sizeof(rtmux_image_header) == 0x40 + 32 * RTMUX_IMAGE_MAX_PARTS);
#endif
#endif /* RTMUX_ABI_IMAGE_H */
