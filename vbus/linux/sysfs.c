// SPDX-License-Identifier: GPL-2.0-only
/* /sys/class/misc/vbus-<channel>/: state and counters of this end. */
#include <linux/device.h>
#include <linux/sysfs.h>

#include "rtmux_vbus.h"

static struct vbus_chan *vbus_chan_of(struct device *dev)
{
	return container_of(dev_get_drvdata(dev), struct vbus_chan, misc);
}

/* Read under the lock: a counter is two words. */
#define VBUS_ATTRIBUTE(name, value)								\
	static ssize_t name##_show(struct device *dev, struct device_attribute *attr, char *buf)	\
	{											\
		struct vbus_chan *chan = vbus_chan_of(dev);					\
		unsigned long irqs;								\
		u64 number;									\
												\
		spin_lock_irqsave(&chan->lock, irqs);						\
		number = (value);								\
		spin_unlock_irqrestore(&chan->lock, irqs);					\
		return sysfs_emit(buf, "%llu\n", number);					\
	}											\
	static DEVICE_ATTR_RO(name)

VBUS_ATTRIBUTE(up, chan->attached && chan->end.up);
VBUS_ATTRIBUTE(tx_ring_size, chan->end.tx_size);
VBUS_ATTRIBUTE(rx_ring_size, chan->end.rx_size);
VBUS_ATTRIBUTE(tx_records, chan->end.stats.tx_records);
VBUS_ATTRIBUTE(tx_bytes, chan->end.stats.tx_bytes);
VBUS_ATTRIBUTE(tx_full, chan->end.stats.tx_full);
VBUS_ATTRIBUTE(rx_records, chan->end.stats.rx_records);
VBUS_ATTRIBUTE(rx_bytes, chan->end.stats.rx_bytes);
VBUS_ATTRIBUTE(doorbells, chan->end.stats.doorbells);
VBUS_ATTRIBUTE(doorbells_saved, chan->end.stats.doorbells_saved);
VBUS_ATTRIBUTE(resets, chan->end.stats.resets);
VBUS_ATTRIBUTE(violations, chan->end.stats.violations);

static struct attribute *vbus_chan_attributes[] = {
	&dev_attr_up.attr,
	&dev_attr_tx_ring_size.attr,
	&dev_attr_rx_ring_size.attr,
	&dev_attr_tx_records.attr,
	&dev_attr_tx_bytes.attr,
	&dev_attr_tx_full.attr,
	&dev_attr_rx_records.attr,
	&dev_attr_rx_bytes.attr,
	&dev_attr_doorbells.attr,
	&dev_attr_doorbells_saved.attr,
	&dev_attr_resets.attr,
	&dev_attr_violations.attr,
	NULL,
};

static const struct attribute_group vbus_chan_group = {
	.attrs = vbus_chan_attributes,
};

const struct attribute_group *vbus_chan_groups[] = { &vbus_chan_group, NULL };
