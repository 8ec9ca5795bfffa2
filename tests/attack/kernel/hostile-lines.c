// SPDX-License-Identifier: GPL-2.0-only
/* Games with interrupt lines: enabled though not assigned, pending for ever,
 * ended twice, or of others; and storms of real ones.
 */
#include <linux/io.h>
#include <linux/irqflags.h>
#include <linux/ktime.h>
#include <linux/string.h>
#include <board.h>
#include <rtmux/abi/guest.h>
#include "hostile.h"
#include "hostile-own.h"

#define SHARED ((volatile u32 *)RTMUX_SHARED)

/* Ends of all lines there are and are not, twice and a hundred times: RT's, the executive's, the guest's own */
static int attack_line_ends(unsigned long unused)
{
	unsigned int round, line;

	for (round = 0; round < 100; round++)
		for (line = 0; line < 1024; line++)
			hypercall(RTMUX_IRQ_EOI, round & 1 ? line : ~line, 0, 0, 0);
	for (line = 0; line < 32; line++)
		hypercall(RTMUX_IRQ_EOI, 1u << line, 0, 0, 0);
	return 0;
}

/* All lines enabled, all pending, again and again; the interrupts come to us */
static int attack_line_bitmaps(unsigned long rounds)
{
	u32 kept[8], i, n, delivered = 0;
	struct own own;
	int error = own_begin(&own);

	if (error)
		return error;
	for (n = 0; n < (rounds ? rounds : 2000); n++) {
		for (i = 0; i < 8; i++) {
			kept[i] = SHARED[RTMUX_S_PENDING / 4 + i];
			SHARED[RTMUX_S_PENDING / 4 + i] = n & 1 ? 0xffffffff : hostile_random();
		}
		/* to user mode: open */
		hypercall(RTMUX_IRQ_POLL, 0, 0, 0, 0);
		own.code[0] = 0xe7f001f1;
		hypercall(RTMUX_CACHE_COHERENT, OWN_KERNEL_VA, OWN_KERNEL_VA + 4, 0, 0);
		delivered += own_return(0x10, OWN_USER_VA, 0, 0) == OWN_IRQ;
		hypercall(RTMUX_IRQ_EOI, hostile_random() & 127, 0, 0, 0);
		for (i = 0; i < 8; i++)
			SHARED[RTMUX_S_PENDING / 4 + i] = kept[i];
		if (n % 128 == 0)
			own_pause(&own);
	}
	own_end(&own);
	say("line-bitmaps: %u interrupts delivered", delivered);
	return delivered ? 0 : -EIO;
}

/* A guest device whose line is always up: PL061 GPIO 0, level-sensitive, with nobody to serve it. Each end brings
 * the next interrupt.
 */
static int attack_line_storm(unsigned long milliseconds)
{
	u64 end = ktime_get_ns() + (milliseconds ? milliseconds : 30) * NSEC_PER_MSEC;
	u8 __iomem *gpio = ioremap(0x10013000, PAGE_SIZE);
	u32 line = 38, ends = 0, came = 0;
	unsigned long flags;

	if (!gpio)
		return -ENOMEM;
	local_irq_save(flags);
	writeb(0xff, gpio + 0x400);		/* GPIODIR: outputs, */
	writeb(0xff, gpio + 0x404);		/* GPIOIS: level */
	writeb(0, gpio + 0x40c);		/* GPIOIEV: low */
	writeb(0, gpio + 0x3fc);
	writeb(0xff, gpio + 0x410);		/* GPIOIE */
	while (ktime_get_ns() < end) {
		hypercall(RTMUX_IRQ_EOI, line, 0, 0, 0);
		ends++;
		if (SHARED[RTMUX_S_PENDING / 4 + 1] & 1u << (line - 32)) {
			SHARED[RTMUX_S_PENDING / 4 + 1] &= ~(1u << (line - 32));
			came++;
		}
	}
	writeb(0, gpio + 0x410);
	hypercall(RTMUX_IRQ_EOI, line, 0, 0, 0);
	local_irq_restore(flags);
	iounmap(gpio);
	say("line-storm: %u ends, %u interrupts", ends, came);
	return came > 100 ? 0 : -EIO;
}

/* Linux's own timer every microsecond, ended as fast as it comes: SP804 at 1 MHz */
static int attack_timer_storm(unsigned long milliseconds)
{
	u64 end = ktime_get_ns() + (milliseconds ? milliseconds : 30) * NSEC_PER_MSEC;
	u32 __iomem *timer = ioremap(0x10011000, PAGE_SIZE);
	u32 line = 36, came = 0, control, i;
	unsigned long flags;

	if (!timer)
		return -ENOMEM;
	/* Of the two in there, the one that interrupts */
	i = readl(timer + 2) & 0x20 ? 0 : 8;
	local_irq_save(flags);
	control = readl(timer + i + 2);
	writel(0, timer + i + 2);
	writel(1, timer + i);			/* TimerLoad */
	writel(0xe2, timer + i + 2);		/* enabled, periodic, interrupt, 32 bits */
	while (ktime_get_ns() < end) {
		if (SHARED[RTMUX_S_PENDING / 4 + 1] & 1u << (line - 32)) {
			SHARED[RTMUX_S_PENDING / 4 + 1] &= ~(1u << (line - 32));
			came++;
		}
		writel(1, timer + i + 3);	/* TimerIntClr */
		hypercall(RTMUX_IRQ_EOI, line, 0, 0, 0);
	}
	writel(0, timer + i + 2);
	writel(1, timer + i + 3);
	hypercall(RTMUX_IRQ_EOI, line, 0, 0, 0);
	writel(1000, timer + i);		/* Linux's next tick, and it goes on */
	writel(control | 0x80, timer + i + 2);
	local_irq_restore(flags);
	iounmap(timer);
	say("timer-storm: %u interrupts", came);
	return came > 100 ? 0 : -EIO;
}

const struct attack line_attacks[] = {
	{ "line-ends", attack_line_ends },
	{ "line-bitmaps", attack_line_bitmaps },
	{ "line-storm", attack_line_storm },
	{ "timer-storm", attack_timer_storm },
	{ }
};
