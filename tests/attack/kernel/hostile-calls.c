// SPDX-License-Identifier: GPL-2.0-only
/* Hypercalls with wild arguments, and a shared page full of rubbish. */
#include <linux/delay.h>
#include <linux/gfp.h>
#include <linux/irqflags.h>
#include <linux/ktime.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <linux/string.h>
#include "fault.h"
#include "hostile.h"

#ifdef CONFIG_ARM_RTMUX
#include <rtmux/abi/guest.h>

#define SHARED ((volatile u32 *)RTMUX_SHARED)

/* What such a call does to the guest is what it asked for: see the fatal ones */
static bool ends_the_guest(u32 nr)
{
	switch (nr) {
	case RTMUX_HELLO:
	case RTMUX_SET_VECTORS:
	case RTMUX_SWITCH_MM:
	case RTMUX_RESET_CPU:
	case RTMUX_RESTART:
	case RTMUX_POWER_OFF:
		return true;
	}
	return false;
}

/* A number that is often an address, a length or an edge */
static u32 wild(void)
{
	static const u32 edge[] = { 0, 1, 3, 0x7f, 0x80, 0xff, 0xfff, 0x1000, 0x7fffffff, 0x80000000,
				    RTMUX_WINDOW, RTMUX_SHARED, RTMUX_WINDOW_END, 0xffff0000, 0xfffff000,
				    0xffffffff, PAGE_OFFSET, TASK_SIZE };

	switch (hostile_random() & 3) {
	case 0:
		return edge[hostile_random() % ARRAY_SIZE(edge)];
	case 1:
		return PAGE_OFFSET + hostile_random() % SZ_16M;
	case 2:
		return hostile_random() & 0xffff;
	}
	return hostile_random();
}

static int attack_numbers(unsigned long unused)
{
	u32 nr;

	for (nr = 0; nr < 4096; nr++)
		if (nr == 0 || nr >= RTMUX_NR_CALLS)
			if ((int)hypercall(nr, wild(), wild(), wild(), wild()) != -RTMUX_E_NOSYS)
				return BREACH;
	for (nr = 1; nr; nr <<= 1)
		if (nr >= RTMUX_NR_CALLS &&
		    ((int)hypercall(nr, 0, 0, 0, 0) != -RTMUX_E_NOSYS || (int)hypercall(-nr, 0, 0, 0, 0) != -RTMUX_E_NOSYS))
			return BREACH;
	return 0;
}

/* argument: seed */
static int attack_arguments(unsigned long unused)
{
	u64 start = ktime_get_ns(), longest = 0;
	u32 longest_nr = 0;
	unsigned int i;

	for (i = 0; i < 3000; i++) {
		u32 nr = 1 + hostile_random() % (RTMUX_NR_CALLS - 1);
		u64 before = ktime_get_ns(), took;

		if (ends_the_guest(nr))
			continue;
		hypercall(nr, wild(), wild(), wild(), wild());
		took = ktime_get_ns() - before;
		if (took > longest && nr != RTMUX_IDLE) {
			longest = took;
			longest_nr = nr;
		}
	}
	say("arguments: %llu us, longest call %u with %llu ns", (ktime_get_ns() - start) >> 10, longest_nr, longest);
	return 0;
}

/* Words that the executive reads, with interrupts masked and put back later.
 * Wild argument: all of the page.
 */
static int attack_shared(unsigned long unused)
{
	u32 *kept = kmalloc(PAGE_SIZE, GFP_KERNEL);
	unsigned long flags;
	unsigned int round, i;

	if (!kept)
		return -ENOMEM;
	for (round = 0; round < 200; round++) {
		local_irq_save(flags);
		memcpy(kept, (void *)RTMUX_SHARED, PAGE_SIZE);
		for (i = 0; i < 64; i++) {
			u32 word = hostile_random() % (round & 1 ? 32 : 1024);

			/* A mask that is open now would let in what the frames cannot take */
			if (word != RTMUX_S_IRQ_OFF / 4)
				SHARED[word] = wild();
		}
		hypercall(RTMUX_IRQ_POLL, 0, 0, 0, 0);
		hypercall(RTMUX_IRQ_EOI, wild(), 0, 0, 0);
		hypercall(RTMUX_VBUS_DOORBELL, wild(), 0, 0, 0);
		asm volatile("mcr	p15, 0, %0, c8, c7, 0" : : "r" (0) : "memory");
		for (i = 0; i < 1024; i++)
			if (i != RTMUX_S_IRQ_OFF / 4)
				SHARED[i] = kept[i];
		local_irq_restore(flags);
	}
	kfree(kept);
	return 0;
}

/* Each call's arguments one by one, all places that are none, at all offsets from a boundary */
static int attack_pointers(unsigned long unused)
{
	static const u32 place[] = { 0, 4096, TASK_SIZE, PAGE_OFFSET, 0xf5000000, RTMUX_WINDOW, RTMUX_WINDOW + 0x1c0000,
				     RTMUX_WINDOW + 0x200000, RTMUX_SHARED, RTMUX_WINDOW_END, 0xffff0000, 0xfffff000 };
	u32 nr, position, i, offset;

	for (nr = 0; nr < RTMUX_NR_CALLS; nr++) {
		if (ends_the_guest(nr) && nr != RTMUX_SET_VECTORS)
			continue;
		for (position = 0; position < 3; position++) {
			for (i = 0; i < ARRAY_SIZE(place); i++) {
				for (offset = 0; offset < 10; offset++) {
					u32 at = place[i] + (offset < 5 ? offset : -(offset - 4));
					u32 other = offset & 1 ? at + 64 : hostile_random();

					if (nr == RTMUX_IDLE || (nr == RTMUX_SET_VECTORS && (at & 3) == 0))
						continue;
					hypercall(nr, position == 0 ? at : other, position == 1 ? at : other,
						  position == 2 ? at : other, 0);
				}
			}
		}
	}
	return 0;
}

/* The shared page rewritten at random while everything runs: interrupts, system calls, faults, other processes.
 * What becomes of this kernel is its own affair.
 */
static int attack_shared_storm(unsigned long unused)
{
	unsigned int i;

	for (i = 0; i < 20000; i++) {
		u32 word = hostile_random() % (i & 1 ? 32 : 1024), kept = SHARED[word];

		/* Lines may become pending, not be lost: the timer would never come again */
		SHARED[word] = word - RTMUX_S_PENDING / 4 < 4 ? wild() | kept : wild();
		/* What would only put this kernel to sleep stays for a moment */
		if (word == RTMUX_S_IRQ_OFF / 4 || word - RTMUX_S_ENABLED / 4 < 4) {
			hypercall(RTMUX_IRQ_POLL, 0, 0, 0, 0);
			SHARED[word] = kept;
		}
		if (i % 64 == 0)
			hypercall(RTMUX_TLB_USER, 0, TASK_SIZE, current->mm->context.id.counter & 0xff, 0);
		if (i % 2048 == 0)
			msleep(1); /* others run meanwhile */
	}
	return 0;
}

/* argument: the vector, plus 16 times where it leads to; then all kinds of exceptions */
static int attack_vector(unsigned long argument)
{
	static const u32 place[] = { RTMUX_WINDOW, 0xdead0000, RTMUX_SHARED, 0xfffffffc, 1 };
	static u32 table[RTMUX_NR_VECTORS];
	unsigned int i;

	for (i = 0; i < RTMUX_NR_VECTORS; i++)
		table[i] = linux_vectors[i];
	table[(argument & 15) % RTMUX_NR_VECTORS] = place[(argument >> 4) % ARRAY_SIZE(place)];
	if ((int)hypercall(RTMUX_SET_VECTORS, (u32)table, 0, 0, 0))
		return BREACH;
	msleep(20);
	peek(0xf5000000, &i);
	asm volatile("udf	#0");
	return 0;
}

/* The border of the kernel half somewhere else */
static int attack_task_size(unsigned long size)
{
	hypercall(RTMUX_HELLO, RTMUX_ABI_VERSION, size, 0, 0);
	msleep(20);
	return 0;
}

/* From here on: the guest must be stopped and reported, RT goes on. */
static int attack_bad_pgd(unsigned long pgd)
{
	hypercall(RTMUX_SWITCH_MM, pgd, 77, 0, 0);
	return BREACH;
}

static int attack_random_pgd(unsigned long unused)
{
	u32 *pgd = (u32 *)__get_free_pages(GFP_KERNEL | __GFP_ZERO, 2);
	unsigned int i;

	for (i = 0; pgd && i < 4096; i++)
		pgd[i] = hostile_random();
	local_irq_disable();
	hypercall(RTMUX_SWITCH_MM, __pa(pgd), 78, 0, 0);
	return BREACH;
}

static int attack_bad_ttbr0(unsigned long pgd)
{
	asm volatile("mcr	p15, 0, %0, c2, c0, 0\n isb" : : "r" (pgd) : "memory");
	return BREACH;
}

static int attack_mmu_off(unsigned long unused)
{
	asm volatile("mcr	p15, 0, %0, c1, c0, 0\n isb" : : "r" (0) : "memory");
	*(volatile u32 *)0xf5000000; /* virtual addresses mean nothing now */
	return BREACH;
}

static int attack_hello(unsigned long version)
{
	hypercall(RTMUX_HELLO, version ? version : RTMUX_ABI_VERSION + 1, TASK_SIZE, 0, 0);
	return BREACH;
}

static int attack_vectors(unsigned long unused)
{
	u32 *table = kmalloc(4 * RTMUX_NR_VECTORS, GFP_KERNEL);
	unsigned int i;

	for (i = 0; table && i < RTMUX_NR_VECTORS; i++)
		table[i] = 0xdead0000 + 4 * i;
	local_irq_disable();
	hypercall(RTMUX_SET_VECTORS, (u32)table, 0, 0, 0);
	asm volatile("udf	#0");
	return BREACH;
}

static int attack_unreadable_vectors(unsigned long address)
{
	return (int)hypercall(RTMUX_SET_VECTORS, address ? address : RTMUX_WINDOW, 0, 0, 0) == -RTMUX_E_FAULT ? 0 : BREACH;
}

static int attack_reset(unsigned long address)
{
	hypercall(RTMUX_RESET_CPU, address, 0, 0, 0);
	return BREACH;
}

const struct attack call_attacks[] = {
	{ "numbers", attack_numbers },
	{ "arguments", attack_arguments },
	{ "shared", attack_shared },
	{ "pointers", attack_pointers },
	{ "unreadable-vectors", attack_unreadable_vectors },
	{ "shared-storm", attack_shared_storm },
	{ "vector", attack_vector },
	{ "task-size", attack_task_size },
	{ "fatal-pgd", attack_bad_pgd },
	{ "fatal-random-pgd", attack_random_pgd },
	{ "fatal-ttbr0", attack_bad_ttbr0 },
	{ "fatal-mmu-off", attack_mmu_off },
	{ "fatal-hello", attack_hello },
	{ "fatal-vectors", attack_vectors },
	{ "fatal-reset", attack_reset },
	{ }
};
#else
const struct attack call_attacks[] = { { } };
#endif
