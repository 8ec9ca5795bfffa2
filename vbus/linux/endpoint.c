// SPDX-License-Identifier: GPL-2.0-only
/* Endpoints of the rpmsg bus on a V-Bus channel: addresses, sending, poll. */
#include <linux/slab.h>

#include "rpmsg.h"

static struct vbus_chan *vbus_chan_of(struct rpmsg_endpoint *ept)
{
	return to_vbus_rpdev(ept->rpdev)->chan;
}

/* The devices that could send are those of this life of the channel. With the lock held. */
static bool vbus_usable(struct vbus_chan *chan)
{
	return READ_ONCE(chan->rpmsg.alive) && chan->end.generation == chan->rpmsg.generation;
}

static enum vbus_result vbus_put(struct vbus_chan *chan, u32 src, u32 dst, const void *data, u32 length, bool polite)
{
	struct vbus_slot slot;
	struct vbus_rpmsg *message;
	enum vbus_result result;

	if (!vbus_usable(chan))
		return VBUS_RESET;
	if (polite && vbus_tx_congested(&chan->end))
		return VBUS_AGAIN;
	result = vbus_tx_begin(&chan->end, sizeof(*message) + length, &slot);
	if (result != VBUS_OK)
		return result;
	message = slot.payload;
	message->src = src;
	message->dst = dst;
	memcpy(message + 1, data, length);
	return vbus_tx_commit(&chan->end, &slot, 0, 0, 0);
}

/* Will a doorbell ring when there is room? With the lock held. */
static enum vbus_result vbus_await_room(struct vbus_chan *chan, u32 length)
{
	enum vbus_result result = vbus_usable(chan) ? vbus_tx_wait(&chan->end, length) : VBUS_RESET;

	if (result == VBUS_AGAIN)
		chan->room_wanted = true;
	return result;
}

/*
 * May be called from interrupts, as callbacks are: nothing waits there. The wait
 * of others has no time limit, as the rpmsg bus's users can be interrupted.
 */
static int vbus_send(struct rpmsg_endpoint *ept, u32 src, u32 dst, const void *data, int length, bool wait)
{
	struct vbus_chan *chan = vbus_chan_of(ept);
	enum vbus_result result;

	if (length < 0 || length > vbus_rpmsg_mtu(chan))
		return -EMSGSIZE;
	wait = wait && !irqs_disabled();
	for (;;) {
		result = vbus_step(chan, vbus_put(chan, src, dst, data, length, wait));
		if (result == VBUS_OK)
			return 0;
		if (result == VBUS_TOO_LONG) /* attached anew, to a smaller ring */
			return -EMSGSIZE;
		if (result != VBUS_AGAIN) {
			vbus_rpmsg_wake(chan, 0);
			return -EPIPE;
		}
		if (!wait)
			return -ENOMEM;
		if (wait_event_interruptible(chan->wait, vbus_step(chan, vbus_await_room(chan, sizeof(struct vbus_rpmsg) +
											  length)) != VBUS_AGAIN))
			return -ERESTARTSYS;
	}
}

static int vbus_ept_send(struct rpmsg_endpoint *ept, void *data, int length)
{
	return vbus_send(ept, ept->addr, ept->rpdev->dst, data, length, true);
}

static int vbus_ept_sendto(struct rpmsg_endpoint *ept, void *data, int length, u32 dst)
{
	return vbus_send(ept, ept->addr, dst, data, length, true);
}

static int vbus_ept_send_offchannel(struct rpmsg_endpoint *ept, u32 src, u32 dst, void *data, int length)
{
	return vbus_send(ept, src, dst, data, length, true);
}

static int vbus_ept_trysend(struct rpmsg_endpoint *ept, void *data, int length)
{
	return vbus_send(ept, ept->addr, ept->rpdev->dst, data, length, false);
}

static int vbus_ept_trysendto(struct rpmsg_endpoint *ept, void *data, int length, u32 dst)
{
	return vbus_send(ept, ept->addr, dst, data, length, false);
}

static int vbus_ept_trysend_offchannel(struct rpmsg_endpoint *ept, u32 src, u32 dst, void *data, int length)
{
	return vbus_send(ept, src, dst, data, length, false);
}

/* Writable: a message of any length fits. */
static __poll_t vbus_ept_poll(struct rpmsg_endpoint *ept, struct file *file, poll_table *wait)
{
	struct vbus_chan *chan = vbus_chan_of(ept);

	poll_wait(file, &chan->wait, wait);
	switch (vbus_step(chan, vbus_await_room(chan, sizeof(struct vbus_rpmsg) + vbus_rpmsg_mtu(chan)))) {
	case VBUS_OK:
		return EPOLLOUT | EPOLLWRNORM;
	case VBUS_AGAIN:
		return 0;
	default:
		return EPOLLERR | EPOLLHUP;
	}
}

static ssize_t vbus_ept_mtu(struct rpmsg_endpoint *ept)
{
	return vbus_rpmsg_mtu(vbus_chan_of(ept));
}

static void vbus_ept_release(struct kref *refcount)
{
	struct vbus_ept *ept = container_of(refcount, struct vbus_ept, ept.refcount);

	vbus_linger(ept->chan, &ept->linger, ept, NULL);
}

void vbus_ept_put(struct rpmsg_endpoint *ept)
{
	kref_put(&ept->refcount, vbus_ept_release);
}

/* When this returns, the callback does not run and will not. */
static void vbus_ept_destroy(struct rpmsg_endpoint *ept)
{
	struct vbus_rpmsg_port *port = &vbus_chan_of(ept)->rpmsg;
	bool name_service = ept->addr == VBUS_RPMSG_NAME_SERVICE;
	unsigned long irqs;

	xa_lock_irq(&port->endpoints);
	if (xa_load(&port->endpoints, ept->addr) == ept)
		__xa_erase(&port->endpoints, ept->addr);
	xa_unlock_irq(&port->endpoints);
	if (name_service)
		mutex_lock(&port->name_service);
	spin_lock_irqsave(&port->rx_lock, irqs);
	ept->cb = NULL;
	spin_unlock_irqrestore(&port->rx_lock, irqs);
	if (name_service)
		mutex_unlock(&port->name_service);
	vbus_ept_put(ept);
}

static const struct rpmsg_endpoint_ops vbus_ept_ops = {
	.destroy_ept = vbus_ept_destroy,
	.send = vbus_ept_send,
	.sendto = vbus_ept_sendto,
	.send_offchannel = vbus_ept_send_offchannel,
	.trysend = vbus_ept_trysend,
	.trysendto = vbus_ept_trysendto,
	.trysend_offchannel = vbus_ept_trysend_offchannel,
	.poll = vbus_ept_poll,
	.get_mtu = vbus_ept_mtu,
};

struct rpmsg_endpoint *vbus_ept_create(struct rpmsg_device *rpdev, rpmsg_rx_cb_t cb, void *priv,
				       struct rpmsg_channel_info info)
{
	struct vbus_chan *chan = to_vbus_rpdev(rpdev)->chan;
	struct vbus_rpmsg_port *port = &chan->rpmsg;
	struct vbus_ept *ept = kzalloc(sizeof(*ept), GFP_KERNEL);
	int error;

	if (!ept)
		return NULL;
	kref_init(&ept->ept.refcount);
	mutex_init(&ept->ept.cb_lock);
	ept->chan = chan;
	ept->ept.rpdev = rpdev;
	ept->ept.cb = cb;
	ept->ept.priv = priv;
	ept->ept.ops = &vbus_ept_ops;
	ept->ept.addr = info.src;
	xa_lock_irq(&port->endpoints);
	if (info.src == RPMSG_ADDR_ANY) /* a new one each time: nobody gets what was sent to a former endpoint */
		error = __xa_alloc_cyclic(&port->endpoints, &ept->ept.addr, &ept->ept,
					  XA_LIMIT(VBUS_RPMSG_RESERVED, S32_MAX), &port->next_address, GFP_KERNEL);
	else
		error = __xa_insert(&port->endpoints, info.src, &ept->ept, GFP_KERNEL);
	xa_unlock_irq(&port->endpoints);
	if (error >= 0) {
		atomic_inc(&port->objects);
		return &ept->ept;
	}
	dev_err(&chan->dev, "no endpoint at address %u: error %d\n", info.src, error);
	kfree(ept);
	return NULL;
}
