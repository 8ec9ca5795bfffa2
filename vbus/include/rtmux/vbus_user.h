/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * /dev/vbus/<channel>, by which a process has the guest's end of a MMAP channel.
 * libvbus uses it; see docs/vbus.md, "libvbus". One process at a time: open gives
 * EBUSY to others, ENOTCONN while the RT side does not have the channel.
 *
 * mmap, shared, each of these areas by itself, at the offsets that VBUS_IOC_INFO
 * gives in channel: control (the RT side's line, a page, read only), guest_control
 * (the guest's, a page), to_guest (read only), to_rt.
 *
 * poll asks the RT side to ring. POLLIN: a record is there, or the epoch is another
 * one; POLLOUT: a record of any length fits; POLLHUP: the RT side has gone, or made
 * the region anew: close and open again.
 */
#ifndef RTMUX_VBUS_USER_H
#define RTMUX_VBUS_USER_H

#include <rtmux/vbus.h>
#ifdef __KERNEL__
#include <linux/ioctl.h>
#else
#include <sys/ioctl.h>
#endif

struct vbus_user_info {
	struct vbus_channel channel; /* of the directory, with offsets for mmap */
	uint32_t size;               /* of all areas together */
	uint32_t clock_hz;           /* of timestamps */
};

#define VBUS_IOC_INFO _IOR('v', 0x60, struct vbus_user_info)
#define VBUS_IOC_DOORBELL _IO('v', 0x61)

/* Where in the guest's control page the process keeps its struct vbus_stats, for sysfs. */
#define VBUS_USER_STATS 64

VBUS_ASSERT(sizeof(struct vbus_user_info) == 72);

#endif /* RTMUX_VBUS_USER_H */
