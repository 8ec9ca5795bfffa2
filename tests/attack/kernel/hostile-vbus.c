// SPDX-License-Identifier: GPL-2.0-only
/* Rubbish in V-Bus, at full speed: the RT side may lose this guest's messages, no more */
#include <linux/interrupt.h>
#include <linux/io.h>
#include <linux/ktime.h>
#include <linux/of_address.h>
#include <linux/sched.h>
#include "hostile.h"

#ifdef CONFIG_ARM_RTMUX
#include <rtmux/abi/guest.h>

static u32 *region;
static size_t region_size;

static int map_region(void)
{
	struct device_node *node = of_find_compatible_node(NULL, NULL, "rtmux,vbus");
	struct resource memory;
	int error = node ? of_address_to_resource(node, 0, &memory) : -ENODEV;

	of_node_put(node);
	if (error)
		return error;
	region_size = resource_size(&memory);
	region = memremap(memory.start, region_size, MEMREMAP_WB);
	return region ? 0 : -ENOMEM;
}

/* A word that a parser might believe: small numbers, offsets, sizes, epochs, all ones */
static u32 tempting(void)
{
	u32 random = hostile_random();

	switch (random & 7) {
	case 0:
		return 0;
	case 1:
		return U32_MAX;
	case 2:
		return random >> 20;
	case 3:
		return (random >> 8) & 0x3fff8;
	case 4:
		return BIT(random >> 27);
	default:
		return random;
	}
}

/* All of it, again and again, for so many milliseconds, with a doorbell now and then */
static int attack_vbus_scribble(unsigned long milliseconds)
{
	u64 end = ktime_get_ns() + (milliseconds ? milliseconds : 500) * NSEC_PER_MSEC;
	int error = map_region();
	size_t i;

	if (error)
		return error;
	while (ktime_get_ns() < end) {
		for (i = 0; i < region_size / sizeof(u32); i++) {
			WRITE_ONCE(region[i], tempting());
			if ((i & 0xfff) == 0)
				hypercall(RTMUX_VBUS_DOORBELL, hostile_random() & 15, 0, 0, 0);
		}
		hypercall(RTMUX_VBUS_DOORBELL, U32_MAX, 0, 0, 0);
		cond_resched();
	}
	memunmap(region);
	return 0;
}

/* The header, the directory and the first lines only: more often, and between any two steps of the RT side */
static int attack_vbus_control(unsigned long milliseconds)
{
	u64 end = ktime_get_ns() + (milliseconds ? milliseconds : 500) * NSEC_PER_MSEC;
	int error = map_region();
	size_t i;

	if (error)
		return error;
	while (ktime_get_ns() < end) {
		for (i = 0; i < 3 * PAGE_SIZE / sizeof(u32); i++)
			WRITE_ONCE(region[i], tempting());
		for (i = 0; i < 16; i++)
			hypercall(RTMUX_VBUS_DOORBELL, i, 0, 0, 0);
		cond_resched();
	}
	memunmap(region);
	return 0;
}
#endif

const struct attack vbus_attacks[] = {
#ifdef CONFIG_ARM_RTMUX
	{ "vbus-scribble", attack_vbus_scribble },
	{ "vbus-control", attack_vbus_control },
#endif
	{ }
};
