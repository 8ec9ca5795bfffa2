// SPDX-License-Identifier: GPL-2.0-only
/*
 * Records of a RPMSG channel on the way to their endpoints: in the interrupt, in
 * place. What has to wait, or is much, is left to the work in process context.
 */
#include <linux/mm.h>

#include "rpmsg.h"

#define VBUS_BATCH 64			/* records under one lock */
#define VBUS_MEMORY_CHECK 0x40000	/* bytes between two looks at free memory */

/*
 * Readers' queues have no limit in rpmsg_char, so a reader that sleeps must not
 * take all memory: with less than an eighth available, records stay in the ring.
 */
static bool vbus_memory_short(struct vbus_rpmsg_port *port)
{
	if (port->unchecked < VBUS_MEMORY_CHECK)
		return false;
	if (si_mem_available() < (long)(totalram_pages() / 8))
		return true;
	port->unchecked = 0;
	return false;
}

static void vbus_note_latency(struct vbus_chan *chan, const struct vbus_message *message)
{
	if (chan->bus->clock) {
		u32 ticks = readl_relaxed(chan->bus->clock) - (u32)message->timestamp;

		chan->latency[fls(ticks) % VBUS_LATENCY_BINS]++;
	}
}

/* False: not now, for want of memory. The address was read, and is not read again. */
static bool vbus_deliver(struct vbus_chan *chan, const struct vbus_message *message, u32 dst)
{
	struct vbus_rpmsg *head = (void *)message->payload;
	u32 length = message->length - sizeof(*head);
	struct rpmsg_endpoint *ept = xa_load(&chan->rpmsg.endpoints, dst);
	int error = -ENOENT;

	if (ept && ept->cb)
		error = ept->cb(ept->rpdev, head + 1, length, ept->priv, READ_ONCE(head->src));
	if (error == -ENOMEM) {
		chan->rpmsg.unchecked = VBUS_MEMORY_CHECK;
		return false;
	}
	if (error)
		chan->rx_dropped++;
	chan->rpmsg.unchecked += length;
	return true;
}

/* The next record; if there is none, the RT side rings when there is. */
static enum vbus_result vbus_next(struct vbus_end *end, struct vbus_message *message)
{
	return end->up && end->tail != end->peer_head ? vbus_rx_begin(end, message) : vbus_rx_wait(end, message);
}

/* What is left to do; with the receiver's lock held. */
static enum vbus_rest vbus_receive_batch(struct vbus_chan *chan)
{
	struct vbus_rpmsg_port *port = &chan->rpmsg;
	struct vbus_message message;
	unsigned int count;

	for (count = 0; count < VBUS_BATCH; count++) {
		enum vbus_result result = vbus_step(chan, vbus_next(&chan->end, &message));

		if (port->alive != READ_ONCE(chan->end.up) ||
		    (port->alive && READ_ONCE(chan->end.generation) != port->generation))
			return VBUS_REST_STATE;
		if (result != VBUS_OK)
			return VBUS_REST_NONE;
		if (message.length >= sizeof(struct vbus_rpmsg)) {
			u32 dst = READ_ONCE(((const struct vbus_rpmsg *)message.payload)->dst);

			if (dst == VBUS_RPMSG_NAME_SERVICE) /* its callback sleeps */
				return VBUS_REST_NAMES;
			vbus_note_latency(chan, &message);
			if (vbus_memory_short(port) || !vbus_deliver(chan, &message, dst))
				return VBUS_REST_MEMORY;
		} else {
			chan->rx_dropped++;
		}
		vbus_step(chan, vbus_rx_release(&chan->end, &message));
	}
	return VBUS_REST_MORE;
}

/* Any context. */
enum vbus_rest vbus_receive(struct vbus_chan *chan)
{
	enum vbus_rest rest;
	unsigned long irqs;

	spin_lock_irqsave(&chan->rpmsg.rx_lock, irqs);
	rest = vbus_receive_batch(chan);
	spin_unlock_irqrestore(&chan->rpmsg.rx_lock, irqs);
	return rest;
}

/*
 * After VBUS_REST_NAMES, in process context: what the callback does with it may
 * sleep. It gets a copy, because it changes it, and trusts what it has read.
 */
void vbus_receive_announcement(struct vbus_chan *chan)
{
	struct vbus_rpmsg_port *port = &chan->rpmsg;
	struct {
		struct vbus_rpmsg head;
		struct vbus_rpmsg_announcement announcement;
	} copy;
	struct rpmsg_endpoint *ept;
	struct vbus_message message;
	unsigned long irqs;
	u32 length = 0;

	spin_lock_irqsave(&port->rx_lock, irqs);
	if (vbus_step(chan, vbus_rx_begin(&chan->end, &message)) == VBUS_OK) {
		length = min_t(u32, message.length, sizeof(copy));
		memcpy(&copy, message.payload, length);
		if (vbus_step(chan, vbus_rx_release(&chan->end, &message)) != VBUS_OK)
			length = 0;
	}
	spin_unlock_irqrestore(&port->rx_lock, irqs);

	mutex_lock(&port->name_service);
	ept = xa_load(&port->endpoints, VBUS_RPMSG_NAME_SERVICE);
	if (length == sizeof(copy) && message.length == length && copy.head.dst == VBUS_RPMSG_NAME_SERVICE && ept && ept->cb)
		ept->cb(ept->rpdev, &copy.announcement, sizeof(copy.announcement), ept->priv, copy.head.src);
	else
		chan->rx_dropped++;
	mutex_unlock(&port->name_service);
}
