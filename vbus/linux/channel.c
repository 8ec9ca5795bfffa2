// SPDX-License-Identifier: GPL-2.0-only
/*
 * A channel: /sys/class/vbus/<name>, there from the first time that the
 * directory has the name until the driver goes, and what happens to it meanwhile.
 */
#include <linux/debugfs.h>
#include <linux/fs.h>
#include <linux/slab.h>

#include "rtmux_vbus.h"

static dev_t vbus_devt;	/* minor numbers are places in the directory when first seen */
static DECLARE_BITMAP(vbus_minors, VBUS_MAX_CHANNELS);

static char *vbus_devnode(const struct device *dev, umode_t *mode)
{
	return kasprintf(GFP_KERNEL, "vbus/%s", dev_name(dev));
}

static const struct class vbus_class = {
	.name = "vbus",
	.devnode = vbus_devnode,
};

static void vbus_chan_release(struct device *dev)
{
	struct vbus_chan *chan = to_vbus_chan(dev);

	if (dev->devt)
		clear_bit(MINOR(dev->devt), vbus_minors);
	xa_destroy(&chan->rpmsg.endpoints);
	kfree(chan);
}

static int vbus_chan_add(struct vbus_chan *chan)
{
	unsigned long minor;
	int error;

	if (!vbus_is(chan, VBUS_CHANNEL_MMAP))
		return device_add(&chan->dev);
	minor = find_first_zero_bit(vbus_minors, VBUS_MAX_CHANNELS);
	if (minor == VBUS_MAX_CHANNELS)
		return -ENOSPC;
	set_bit(minor, vbus_minors);
	chan->dev.devt = MKDEV(MAJOR(vbus_devt), minor);
	cdev_init(&chan->cdev, &vbus_map_operations);
	chan->cdev.owner = THIS_MODULE;
	error = cdev_device_add(&chan->cdev, &chan->dev);
	return error;
}

struct vbus_chan *vbus_chan_create(struct vbus_bus *bus, const struct vbus_channel *entry, u32 index)
{
	struct vbus_chan *chan = kzalloc(sizeof(*chan), GFP_KERNEL);
	int error;

	if (!chan)
		return ERR_PTR(-ENOMEM);
	chan->bus = bus;
	chan->entry = *entry;
	chan->index = index;
	spin_lock_init(&chan->lock);
	init_waitqueue_head(&chan->wait);
	mutex_init(&chan->map.lock);
	vbus_rpmsg_init(chan);
	device_initialize(&chan->dev);
	chan->dev.class = &vbus_class;
	chan->dev.parent = bus->dev;
	chan->dev.groups = vbus_chan_groups;
	chan->dev.release = vbus_chan_release;
	error = dev_set_name(&chan->dev, "%s", entry->name);
	if (!error)
		error = vbus_chan_add(chan);
	if (error) {
		put_device(&chan->dev);
		return ERR_PTR(error);
	}
	vbus_debugfs_add(chan);
	return chan;
}

/* The guest's end of a MMAP channel that no process has: closed. */
static void vbus_close_line(struct vbus_chan *chan, const struct vbus_channel *entry)
{
	struct vbus_end *end = &chan->end;

	end->mine = VBUS_AT(struct vbus_side, chan->bus->base, entry->guest_control);
	end->peer = VBUS_AT(struct vbus_side, chan->bus->base, entry->control);
	end->tx_size = entry->to_rt.size;
	end->rx_size = entry->to_guest.size;
	end->peer_epoch = 0;
	vbus_end_close(end);
	memset(end->mine + 1, 0, PAGE_SIZE - sizeof(*end->mine)); /* the rest of a page that is the guest's */
}

/* Use the channel where the directory says it is now; counters and generation go on. */
void vbus_chan_attach(struct vbus_chan *chan, const struct vbus_channel *entry, u32 index)
{
	unsigned long irqs;

	if (entry->flags != chan->entry.flags) {
		dev_err(&chan->dev, "was of another kind before\n");
		return;
	}
	spin_lock_irqsave(&chan->lock, irqs);
	chan->entry = *entry;
	chan->index = index;
	if (vbus_is(chan, VBUS_CHANNEL_RPMSG))
		vbus_open_channel(&chan->end, chan->bus->base, entry, VBUS_GUEST);
	else if (vbus_is(chan, VBUS_CHANNEL_MMAP))
		vbus_close_line(chan, entry);
	chan->attached = chan->entry.flags; /* of no kind: only listed */
	spin_unlock_irqrestore(&chan->lock, irqs);
	mutex_lock(&chan->map.lock);
	chan->map.gone = false;
	mutex_unlock(&chan->map.lock);
	vbus_step(chan, VBUS_OK); /* ring the doorbell that opening asks for */
}

/* No access to the shared memory after this; calls that wait get EPIPE. */
void vbus_chan_detach(struct vbus_chan *chan)
{
	unsigned long irqs;

	if (vbus_is(chan, VBUS_CHANNEL_MMAP))
		vbus_map_revoke(chan);
	spin_lock_irqsave(&chan->lock, irqs);
	chan->attached = false;
	chan->end.generation++;
	chan->end.up = false;
	spin_unlock_irqrestore(&chan->lock, irqs);
	wake_up_interruptible_all(&chan->wait);
	if (vbus_is(chan, VBUS_CHANNEL_RPMSG))
		vbus_rpmsg_wake(chan, 0);
}

/* The RT side rang for this channel, or may have. */
void vbus_chan_interrupt(struct vbus_chan *chan)
{
	chan->interrupts++;
	if (vbus_is(chan, VBUS_CHANNEL_RPMSG)) {
		enum vbus_rest rest = vbus_receive(chan);

		if (unlikely(rest != VBUS_REST_NONE))
			vbus_rpmsg_wake(chan, rest == VBUS_REST_MEMORY ? HZ / 100 : 0);
		if (!READ_ONCE(chan->room_wanted)) /* readers wait elsewhere */
			return;
		WRITE_ONCE(chan->room_wanted, false);
	}
	wake_up_interruptible_all(&chan->wait);
}

void vbus_chan_remove(struct vbus_chan *chan)
{
	list_del(&chan->list);
	if (vbus_is(chan, VBUS_CHANNEL_MMAP))
		vbus_map_revoke(chan); /* first: the process must not open what is closed here */
	vbus_step(chan, (vbus_end_close(&chan->end), VBUS_OK));
	vbus_chan_detach(chan);
	if (vbus_is(chan, VBUS_CHANNEL_RPMSG))
		vbus_rpmsg_stop(chan);
	debugfs_remove_recursive(chan->debugfs);
	if (chan->dev.devt)
		cdev_device_del(&chan->cdev, &chan->dev);
	else
		device_del(&chan->dev);
	put_device(&chan->dev);
}

int vbus_channel_init(void)
{
	int error = class_register(&vbus_class);

	if (error)
		return error;
	error = alloc_chrdev_region(&vbus_devt, 0, VBUS_MAX_CHANNELS, "vbus");
	if (error)
		class_unregister(&vbus_class);
	return error;
}

void vbus_channel_exit(void)
{
	unregister_chrdev_region(vbus_devt, VBUS_MAX_CHANNELS);
	class_unregister(&vbus_class);
}
