// SPDX-License-Identifier: GPL-2.0-only
/* /sys/class/vbus/<channel>/: what the channel is, its state, and the counters of this end. */
#include <linux/device.h>
#include <linux/sysfs.h>

#include <rtmux/vbus_user.h>

#include "rtmux_vbus.h"

/* A process that has the end says what it likes. */
void vbus_read_stats(struct vbus_chan *chan, struct vbus_stats *stats)
{
	unsigned long irqs;

	spin_lock_irqsave(&chan->lock, irqs);
	if (!vbus_is(chan, VBUS_CHANNEL_MMAP))
		*stats = chan->end.stats;
	else if (chan->attached)
		memcpy(stats, (const u8 *)chan->end.mine + VBUS_USER_STATS, sizeof(*stats));
	else
		memset(stats, 0, sizeof(*stats));
	spin_unlock_irqrestore(&chan->lock, irqs);
}

enum vbus_depth { VBUS_TX, VBUS_RX };

/* Bytes in a ring, of which each side says one index. */
static u32 vbus_depth(struct vbus_chan *chan, enum vbus_depth way)
{
	u32 depth = 0, size = way == VBUS_TX ? chan->end.tx_size : chan->end.rx_size;
	unsigned long irqs;

	spin_lock_irqsave(&chan->lock, irqs);
	if (chan->attached) {
		const struct vbus_side *mine = chan->end.mine, *peer = chan->end.peer;

		depth = way == VBUS_TX ? vbus_word(&mine->head) - vbus_word(&peer->tail) :
					 vbus_word(&peer->head) - vbus_word(&mine->tail);
	}
	spin_unlock_irqrestore(&chan->lock, irqs);
	return depth > size ? 0 : depth;
}

static u32 vbus_up(struct vbus_chan *chan)
{
	unsigned long irqs;
	u32 up = 0;

	spin_lock_irqsave(&chan->lock, irqs);
	if (chan->attached) {
		u32 epoch = vbus_word(&chan->end.mine->epoch), peer = vbus_word(&chan->end.peer->epoch);

		up = epoch && peer && vbus_word(&chan->end.mine->peer_epoch) == peer &&
		     vbus_word(&chan->end.peer->peer_epoch) == epoch;
	}
	spin_unlock_irqrestore(&chan->lock, irqs);
	return up;
}

#define VBUS_ATTRIBUTE(name, format, value)							\
	static ssize_t name##_show(struct device *dev, struct device_attribute *attr, char *buf)	\
	{											\
		struct vbus_chan *chan = to_vbus_chan(dev);					\
												\
		return sysfs_emit(buf, format "\n", value);					\
	}											\
	static DEVICE_ATTR_RO(name)

#define VBUS_COUNTER(name)									\
	static ssize_t name##_show(struct device *dev, struct device_attribute *attr, char *buf)	\
	{											\
		struct vbus_stats stats;							\
												\
		vbus_read_stats(to_vbus_chan(dev), &stats);					\
		return sysfs_emit(buf, "%llu\n", stats.name);					\
	}											\
	static DEVICE_ATTR_RO(name)

VBUS_ATTRIBUTE(kind, "%s", vbus_is(chan, VBUS_CHANNEL_RPMSG) ? "rpmsg" : vbus_is(chan, VBUS_CHANNEL_MMAP) ? "mmap" : "none");
VBUS_ATTRIBUTE(priority, "%u", chan->entry.priority);
VBUS_ATTRIBUTE(clock_hz, "%u", chan->bus->clock_hz);
VBUS_ATTRIBUTE(up, "%u", vbus_up(chan));
VBUS_ATTRIBUTE(tx_ring_size, "%u", chan->entry.to_rt.size);
VBUS_ATTRIBUTE(rx_ring_size, "%u", chan->entry.to_guest.size);
VBUS_ATTRIBUTE(tx_depth, "%u", vbus_depth(chan, VBUS_TX));
VBUS_ATTRIBUTE(rx_depth, "%u", vbus_depth(chan, VBUS_RX));
VBUS_ATTRIBUTE(rx_dropped, "%llu", READ_ONCE(chan->rx_dropped));
VBUS_ATTRIBUTE(interrupts, "%llu", READ_ONCE(chan->interrupts));
VBUS_COUNTER(tx_records);
VBUS_COUNTER(tx_bytes);
VBUS_COUNTER(tx_full);
VBUS_COUNTER(rx_records);
VBUS_COUNTER(rx_bytes);
VBUS_COUNTER(doorbells);
VBUS_COUNTER(doorbells_saved);
VBUS_COUNTER(congestions);
VBUS_COUNTER(resets);
VBUS_COUNTER(violations);

static struct attribute *vbus_chan_attributes[] = {
	&dev_attr_kind.attr,
	&dev_attr_priority.attr,
	&dev_attr_clock_hz.attr,
	&dev_attr_up.attr,
	&dev_attr_tx_ring_size.attr,
	&dev_attr_rx_ring_size.attr,
	&dev_attr_tx_depth.attr,
	&dev_attr_rx_depth.attr,
	&dev_attr_tx_records.attr,
	&dev_attr_tx_bytes.attr,
	&dev_attr_tx_full.attr,
	&dev_attr_rx_records.attr,
	&dev_attr_rx_bytes.attr,
	&dev_attr_rx_dropped.attr,
	&dev_attr_interrupts.attr,
	&dev_attr_doorbells.attr,
	&dev_attr_doorbells_saved.attr,
	&dev_attr_congestions.attr,
	&dev_attr_resets.attr,
	&dev_attr_violations.attr,
	NULL,
};

static const struct attribute_group vbus_chan_group = {
	.attrs = vbus_chan_attributes,
};

const struct attribute_group *vbus_chan_groups[] = { &vbus_chan_group, NULL };
