// SPDX-License-Identifier: GPL-2.0-only
/* As much of one thing as fits in half a second: what RT must not feel. */
#include <linux/irqflags.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <asm/tlbflush.h>
#include "fault.h"
#include "hostile.h"

/* Interrupts masked half a second: RT goes on, Linux's own time stands */
static int attack_irqs_off(unsigned long milliseconds)
{
	u64 end = ktime_get_ns() + (milliseconds ? milliseconds : 500) * NSEC_PER_MSEC;
	unsigned long flags;

	local_irq_save(flags);
	while (ktime_get_ns() < end)
		cpu_relax();
	local_irq_restore(flags);
	return 0;
}

static int attack_fault_storm(unsigned long rounds)
{
	unsigned long i;
	u32 word;

	for (i = 0; i < (rounds ? rounds : 50000); i++)
		if (peek(0xf5000000 + (i & 0xfff) * PAGE_SIZE, &word) == 0)
			return BREACH;
	return 0;
}

#ifdef CONFIG_ARM_RTMUX
#include <rtmux/abi/guest.h>

static int attack_hypercall_storm(unsigned long nr)
{
	unsigned int i;

	for (i = 0; i < 200000; i++)
		hypercall(nr ? nr : 9999, 0, 0, 0, 0);
	return 0;
}

static int attack_doorbell_storm(unsigned long unused)
{
	return attack_hypercall_storm(RTMUX_VBUS_DOORBELL);
}

static int attack_tlb_storm(unsigned long unused)
{
	unsigned int i;

	for (i = 0; i < 5000; i++) {
		asm volatile("mcr	p15, 0, %0, c8, c7, 0" : : "r" (0) : "memory");
		hypercall(RTMUX_TLB_KERNEL, PAGE_OFFSET, 0xfffff000, 0, 0);
		hypercall(RTMUX_TLB_USER, 0, TASK_SIZE, i & 0xff, 0);
		asm volatile("mcr	p15, 0, %0, c8, c7, 2" : : "r" (i & 0xff) : "memory");
	}
	return 0;
}

static int attack_cache_storm(unsigned long unused)
{
	unsigned int i;

	for (i = 0; i < 200; i++) {
		hypercall(RTMUX_CACHE_ALL, 0, 0, 0, 0);
		hypercall(RTMUX_CACHE_COHERENT, PAGE_OFFSET, PAGE_OFFSET + 0x7f000, 0, 0);
		hypercall(RTMUX_DCACHE_AREA, 0, 0xffffffff, 0, 0);
		hypercall(RTMUX_DMA_FLUSH, 0x10000, 0x8f000, 0, 0); /* nothing is mapped there */
	}
	return 0;
}

/* Address spaces by the hundred: more than the executive keeps */
static int attack_switch_storm(unsigned long unused)
{
	u32 pgd = __pa(current->mm->pgd), asid = current->mm->context.id.counter & 0xff;
	unsigned long flags;
	unsigned int i;

	local_irq_save(flags);
	for (i = 0; i < 5000; i++)
		hypercall(RTMUX_SWITCH_MM, pgd, hostile_random() & 0xff, 0, 0);
	hypercall(RTMUX_SWITCH_MM, pgd, asid, 0, 0);
	local_irq_restore(flags);
	return 0;
}
#endif

const struct attack storm_attacks[] = {
	{ "irqs-off", attack_irqs_off },
	{ "fault-storm", attack_fault_storm },
#ifdef CONFIG_ARM_RTMUX
	{ "hypercall-storm", attack_hypercall_storm },
	{ "doorbell-storm", attack_doorbell_storm },
	{ "tlb-storm", attack_tlb_storm },
	{ "cache-storm", attack_cache_storm },
	{ "switch-storm", attack_switch_storm },
#endif
	{ }
};
