// SPDX-License-Identifier: GPL-2.0-only
/*
 * /dev/vbus-<channel>: a read returns one record, a write sends one.
 * docs/vbus.md, "The Linux device".
 */
#include <linux/module.h>
#include <linux/poll.h>
#include <linux/slab.h>
#include <linux/uaccess.h>

#include <rtmux/vbus_user.h>

#include "rtmux_vbus.h"

/* What an open file has seen of the resets: it learns of each once. */
struct vbus_file {
	struct vbus_chan *chan;
	u32 generation;
};

static void vbus_chan_free(struct kref *refs)
{
	kfree(container_of(refs, struct vbus_chan, refs));
}

/* 0 when the file may go on; else the error that ends the call. */
static int vbus_file_error(struct vbus_chan *chan, u32 *generation)
{
	unsigned long irqs;
	int error = 0;

	spin_lock_irqsave(&chan->lock, irqs);
	if (chan->gone)
		error = -ENODEV;
	else if (*generation != chan->end.generation)
		error = -EPIPE;
	*generation = chan->end.generation;
	spin_unlock_irqrestore(&chan->lock, irqs);
	return error;
}

/* To be asked again after a doorbell, rather than answered. */
static bool vbus_later(enum vbus_result result)
{
	return result == VBUS_AGAIN || result == VBUS_DOWN;
}

static bool vbus_interrupted(struct vbus_chan *chan, u32 generation)
{
	return READ_ONCE(chan->gone) || READ_ONCE(chan->end.generation) != generation;
}

static bool vbus_readable(struct vbus_chan *chan, u32 generation)
{
	struct vbus_message message;

	return !vbus_later(vbus_step(chan, vbus_rx_wait(&chan->end, &message))) ||
	       vbus_interrupted(chan, generation);
}

/*
 * The ring has one event for all who wait for room: it is the earliest one, of
 * the shortest record. The interrupt wakes all, and they ask anew.
 */
static enum vbus_result vbus_wait_for_room(struct vbus_chan *chan, u32 length)
{
	if (chan->wanted < length && vbus_tx_wait(&chan->end, chan->wanted) == VBUS_AGAIN)
		return VBUS_AGAIN;
	chan->wanted = length;
	return vbus_tx_wait(&chan->end, length);
}

static bool vbus_writable(struct vbus_chan *chan, u32 generation, u32 length)
{
	return !vbus_later(vbus_step(chan, vbus_wait_for_room(chan, length))) || vbus_interrupted(chan, generation);
}

/* With the read lock held. 0: nothing there yet. */
static ssize_t vbus_receive(struct vbus_chan *chan, char __user *buffer, size_t space)
{
	struct vbus_user_header header = {};
	struct vbus_message message;
	enum vbus_result result = vbus_step(chan, vbus_rx_begin(&chan->end, &message));

	if (vbus_later(result))
		return 0;
	if (result != VBUS_OK)
		return -EPIPE;
	if (space < sizeof(header) + message.length)
		return -EMSGSIZE;
	header.type = message.type;
	header.flags = message.flags;
	header.timestamp = message.timestamp;
	if (copy_to_user(buffer, &header, sizeof(header)) ||
	    copy_to_user(buffer + sizeof(header), message.payload, message.length))
		return -EFAULT;
	if (vbus_step(chan, vbus_rx_release(&chan->end, &message)) != VBUS_OK)
		return -EPIPE;
	return sizeof(header) + message.length;
}

static ssize_t vbus_read(struct file *filp, char __user *buffer, size_t space, loff_t *position)
{
	struct vbus_file *file = filp->private_data;
	struct vbus_chan *chan = file->chan;
	ssize_t result;

	for (;;) {
		if (mutex_lock_interruptible(&chan->read_lock))
			return -ERESTARTSYS;
		result = vbus_file_error(chan, &file->generation);
		if (!result)
			result = vbus_receive(chan, buffer, space);
		if (result == -EPIPE) /* told now; not again */
			vbus_file_error(chan, &file->generation);
		mutex_unlock(&chan->read_lock);
		if (result)
			return result;
		if (filp->f_flags & O_NONBLOCK)
			return -EAGAIN;
		if (wait_event_interruptible(chan->readers, vbus_readable(chan, file->generation)))
			return -ERESTARTSYS;
	}
}

/* With the write lock held. 0: no room yet. */
static ssize_t vbus_send(struct vbus_chan *chan, const struct vbus_user_header *header, const char __user *payload,
			 u32 length)
{
	struct vbus_slot slot;
	enum vbus_result result = vbus_step(chan, vbus_tx_begin(&chan->end, length, &slot));

	if (vbus_later(result))
		return 0;
	if (result == VBUS_TOO_LONG)
		return -EMSGSIZE;
	if (result != VBUS_OK)
		return -EPIPE;
	if (copy_from_user(slot.payload, payload, length))
		return -EFAULT;
	result = vbus_step(chan, vbus_tx_commit(&chan->end, &slot, header->type, header->flags, header->timestamp));
	return result == VBUS_OK ? sizeof(*header) + length : -EPIPE;
}

static ssize_t vbus_write(struct file *filp, const char __user *buffer, size_t bytes, loff_t *position)
{
	struct vbus_file *file = filp->private_data;
	struct vbus_chan *chan = file->chan;
	struct vbus_user_header header;
	ssize_t result;
	u32 length;

	if (bytes < sizeof(header))
		return -EINVAL;
	if (copy_from_user(&header, buffer, sizeof(header)))
		return -EFAULT;
	if (header.type > U16_MAX || header.flags > U16_MAX)
		return -EINVAL;
	length = bytes - sizeof(header);
	for (;;) {
		if (mutex_lock_interruptible(&chan->write_lock))
			return -ERESTARTSYS;
		result = vbus_file_error(chan, &file->generation);
		if (!result)
			result = vbus_send(chan, &header, buffer + sizeof(header), length);
		if (result == -EPIPE)
			vbus_file_error(chan, &file->generation);
		mutex_unlock(&chan->write_lock);
		if (result)
			return result;
		if (filp->f_flags & O_NONBLOCK)
			return -EAGAIN;
		if (wait_event_interruptible(chan->writers, vbus_writable(chan, file->generation, length)))
			return -ERESTARTSYS;
	}
}

/* Writable: a record of any length fits. */
static __poll_t vbus_poll(struct file *filp, poll_table *wait)
{
	struct vbus_file *file = filp->private_data;
	struct vbus_chan *chan = file->chan;
	__poll_t events = 0;

	poll_wait(filp, &chan->readers, wait);
	poll_wait(filp, &chan->writers, wait);
	if (vbus_readable(chan, file->generation))
		events |= EPOLLIN | EPOLLRDNORM;
	if (vbus_writable(chan, file->generation, vbus_max_length(READ_ONCE(chan->end.tx_size))))
		events |= EPOLLOUT | EPOLLWRNORM;
	if (vbus_interrupted(chan, file->generation))
		events |= EPOLLERR;
	if (READ_ONCE(chan->gone))
		events |= EPOLLHUP;
	return events;
}

static int vbus_file_open(struct inode *inode, struct file *filp)
{
	struct vbus_chan *chan = container_of(filp->private_data, struct vbus_chan, misc);
	struct vbus_file *file = kzalloc(sizeof(*file), GFP_KERNEL);

	if (!file)
		return -ENOMEM;
	kref_get(&chan->refs);
	file->chan = chan;
	file->generation = READ_ONCE(chan->end.generation);
	filp->private_data = file;
	return stream_open(inode, filp);
}

static int vbus_file_release(struct inode *inode, struct file *filp)
{
	struct vbus_file *file = filp->private_data;

	kref_put(&file->chan->refs, vbus_chan_free);
	kfree(file);
	return 0;
}

static const struct file_operations vbus_file_operations = {
	.owner = THIS_MODULE,
	.open = vbus_file_open,
	.release = vbus_file_release,
	.read = vbus_read,
	.write = vbus_write,
	.poll = vbus_poll,
};

struct vbus_chan *vbus_chan_create(struct device *parent, const char *name)
{
	struct vbus_chan *chan = kzalloc(sizeof(*chan), GFP_KERNEL);
	int error;

	if (!chan)
		return ERR_PTR(-ENOMEM);
	kref_init(&chan->refs);
	mutex_init(&chan->read_lock);
	mutex_init(&chan->write_lock);
	init_waitqueue_head(&chan->readers);
	init_waitqueue_head(&chan->writers);
	spin_lock_init(&chan->lock);
	strscpy(chan->name, name, sizeof(chan->name));
	snprintf(chan->device_name, sizeof(chan->device_name), "vbus-%s", chan->name);
	chan->misc.minor = MISC_DYNAMIC_MINOR;
	chan->misc.name = chan->device_name;
	chan->misc.fops = &vbus_file_operations;
	chan->misc.groups = vbus_chan_groups;
	chan->misc.parent = parent;
	error = misc_register(&chan->misc);
	if (error) {
		kref_put(&chan->refs, vbus_chan_free);
		return ERR_PTR(error);
	}
	return chan;
}

/* Open the end where the directory says it is now; counters and generation go on. */
void vbus_chan_attach(struct vbus_chan *chan, void *base, const struct vbus_channel *entry)
{
	unsigned long irqs;

	spin_lock_irqsave(&chan->lock, irqs);
	chan->wanted = U32_MAX;
	vbus_open_channel(&chan->end, base, entry, VBUS_GUEST);
	chan->attached = true;
	spin_unlock_irqrestore(&chan->lock, irqs);
	vbus_step(chan, vbus_poll_peer(&chan->end));
}

/* No access to the shared memory after this; calls that wait get EPIPE. */
void vbus_chan_detach(struct vbus_chan *chan)
{
	unsigned long irqs;

	spin_lock_irqsave(&chan->lock, irqs);
	chan->attached = false;
	chan->end.generation++;
	spin_unlock_irqrestore(&chan->lock, irqs);
	wake_up_interruptible_all(&chan->readers);
	wake_up_interruptible_all(&chan->writers);
	/* Those who are copying have the locks. */
	mutex_lock(&chan->read_lock);
	mutex_unlock(&chan->read_lock);
	mutex_lock(&chan->write_lock);
	mutex_unlock(&chan->write_lock);
}

void vbus_chan_remove(struct vbus_chan *chan)
{
	misc_deregister(&chan->misc);
	vbus_step(chan, (vbus_close(&chan->end), VBUS_OK));
	WRITE_ONCE(chan->gone, true);
	vbus_chan_detach(chan);
	kref_put(&chan->refs, vbus_chan_free);
}
