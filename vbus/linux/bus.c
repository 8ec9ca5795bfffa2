// SPDX-License-Identifier: GPL-2.0-only
/*
 * V-Bus for Linux: the platform device "rtmux,vbus", the region's header and
 * directory, and doorbells. Protocol: docs/vbus.md.
 *
 * The RT side may format the region before or after this driver starts, and
 * again: each doorbell is a reason to look at the epoch and the directory.
 */
#include <linux/interrupt.h>
#include <linux/mod_devicetable.h>
#include <linux/module.h>
#include <linux/platform_device.h>

#include "rtmux_vbus.h"

static struct vbus_chan *vbus_find(struct vbus_bus *bus, const char *name)
{
	struct vbus_chan *chan;

	list_for_each_entry(chan, &bus->channels, list)
		if (!strcmp(chan->entry.name, name))
			return chan;
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
	if (!chan) {
		chan = vbus_chan_create(bus, &entry, index);
		if (IS_ERR(chan)) {
			dev_err(bus->dev, "channel %s: error %ld\n", entry.name, PTR_ERR(chan));
			return;
		}
		list_add_tail(&chan->list, &bus->channels);
	}
	if (chan->attached) {
		dev_warn(bus->dev, "channel %s is in the directory twice\n", entry.name);
		return;
	}
	vbus_chan_attach(chan, &entry, index);
	smp_store_release(&bus->slot[index], chan); /* for vbus_irq */
	if (chan->attached)
		vbus_chan_interrupt(chan); /* it may have rung before */
}

static void vbus_detach_all(struct vbus_bus *bus)
{
	struct vbus_chan *chan;
	u32 i;

	for (i = 0; i < VBUS_MAX_CHANNELS; i++)
		WRITE_ONCE(bus->slot[i], NULL);
	synchronize_irq(bus->irq);
	list_for_each_entry(chan, &bus->channels, list)
		if (chan->attached)
			vbus_chan_detach(chan);
	bus->epoch = 0;
	bus->entries = 0;
}

static void vbus_sync(struct work_struct *work)
{
	struct vbus_bus *bus = container_of(work, struct vbus_bus, sync);
	struct vbus_header *header = vbus_header_of(bus->base);
	u32 epoch, count;

	switch (vbus_check_region(bus->base, bus->size, &epoch)) {
	case VBUS_ATTACHED:
		break;
	case VBUS_BAD_VERSION:
		dev_err_once(bus->dev, "the RTOS speaks another version than %u\n", VBUS_VERSION);
		fallthrough;
	default:
		vbus_detach_all(bus);
		vbus_doorbell(VBUS_DOORBELL_HEADER); /* it rings when it has something to offer */
		return;
	}
	if (epoch != bus->epoch) {
		vbus_detach_all(bus);
		vbus_accept_features(bus->base, VBUS_FEATURES);
		bus->rung = vbus_word(&header->rt.features) & VBUS_FEATURE_RUNG;
		bus->clock_hz = vbus_word(&header->clock_hz);
		bus->epoch = epoch;
	}
	count = min(vbus_word(&header->channel_count), VBUS_MAX_CHANNELS);
	while (bus->entries < count)
		vbus_add_entry(bus, bus->entries++);
	vbus_set_guest(bus->base, bus->epoch, VBUS_STATE_RUNNING);
	vbus_doorbell(VBUS_DOORBELL_HEADER);
}

static irqreturn_t vbus_irq(int irq, void *data)
{
	struct vbus_bus *bus = data;
	struct vbus_header *header = vbus_header_of(bus->base);
	u32 word, entries = READ_ONCE(bus->entries);

	if (unlikely(vbus_word(&header->epoch) != READ_ONCE(bus->epoch))) {
		schedule_work(&bus->sync);
		return IRQ_HANDLED; /* another region: what our ends say of it is void */
	}
	if (unlikely(vbus_word(&header->channel_count) > entries))
		schedule_work(&bus->sync);
	for (word = 0; word * 32 < entries; word++) {
		u32 rung = bus->rung ? vbus_take_rung(bus->base, word) : U32_MAX;

		while (rung) {
			u32 bit = __ffs(rung);
			struct vbus_chan *chan = NULL;

			rung &= rung - 1;
			if (word * 32 + bit < VBUS_MAX_CHANNELS)
				chan = smp_load_acquire(&bus->slot[word * 32 + bit]);
			if (chan)
				vbus_chan_interrupt(chan);
		}
	}
	return IRQ_HANDLED;
}

/* The clock is the second of the node's registers; a board may have it where a guest cannot read. */
static void vbus_map_clock(struct platform_device *pdev, struct vbus_bus *bus)
{
	struct resource *clock = platform_get_resource(pdev, IORESOURCE_MEM, 1);

	if (clock)
		bus->clock = devm_ioremap(&pdev->dev, clock->start, resource_size(clock));
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
	bus->physical = memory->start;
	bus->size = resource_size(memory);
	bus->base = devm_memremap(dev, memory->start, bus->size, MEMREMAP_WB);
	if (IS_ERR(bus->base))
		return PTR_ERR(bus->base);
	vbus_map_clock(pdev, bus);
	bus->irq = platform_get_irq(pdev, 0);
	if (bus->irq < 0)
		return bus->irq;
	INIT_LIST_HEAD(&bus->channels);
	INIT_WORK(&bus->sync, vbus_sync);
	platform_set_drvdata(pdev, bus);
	error = request_irq(bus->irq, vbus_irq, 0, "vbus", bus);
	if (error)
		return dev_err_probe(dev, error, "interrupt %d\n", bus->irq);
	schedule_work(&bus->sync);
	flush_work(&bus->sync); /* the channels are there when modprobe returns */
	return 0;
}

static void vbus_remove(struct platform_device *pdev)
{
	struct vbus_bus *bus = platform_get_drvdata(pdev);
	struct vbus_chan *chan, *next;
	u32 epoch;

	free_irq(bus->irq, bus);
	cancel_work_sync(&bus->sync);
	epoch = bus->epoch;
	if (epoch)
		vbus_set_guest(bus->base, epoch, VBUS_STATE_STOPPING);
	list_for_each_entry_safe(chan, next, &bus->channels, list)
		vbus_chan_remove(chan);
	if (epoch)
		vbus_set_guest(bus->base, epoch, VBUS_STATE_RESET);
	vbus_doorbell(VBUS_DOORBELL_HEADER);
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

static int __init vbus_init(void)
{
	int error = vbus_channel_init();

	if (error)
		return error;
	vbus_debugfs_init();
	error = platform_driver_register(&vbus_driver);
	if (error) {
		vbus_debugfs_exit();
		vbus_channel_exit();
	}
	return error;
}
module_init(vbus_init);

static void __exit vbus_exit(void)
{
	platform_driver_unregister(&vbus_driver);
	vbus_debugfs_exit();
	vbus_channel_exit();
}
module_exit(vbus_exit);

MODULE_DESCRIPTION("RTMux V-Bus: channels to the RTOS, a transport of rpmsg");
MODULE_LICENSE("GPL");
MODULE_SOFTDEP("post: rpmsg_char rpmsg_ctrl rpmsg_tty");
