/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The executive's window, 0xfe800000 to 0xff7fffff, the same in every address
 * space. Literals only: assembly, linker scripts and C++ read it.
 * docs/memory-map.md draws it.
 */
#ifndef RTMUX_LAYOUT_H
#define RTMUX_LAYOUT_H

/* RTMux's RAM, linear: virtual = physical - BOARD_RAM_BASE + RTMUX_RAM_VA */
#define RTMUX_RAM_VA 0xfe800000
#define RTMUX_EXEC_VA 0xfe800000
#define RTMUX_EXEC_SIZE 0x001c0000
#define RTMUX_VBUS_VA 0xfe9c0000
#define RTMUX_VBUS_MAX 0x00040000
#define RTMUX_RTOS_VA 0xfea00000
#define RTMUX_RTOS_SIZE 0x00200000

/* Guest memory seen through 1 MiB slots */
#define RTMUX_SLOTS_VA 0xfec00000
#define RTMUX_SLOTS 4

/* 0xff000000 is RTMUX_SHARED of rtmux/abi/guest.h */

/* Registers of devices that the executive and the RTOS use, a page each */
#define RTMUX_DEVICE_VA 0xff100000

/* Guest translation tables seen through 1 MiB slots */
#define RTMUX_TABLE_SLOTS_VA 0xff200000
#define RTMUX_TABLE_SLOTS 4

#endif /* RTMUX_LAYOUT_H */
