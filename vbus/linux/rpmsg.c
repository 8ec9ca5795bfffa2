// SPDX-License-Identifier: GPL-2.0-only
/*
 * A RPMSG channel as a transport of the rpmsg bus. Below the channel's device are
 * rpmsg_ctrl, and while both ends are up rpmsg_ns, which makes a device of each
 * service that the RT side announces, and these. A reset of the channel takes them
 * away, and the endpoints that rpmsg_ctrl made: blocked callers get EPIPE, terminals
 * are hung up. Then the RT side announces again what it has.
 */
#include <linux/delay.h>
#include <linux/rpmsg/ns.h>
#include <linux/slab.h>

#include "rpmsg.h"
#include "rpmsg_char.h" /* of the kernel's drivers/rpmsg, as rpmsg_ctrl uses it */

static const struct rpmsg_device_ops vbus_rpdev_ops;

static void vbus_rpdev_release(struct device *dev)
{
	struct vbus_rpdev *rpdev = to_vbus_rpdev(to_rpmsg_device(dev));

	vbus_linger(rpdev->chan, &rpdev->linger, rpdev, rpdev->child);
}

static struct vbus_rpdev *vbus_rpdev_alloc(struct vbus_chan *chan)
{
	struct vbus_rpdev *rpdev = kzalloc(sizeof(*rpdev), GFP_KERNEL);

	if (rpdev) {
		atomic_inc(&chan->rpmsg.objects);
		rpdev->chan = chan;
		rpdev->rpdev.ops = &vbus_rpdev_ops;
		rpdev->rpdev.little_endian = true;
		rpdev->rpdev.dev.parent = &chan->dev;
		rpdev->rpdev.dev.release = vbus_rpdev_release;
	}
	return rpdev;
}

/* Of all who want to, one unregisters a device. */
static void vbus_rpdev_remove(struct vbus_rpdev *rpdev)
{
	struct device *dev = &rpdev->rpdev.dev;

	if (test_and_set_bit(0, &rpdev->going))
		return;
	if (!strcmp(rpdev->rpdev.id.name, "rpmsg_ctrl"))
		rpdev->child = device_find_any_child(dev);
	device_unregister(dev);
}

static struct rpmsg_device *vbus_create_channel(struct rpmsg_device *from, struct rpmsg_channel_info *info)
{
	struct vbus_chan *chan = to_vbus_rpdev(from)->chan;
	struct rpmsg_device *made = NULL;
	struct vbus_rpdev *rpdev;
	struct device *twin;

	mutex_lock(&chan->rpmsg.devices);
	if (!chan->rpmsg.alive || to_vbus_rpdev(from)->going)
		goto out;
	twin = rpmsg_find_device(&chan->dev, info);
	if (twin) {
		put_device(twin);
		dev_warn_ratelimited(&chan->dev, "service %s at %u is there already\n", info->name, info->dst);
		goto out;
	}
	rpdev = vbus_rpdev_alloc(chan);
	if (!rpdev)
		goto out;
	strscpy(rpdev->rpdev.id.name, info->name, sizeof(rpdev->rpdev.id.name));
	rpdev->rpdev.src = info->src;
	rpdev->rpdev.dst = info->dst;
	rpdev->rpdev.announce = info->src != RPMSG_ADDR_ANY; /* a service of ours, at an address of its choice */
	if (!rpmsg_register_device(&rpdev->rpdev))
		made = &rpdev->rpdev;
out:
	mutex_unlock(&chan->rpmsg.devices);
	return made;
}

static int vbus_release_channel(struct rpmsg_device *from, struct rpmsg_channel_info *info)
{
	struct vbus_chan *chan = to_vbus_rpdev(from)->chan;
	struct device *dev;

	if (to_vbus_rpdev(from)->going)
		return -ENODEV;
	dev = rpmsg_find_device(&chan->dev, info);
	if (!dev)
		return -EINVAL;
	vbus_rpdev_remove(to_vbus_rpdev(to_rpmsg_device(dev)));
	put_device(dev);
	return 0;
}

static int vbus_announce(struct rpmsg_device *rpdev, u32 flags)
{
	struct vbus_rpmsg_announcement announcement = { .flags = flags };

	if (!rpdev->announce || !rpdev->ept)
		return 0;
	strscpy(announcement.name, rpdev->id.name, sizeof(announcement.name));
	announcement.address = rpdev->ept->addr;
	return rpmsg_sendto(rpdev->ept, &announcement, sizeof(announcement), VBUS_RPMSG_NAME_SERVICE);
}

static int vbus_announce_create(struct rpmsg_device *rpdev)
{
	return vbus_announce(rpdev, VBUS_RPMSG_CREATE);
}

static int vbus_announce_destroy(struct rpmsg_device *rpdev)
{
	return vbus_announce(rpdev, VBUS_RPMSG_DESTROY);
}

static const struct rpmsg_device_ops vbus_rpdev_ops = {
	.create_channel = vbus_create_channel,
	.release_channel = vbus_release_channel,
	.create_ept = vbus_ept_create,
	.announce_create = vbus_announce_create,
	.announce_destroy = vbus_announce_destroy,
};

static void vbus_add_control(struct vbus_chan *chan)
{
	struct vbus_rpdev *control = vbus_rpdev_alloc(chan);

	if (!control)
		return;
	control->rpdev.src = control->rpdev.dst = RPMSG_ADDR_ANY;
	if (rpmsg_ctrldev_register_device(&control->rpdev))
		dev_err(&chan->dev, "no control device\n");
	else
		chan->rpmsg.control = control;
}

/* The name service first: no announcement comes before alive is set. */
static void vbus_rpmsg_up(struct vbus_chan *chan, u32 generation)
{
	struct vbus_rpmsg_port *port = &chan->rpmsg;
	struct vbus_rpdev *names = vbus_rpdev_alloc(chan);
	unsigned long irqs;

	if (names && rpmsg_ns_register_device(&names->rpdev))
		dev_err(&chan->dev, "no name service\n");
	mutex_lock(&port->devices);
	spin_lock_irqsave(&port->rx_lock, irqs);
	port->generation = generation;
	port->alive = true;
	spin_unlock_irqrestore(&port->rx_lock, irqs);
	mutex_unlock(&port->devices);
	if (!port->control)
		vbus_add_control(chan);
}

/* For all children of the channel's device. The control device itself stays while the channel does. */
static int vbus_remove_child(struct device *dev, void *stopping)
{
	struct vbus_rpdev *rpdev = to_vbus_rpdev(to_rpmsg_device(dev));
	struct device *control;

	if (rpdev != rpdev->chan->rpmsg.control || stopping) {
		vbus_rpdev_remove(rpdev);
		return 0;
	}
	control = device_find_any_child(dev);
	if (control) { /* else rpmsg_ctrl is not loaded */
		device_for_each_child(control, NULL, rpmsg_chrdev_eptdev_destroy);
		put_device(control);
	}
	return 0;
}

/* Is somebody else still about to remove one? */
static int vbus_going(struct device *dev, void *data)
{
	return to_vbus_rpdev(to_rpmsg_device(dev))->going;
}

static void vbus_rpmsg_down(struct vbus_chan *chan, bool stopping)
{
	struct vbus_rpmsg_port *port = &chan->rpmsg;
	unsigned long irqs;

	mutex_lock(&port->devices);
	spin_lock_irqsave(&port->rx_lock, irqs);
	port->alive = false;
	spin_unlock_irqrestore(&port->rx_lock, irqs);
	mutex_unlock(&port->devices);
	wake_up_interruptible_all(&chan->wait); /* for they hold locks that removal wants */
	device_for_each_child(&chan->dev, stopping ? chan : NULL, vbus_remove_child);
	while (device_for_each_child(&chan->dev, NULL, vbus_going))
		msleep(1);
}

/* Follow the state of the end. */
static void vbus_rpmsg_follow(struct vbus_chan *chan)
{
	struct vbus_rpmsg_port *port = &chan->rpmsg;
	unsigned long irqs;
	u32 generation;
	bool up;

	vbus_step(chan, vbus_poll_peer(&chan->end));
	spin_lock_irqsave(&chan->lock, irqs);
	up = chan->attached && chan->end.up;
	generation = chan->end.generation;
	spin_unlock_irqrestore(&chan->lock, irqs);
	if (port->alive && (!up || generation != port->generation))
		vbus_rpmsg_down(chan, false);
	if (up && !port->alive)
		vbus_rpmsg_up(chan, generation);
}

static void vbus_rpmsg_work(struct work_struct *work)
{
	struct vbus_rpmsg_port *port = container_of(to_delayed_work(work), struct vbus_rpmsg_port, work);
	struct vbus_chan *chan = container_of(port, struct vbus_chan, rpmsg);
	unsigned long again = HZ / 50;
	bool more = true;

	while (more) {
		vbus_rpmsg_follow(chan);
		switch (vbus_receive(chan)) {
		case VBUS_REST_NAMES:
			vbus_receive_announcement(chan);
			break;
		case VBUS_REST_MEMORY:
			again = HZ / 100;
			fallthrough;
		case VBUS_REST_NONE:
			more = false;
			break;
		default:
			cond_resched();
			break;
		}
	}
	if (!vbus_linger_end(chan) || again < HZ / 50)
		queue_delayed_work(system_wq, &port->work, again);
}

/* Any context: let the work look at the channel, after the delay at the latest. */
void vbus_rpmsg_wake(struct vbus_chan *chan, unsigned long delay)
{
	if (delay)
		queue_delayed_work(system_wq, &chan->rpmsg.work, delay);
	else
		mod_delayed_work(system_wq, &chan->rpmsg.work, 0);
}

/* The channel is detached: its devices go, and what lingers is waited for. */
void vbus_rpmsg_stop(struct vbus_chan *chan)
{
	struct vbus_rpmsg_port *port = &chan->rpmsg;
	unsigned int turn = 0;

	disable_delayed_work_sync(&port->work);
	vbus_rpmsg_down(chan, true);
	for (;;) {
		vbus_linger_end(chan);
		if (!atomic_read(&port->objects))
			return;
		msleep(10);
		if (++turn == 500)
			dev_warn(&chan->dev, "waiting for /dev/rpmsg_ctrl* to be closed\n");
	}
}

void vbus_rpmsg_init(struct vbus_chan *chan)
{
	struct vbus_rpmsg_port *port = &chan->rpmsg;

	INIT_DELAYED_WORK(&port->work, vbus_rpmsg_work);
	spin_lock_init(&port->rx_lock);
	spin_lock_init(&port->lingering_lock);
	INIT_LIST_HEAD(&port->lingering);
	mutex_init(&port->name_service);
	mutex_init(&port->devices);
	xa_init_flags(&port->endpoints, XA_FLAGS_ALLOC | XA_FLAGS_LOCK_IRQ);
}
