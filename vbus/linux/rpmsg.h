/* SPDX-License-Identifier: GPL-2.0-only */
/* What the files about RPMSG channels share. */
#ifndef RTMUX_VBUS_RPMSG_MODULE_H
#define RTMUX_VBUS_RPMSG_MODULE_H

#include <linux/rpmsg.h>
#include <rtmux/vbus_rpmsg.h>

#include "rpmsg_internal.h" /* of the kernel's drivers/rpmsg: the interface of transports */
#include "rtmux_vbus.h"

/* See linger.c. */
struct vbus_lingering {
	struct list_head list;
	unsigned long until;	/* jiffies */
	void *memory;
	struct device *child;
};

struct vbus_rpdev {
	struct rpmsg_device rpdev;
	struct vbus_chan *chan;
	unsigned long going;		/* bit 0: somebody unregisters it */
	struct device *child;		/* of rpmsg_ctrl, whose files know this device */
	struct vbus_lingering linger;
};

struct vbus_ept {
	struct rpmsg_endpoint ept;
	struct vbus_chan *chan;
	struct vbus_lingering linger;
};

#define to_vbus_rpdev(device) container_of(device, struct vbus_rpdev, rpdev)

static inline u32 vbus_rpmsg_mtu(const struct vbus_chan *chan)
{
	return vbus_max_length(READ_ONCE(chan->end.tx_size)) - sizeof(struct vbus_rpmsg);
}

/* endpoint.c */
struct rpmsg_endpoint *vbus_ept_create(struct rpmsg_device *rpdev, rpmsg_rx_cb_t cb, void *priv,
				       struct rpmsg_channel_info info);
void vbus_ept_put(struct rpmsg_endpoint *ept);

/* linger.c */
void vbus_linger(struct vbus_chan *chan, struct vbus_lingering *linger, void *memory, struct device *child);
bool vbus_linger_end(struct vbus_chan *chan);

#endif
