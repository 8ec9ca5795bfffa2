/* SPDX-License-Identifier: GPL-2.0-only */
/* V-Bus for Linux: what bus.c, chardev.c and sysfs.c share. */
#ifndef RTMUX_VBUS_MODULE_H
#define RTMUX_VBUS_MODULE_H

#include <linux/kref.h>
#include <linux/miscdevice.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/wait.h>

#include <region.h>

/* A channel: the end of it, and its character device. */
struct vbus_chan {
	struct kref refs;		/* of the bus, and of each open file */
	struct miscdevice misc;
	char device_name[sizeof("vbus-") + VBUS_NAME_SIZE];
	char name[VBUS_NAME_SIZE];

	struct mutex read_lock;		/* one receiver at a time */
	struct mutex write_lock;	/* one sender at a time */
	wait_queue_head_t readers, writers;

	spinlock_t lock;		/* the rest; for constant stretches */
	bool attached;			/* the end may be used */
	bool gone;			/* the device is removed */
	u32 wanted;			/* length of the shortest record that waits for room */
	struct vbus_end end;
};

void vbus_doorbell(void);

/* One step of the ring, and the doorbell it asks for. */
#define vbus_step(chan, step) ({					\
	enum vbus_result result_ = VBUS_DOWN;				\
	unsigned long irqs_;						\
	bool ring_ = false;						\
	spin_lock_irqsave(&(chan)->lock, irqs_);			\
	if ((chan)->attached) {						\
		result_ = (step);					\
		ring_ = vbus_take_doorbell(&(chan)->end);		\
	}								\
	spin_unlock_irqrestore(&(chan)->lock, irqs_);			\
	if (ring_)							\
		vbus_doorbell();					\
	result_; })

/* chardev.c */
struct vbus_chan *vbus_chan_create(struct device *parent, const char *name);
void vbus_chan_attach(struct vbus_chan *chan, void *base, const struct vbus_channel *entry);
void vbus_chan_detach(struct vbus_chan *chan);
void vbus_chan_remove(struct vbus_chan *chan);

/* sysfs.c */
extern const struct attribute_group *vbus_chan_groups[];

#endif
