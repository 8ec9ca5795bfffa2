// SPDX-License-Identifier: GPL-2.0-only
/*
 * V-Bus for Linux: the platform device "rtmux,vbus", the region's header and
 * directory, and doorbells. Protocol: docs/vbus.md.
 *
 * The RT side may format the region before or after this driver starts, and
 * again: each doorbell is a reason to look at the epoch and the directory.
 */
#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/mod_devicetable.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/slab.h>
#include <linux/workqueue.h>

#include <asm/rtmux.h>

#include "rtmux_vbus.h"

struct vbus_bus {
	struct device *dev;
	void *base;
	u32 size;
	int irq;
	struct work_struct sync;	/* the only one that changes what follows */
	u32 epoch;			/* of the region we are attached to; 0: none */
	u32 entries;			/* of the directory that we have seen */
	u32 count;			/* of chan[]; grows only */
	struct vbus_chan *chan[VBUS_MAX_CHANNELS];
};

void vbus_doorbell(void)
{
	rtmux_call(RTMUX_VBUS_DOORBELL, 0);
}

static struct vbus_chan *vbus_find(struct vbus_bus *bus, const char *name)
{
	u32 i;

	for (i = 0; i < bus->count; i++)
		if (!strcmp(bus->chan[i]->name, name))
			return bus->chan[i];
	return NULL;
}

static void vbus_add_entry(struct vbus_bus *bus, u32 index)
{
	struct vbus_channel entry;
	struct vbus_chan *chan;

	if (!vbus_read_channel(bus->base, bus->size, index, &entry)) {
		dev_warn(bus->dev, "entry %u of the directory is not valid\n", index);
		return;
	}
	chan = vbus_find(bus, entry.name);
	if (!chan && bus->count < VBUS_MAX_CHANNELS) {
		chan = vbus_chan_create(bus->dev, entry.name);
		if (IS_ERR(chan)) {
			dev_err(bus->dev, "channel %s: error %ld\n", entry.name, PTR_ERR(chan));
			return;
		}
		bus->chan[bus->count] = chan;
		smp_store_release(&bus->count, bus->count + 1); /* for vbus_irq */
	}
	if (chan && !chan->attached)
		vbus_chan_attach(chan, bus->base, &entry);
}

static void vbus_detach_all(struct vbus_bus *bus)
{
	u32 i;

	for (i = 0; i < bus->count; i++)
		if (bus->chan[i]->attached)
			vbus_chan_detach(bus->chan[i]);
	bus->epoch = 0;
	bus->entries = 0;
}

static void vbus_sync(struct work_struct *work)
{
	struct vbus_bus *bus = container_of(work, struct vbus_bus, sync);
	u32 epoch, count;

	switch (vbus_check_region(bus->base, bus->size, &epoch)) {
	case VBUS_ATTACHED:
		break;
	case VBUS_NOT_READY:
		vbus_detach_all(bus);
		return;
	default:
		vbus_detach_all(bus);
		dev_err_once(bus->dev, "the RTOS speaks another version than %u\n", VBUS_VERSION);
		return;
	}
	if (epoch != bus->epoch) {
		vbus_detach_all(bus);
		bus->epoch = epoch;
	}
	count = min(vbus_word(&vbus_header_of(bus->base)->channel_count), VBUS_MAX_CHANNELS);
	while (bus->entries < count)
		vbus_add_entry(bus, bus->entries++);
	vbus_set_guest(bus->base, bus->epoch, VBUS_STATE_RUNNING);
	vbus_doorbell();
}

static irqreturn_t vbus_irq(int irq, void *data)
{
	struct vbus_bus *bus = data;
	struct vbus_header *header = vbus_header_of(bus->base);
	u32 i, count = smp_load_acquire(&bus->count);

	if (vbus_word(&header->epoch) != READ_ONCE(bus->epoch) ||
	    vbus_word(&header->channel_count) > READ_ONCE(bus->entries))
		schedule_work(&bus->sync);
	for (i = 0; i < count; i++) {
		struct vbus_chan *chan = bus->chan[i];

		vbus_step(chan, (chan->wanted = U32_MAX, vbus_poll_peer(&chan->end)));
		wake_up_interruptible(&chan->readers);
		wake_up_interruptible(&chan->writers);
	}
	return IRQ_HANDLED;
}

static int vbus_probe(struct platform_device *pdev)
{
	struct device *dev = &pdev->dev;
	struct resource *memory = platform_get_resource(pdev, IORESOURCE_MEM, 0);
	struct vbus_bus *bus = devm_kzalloc(dev, sizeof(*bus), GFP_KERNEL);
	int error;

	if (!bus)
		return -ENOMEM;
	if (!memory || resource_size(memory) < VBUS_PAGE)
		return dev_err_probe(dev, -EINVAL, "no memory in the device tree\n");
	bus->dev = dev;
	bus->size = resource_size(memory);
	bus->base = devm_memremap(dev, memory->start, bus->size, MEMREMAP_WB);
	if (IS_ERR(bus->base))
		return PTR_ERR(bus->base);
	bus->irq = platform_get_irq(pdev, 0);
	if (bus->irq < 0)
		return bus->irq;
	INIT_WORK(&bus->sync, vbus_sync);
	platform_set_drvdata(pdev, bus);
	error = request_irq(bus->irq, vbus_irq, 0, "vbus", bus);
	if (error)
		return dev_err_probe(dev, error, "interrupt %d\n", bus->irq);
	schedule_work(&bus->sync);
	flush_work(&bus->sync); /* the devices are there when modprobe returns */
	return 0;
}

static void vbus_remove(struct platform_device *pdev)
{
	struct vbus_bus *bus = platform_get_drvdata(pdev);
	u32 i;

	free_irq(bus->irq, bus);
	cancel_work_sync(&bus->sync);
	if (bus->epoch)
		vbus_set_guest(bus->base, bus->epoch, VBUS_STATE_STOPPING);
	for (i = 0; i < bus->count; i++)
		vbus_chan_remove(bus->chan[i]);
	if (bus->epoch)
		vbus_set_guest(bus->base, bus->epoch, VBUS_STATE_RESET);
	vbus_doorbell();
}

static const struct of_device_id vbus_of_match[] = {
	{ .compatible = "rtmux,vbus" },
	{}
};
MODULE_DEVICE_TABLE(of, vbus_of_match);

static struct platform_driver vbus_driver = {
	.probe = vbus_probe,
	.remove = vbus_remove,
	.driver = {
		.name = "rtmux-vbus",
		.of_match_table = vbus_of_match,
	},
};
module_platform_driver(vbus_driver);

MODULE_DESCRIPTION("RTMux V-Bus: channels to the RTOS");
MODULE_LICENSE("GPL");
