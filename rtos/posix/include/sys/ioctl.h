/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef _SYS_IOCTL_H
#define _SYS_IOCTL_H

#ifdef __cplusplus
extern "C" {
#endif

/* Of any device: bytes that read() would give at once, to an int. */
#define FIONREAD 0x541b

/* What a device makes of request is its own affair: rt_device_control's cmd and args. */
int ioctl(int __fd, int __request, ...);

#ifdef __cplusplus
}
#endif
#endif
