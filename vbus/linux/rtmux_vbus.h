/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * V-Bus for Linux: what the files of this module share.
 *
 *   bus.c      the platform device: region, directory, interrupt
 *   channel.c  a channel of the directory: its device in /sys/class/vbus
 *   rpmsg.c    RPMSG channels as a transport of the rpmsg bus: devices, name service
 *   endpoint.c   their endpoints: sending, poll
 *   receive.c    their records on the way to the endpoints
 *   linger.c     memory that other drivers still look at
 *   map.c      MMAP channels: /dev/vbus/<channel>
 *   sysfs.c, debugfs.c   what can be seen of all this
 *
 * Beside it is another module, rtmux.ko: life.c.
 */
#ifndef RTMUX_VBUS_MODULE_H
#define RTMUX_VBUS_MODULE_H

#include <linux/cdev.h>
#include <linux/device.h>
#include <linux/io.h>
#include <linux/mutex.h>
#include <linux/spinlock.h>
#include <linux/wait.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>

#include <asm/rtmux.h>
#include <region.h>

struct vbus_bus {
	struct device *dev;
	void *base;
	phys_addr_t physical;
	u32 size;
	const void __iomem *clock;	/* low word of the RT clock; NULL: out of reach */
	u32 clock_hz;
	int irq;
	struct work_struct sync;	/* the only one that changes what follows */
	u32 epoch;			/* of the region we are attached to; 0: none */
	bool rung;			/* the RT side says which channels it rang for */
	u32 entries;			/* of the directory that we have seen */
	struct vbus_chan *slot[VBUS_MAX_CHANNELS]; /* by place in the directory */
	struct list_head channels;
};

/* Records by the time from the RT side's send to their delivery: powers of two of ticks. */
#define VBUS_LATENCY_BINS 32

struct vbus_rpmsg_port {
	struct delayed_work work;	/* in process context: devices come and go, name service */
	spinlock_t rx_lock;		/* one receiver; callbacks run under it */
	bool alive;			/* devices are there; changes in work, under rx_lock */
	struct vbus_rpdev *control;	/* rpmsg_ctrl's, from the first time */
	u32 generation;			/* of the end that they were made for */
	u32 unchecked;			/* bytes delivered since the last look at free memory */
	struct xarray endpoints;	/* by address */
	u32 next_address;
	struct mutex name_service;	/* its callback runs */
	struct mutex devices;		/* makes new ones while alive */
	spinlock_t lingering_lock;
	struct list_head lingering;	/* see linger.c */
	atomic_t objects;		/* endpoints and devices, lingering ones too */
};

struct vbus_map {
	struct mutex lock;
	struct vbus_file *file;		/* who has the device open */
	bool gone;			/* nobody may open it: it is about to be detached */
};

struct vbus_chan {
	struct device dev;
	struct cdev cdev;
	struct list_head list;		/* of the bus */
	struct vbus_bus *bus;
	struct vbus_channel entry;	/* as checked when it was attached */
	u32 index;			/* in the directory */
	struct dentry *debugfs;

	spinlock_t lock;		/* the end; held for constant stretches, and one copy */
	bool attached;			/* it may be used */
	struct vbus_end end;		/* ours; of a MMAP channel the process's, for its lines only */
	wait_queue_head_t wait;		/* RPMSG: for room to send; MMAP: for all that the RT side rings for */
	bool room_wanted;		/* somebody may wait for room */

	u64 interrupts;			/* doorbells of the RT side */
	u64 rx_dropped;			/* records without an endpoint, or that it refused */
	u32 latency[VBUS_LATENCY_BINS];

	struct vbus_rpmsg_port rpmsg;
	struct vbus_map map;
};

#define to_vbus_chan(device) container_of(device, struct vbus_chan, dev)

static inline void vbus_doorbell(u32 channel)
{
	rtmux_call(RTMUX_VBUS_DOORBELL, channel);
}

static inline bool vbus_is(const struct vbus_chan *chan, u32 flag)
{
	return chan->entry.flags & flag;
}

/* A step of the ring with the lock held, and the doorbell that it asks for afterwards. */
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
		vbus_doorbell((chan)->index);				\
	result_; })

/* channel.c */
int vbus_channel_init(void);
void vbus_channel_exit(void);
struct vbus_chan *vbus_chan_create(struct vbus_bus *bus, const struct vbus_channel *entry, u32 index);
void vbus_chan_attach(struct vbus_chan *chan, const struct vbus_channel *entry, u32 index);
void vbus_chan_detach(struct vbus_chan *chan);
void vbus_chan_remove(struct vbus_chan *chan);
void vbus_chan_interrupt(struct vbus_chan *chan);

/* rpmsg.c */
void vbus_rpmsg_init(struct vbus_chan *chan);
void vbus_rpmsg_wake(struct vbus_chan *chan, unsigned long delay);
void vbus_rpmsg_stop(struct vbus_chan *chan);

/* receive.c */
enum vbus_rest { VBUS_REST_NONE, VBUS_REST_MORE, VBUS_REST_STATE, VBUS_REST_NAMES, VBUS_REST_MEMORY };
enum vbus_rest vbus_receive(struct vbus_chan *chan);
void vbus_receive_announcement(struct vbus_chan *chan);

/* map.c */
extern const struct file_operations vbus_map_operations;
void vbus_map_revoke(struct vbus_chan *chan);

/* sysfs.c, debugfs.c */
extern const struct attribute_group *vbus_chan_groups[];
void vbus_read_stats(struct vbus_chan *chan, struct vbus_stats *stats);
void vbus_debugfs_init(void);
void vbus_debugfs_exit(void);
void vbus_debugfs_add(struct vbus_chan *chan);

#endif
