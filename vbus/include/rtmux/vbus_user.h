/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * What Linux programs read from and write to /dev/vbus-<channel>: each read
 * returns one record, each write sends one, this header and then the payload.
 * See docs/vbus.md, "The Linux device", for blocking, poll and errors.
 */
#ifndef RTMUX_VBUS_USER_H
#define RTMUX_VBUS_USER_H

#ifdef __KERNEL__
#include <linux/types.h>
#else
#include <stdint.h>
#endif

struct vbus_user_header {
	uint32_t type;      /* 0 to 65535, the application's */
	uint32_t flags;     /* 0 to 65535, the application's */
	uint64_t timestamp; /* from the RTOS: its RT clock; to it: carried unchanged */
};

#endif /* RTMUX_VBUS_USER_H */
