// SPDX-License-Identifier: GPL-2.0-only
/*
 * Memory that mainline's rpmsg drivers still use for a while after its device has
 * gone: a write to a ttyRPMSG that is being hung up (tty_hangup() works in the
 * background) reaches the endpoint, and so does a poll of a /dev/rpmsg* that looked
 * just before (rpmsg_eptdev_poll() does not lock); an ioctl of a /dev/rpmsg_ctrl* that
 * was left open reaches the device. So all of it is kept for a moment, and a control
 * device until its files are closed.
 */
#include <linux/slab.h>

#include "rpmsg.h"

#define VBUS_LINGER (HZ / 50)

/* In process context. The child is rpmsg_ctrl's device, with a reference. */
void vbus_linger(struct vbus_chan *chan, struct vbus_lingering *linger, void *memory, struct device *child)
{
	struct vbus_rpmsg_port *port = &chan->rpmsg;

	linger->memory = memory;
	linger->child = child;
	linger->until = jiffies + VBUS_LINGER;
	spin_lock(&port->lingering_lock);
	list_add_tail(&linger->list, &port->lingering);
	/* With the lock: once it is off the list, the channel may go. */
	queue_delayed_work(system_wq, &port->work, VBUS_LINGER);
	spin_unlock(&port->lingering_lock);
}

static bool vbus_linger_over(const struct vbus_lingering *linger)
{
	return time_after_eq(jiffies, linger->until) &&
	       (!linger->child || kref_read(&linger->child->kobj.kref) == 1);
}

/* Free what nobody uses any more. True: nothing lingers. */
bool vbus_linger_end(struct vbus_chan *chan)
{
	struct vbus_rpmsg_port *port = &chan->rpmsg;
	struct vbus_lingering *linger, *next;
	LIST_HEAD(over);
	bool empty;

	spin_lock(&port->lingering_lock);
	list_for_each_entry_safe(linger, next, &port->lingering, list)
		if (vbus_linger_over(linger))
			list_move(&linger->list, &over);
	empty = list_empty(&port->lingering);
	spin_unlock(&port->lingering_lock);
	list_for_each_entry_safe(linger, next, &over, list) {
		if (linger->child)
			put_device(linger->child);
		kfree(linger->memory);
		atomic_dec(&port->objects);
	}
	return empty;
}
