/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * rpmsg messages on a V-Bus channel whose flag VBUS_CHANNEL_RPMSG is set.
 * Specification: docs/vbus.md, "rpmsg".
 *
 * Each record is one message: struct vbus_rpmsg, then the data. Each such channel
 * has addresses of its own; any number of endpoints share it.
 */
#ifndef RTMUX_VBUS_RPMSG_H
#define RTMUX_VBUS_RPMSG_H

#include <rtmux/vbus.h>

struct vbus_rpmsg {
	uint32_t src; /* the sender's address */
	uint32_t dst; /* the receiver's */
};

/* Addresses: 53 is the name service; what is below 1024 is never given out dynamically. */
#define VBUS_RPMSG_NAME_SERVICE 53u
#define VBUS_RPMSG_RESERVED 1024u
#define VBUS_RPMSG_ANY 0xffffffffu
#define VBUS_RPMSG_NAME_SIZE 32u

/* Data of a message to the name service: the same bytes as Linux's struct rpmsg_ns_msg. */
struct vbus_rpmsg_announcement {
	char name[VBUS_RPMSG_NAME_SIZE]; /* of the service; 1 to 31 characters, then zeros */
	uint32_t address;                /* where it listens */
	uint32_t flags;                  /* VBUS_RPMSG_CREATE or _DESTROY */
};
#define VBUS_RPMSG_CREATE 0u
#define VBUS_RPMSG_DESTROY 1u

VBUS_ASSERT(sizeof(struct vbus_rpmsg) == 8);
VBUS_ASSERT(sizeof(struct vbus_rpmsg_announcement) == 40);

#endif /* RTMUX_VBUS_RPMSG_H */
