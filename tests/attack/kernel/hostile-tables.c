// SPDX-License-Identifier: GPL-2.0-only
/* Translation tables that no kernel would make: each format with all its bits,
 * tables in places that are none, tables that contain themselves, tables that
 * change between one look and the next.
 */
#include <linux/gfp.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <linux/slab.h>
#include <board.h>
#include <rtmux/abi/guest.h>
#include "hostile.h"
#include "hostile-own.h"

/* Frames that are not the guest's. The first megabyte is where RAM is mirrored after reset. */
static const u32 foreign[] = {
	BOARD_RAM_BASE, BOARD_RAM_BASE + 0x10000, BOARD_RAM_BASE + 0x1bf000, BOARD_RAM_BASE + 0x200000,
	BOARD_RAM_BASE + 0x3ff000, BOARD_RAM_BASE + (u32)BOARD_RAM_SIZE - 0x1000, 0, 0xfffff000,
#ifdef BOARD_GIC_CPU_BASE
	BOARD_GIC_CPU_BASE, BOARD_GIC_DIST_BASE,
#else
	BOARD_INTC_BASE,
#endif
	BOARD_RT_TIMER_BASE, BOARD_UART_BASE, BOARD_RT_UART_BASE, BOARD_RT_GPIO_BASE,
};

static u32 a_foreign_frame(void)
{
	return foreign[hostile_random() % ARRAY_SIZE(foreign)];
}

static void flush_try(u32 va)
{
	if (va >= TASK_SIZE)
		hypercall(RTMUX_TLB_KERNEL, va & ~0xfffffu, va | 0xfffff, 0, 0);
	else
		own_flush();
}

/* One access of a random kind; BREACH if it is done, or ends otherwise than with an abort */
static int touch(struct own *own, u32 va, const char *what, u32 entry)
{
	bool user = hostile_random() & 1;
	u32 value = 0, kind, way = hostile_random() % 3;

	switch (way) {
	case 0:
		kind = own_read(own, va, user, &value);
		break;
	case 1:
		kind = own_write(own, va, user, MARK);
		break;
	default:
		kind = own_execute(own, va, user);
		break;
	}
	if (kind == (way == 2 ? OWN_PREFETCH : OWN_DATA))
		return 0;
	say("%s: entry %08x, %s mode, access %u ends with %u, value %08x", what, entry, user ? "user" : "kernel", way,
	    kind, value);
	return BREACH;
}

/* Access, domain and memory type: all 16 domains, 8 AP, 32 TEX C B in each round, the rest at random */
#define COMBINATIONS (16 * 8 * 32)

static u32 section_of(u32 frame, u32 n, bool super)
{
	u32 domain = n & 15, ap = n >> 4 & 7, memory = n >> 7 & 31;
	u32 entry = (ap & 4) << 13 | (ap & 3) << 10 | (memory >> 2) << 12 | (memory & 3) << 2 | 2 |
		    (hostile_random() & 0xb0010); /* XN, NS, nG, S */

	return super ? (frame & 0xff000000) | 0x40000 | (entry & ~0x1e0u) : (frame & 0xfff00000) | domain << 5 | entry;
}

static u32 page_of(u32 frame, u32 n, bool large)
{
	u32 ap = n >> 4 & 7, memory = n >> 7 & 31, common;

	common = (ap & 4) << 7 | (ap & 3) << 4 | (memory & 3) << 2 | (hostile_random() & 0xc00); /* nG, S */
	if (large)
		return (frame & 0xffff0000) | common | (memory >> 2) << 12 | (hostile_random() & 0x8000) | 1;
	return (frame & 0xfffff000) | common | (memory >> 2) << 6 | 2 | (hostile_random() & 1);
}

static int formats(const char *what, bool paged, bool large, unsigned long rounds)
{
	u32 *table = paged ? (u32 *)get_zeroed_page(GFP_KERNEL) : NULL;
	struct own own;
	u32 n, value;
	int result = paged && !table ? -ENOMEM : own_begin(&own);

	if (result)
		return result;
	for (n = 0; n < (rounds ? rounds : 1) * COMBINATIONS && result == 0; n++) {
		u32 va = hostile_random() & 1 ? TRY_KERNEL_VA : TRY_USER_VA;
		u32 frame = a_foreign_frame(), entry, at;

		/* A supersection's megabyte is the one that va selects */
		if (!paged && large && pfn_valid(((frame & 0xff000000) | (va & 0xf00000)) >> PAGE_SHIFT))
			frame = BOARD_RAM_BASE;

		if (paged) {
			entry = page_of(frame, n, large);
			at = va + (frame & 0xf000);
			table[at >> 12 & 0xff] = entry;
			*own_slot(va) = __pa(table) | (n & 15) << 5 | 1;
		} else {
			entry = section_of(frame, n, large);
			at = va + (frame & 0xff000);
			*own_slot(va) = entry;
		}
		flush_try(va);
		result = touch(&own, at, what, entry);
		if (paged)
			table[at >> 12 & 0xff] = 0;
		*own_slot(va) = 0;
		flush_try(va);
		if (n % 256 == 0)
			own_pause(&own);
	}
	/* The same with a frame of ours is no abort: it was the frame that was refused */
	*own_slot(TRY_KERNEL_VA) = __pa(own.tables[0]) | 1;
	own.tables[0][2] = page_of(own.data_pa, 3 << 4 | 7 << 7, false) & ~1u;
	flush_try(TRY_KERNEL_VA);
	if (own_read(&own, TRY_KERNEL_VA + 0x2000, false, &value) != OWN_DONE || value != MARK)
		result = -EIO;
	*own_slot(TRY_KERNEL_VA) = 0;
	own_end(&own);
	free_page((unsigned long)table);
	return result;
}

static int attack_sections(unsigned long rounds)
{
	return formats("sections", false, false, rounds);
}

static int attack_supersections(unsigned long rounds)
{
	return formats("supersections", false, true, rounds);
}

static int attack_small_pages(unsigned long rounds)
{
	return formats("small-pages", true, false, rounds);
}

static int attack_large_pages(unsigned long rounds)
{
	return formats("large-pages", true, true, rounds);
}

/* L2 tables where none can be: devices, RTMux's memory, V-Bus, beyond all memory */
static int attack_table_places(unsigned long tries)
{
	struct own own;
	unsigned int i;
	int result = own_begin(&own);

	if (result)
		return result;
	for (i = 0; i < (tries ? tries : 4096) && result == 0; i++) {
		u32 va = hostile_random() & 1 ? TRY_KERNEL_VA : TRY_USER_VA, place = hostile_random();
		/* a place in RTMux's memory, of devices, behind RAM; V-Bus, that the guest can write itself */
		static const u32 base[] = { BOARD_RAM_BASE, 0x10000000, BOARD_RAM_BASE + (u32)BOARD_RAM_SIZE, 0 };

		place = base[i & 3] + (place & ((i & 3) == 1 ? 0x0fffffff : 0x3fffff));
		*own_slot(va) = (place & ~0x3ffu) | (hostile_random() & 0x1e0) | 1;
		flush_try(va);
		result = touch(&own, va + (hostile_random() & 0xffffc), "table-places", *own_slot(va));
		*own_slot(va) = 0;
		flush_try(va);
		if (i % 256 == 0)
			own_pause(&own);
	}
	own_end(&own);
	return result;
}

/* A page directory that is a table of its own pages, and a table that maps
 * itself, changes itself through its own mapping, and is looked at again
 * without and with a flush: it may show what it was, never a foreign frame.
 */
static int attack_self_tables(unsigned long rounds)
{
	u32 *table = (u32 *)get_zeroed_page(GFP_KERNEL);
	struct own own;
	u32 value, i, self;
	int result = table ? own_begin(&own) : -ENOMEM;

	if (result)
		return result;
	/* The directory's 16 KiB are sixteen tables */
	for (i = 0; i < 16 * 256 && result == 0; i++) {
		*own_slot(TRY_KERNEL_VA) = (__pa(current->mm->pgd) + (i >> 8) * 0x400) | 1;
		if ((i & 0xff) == 0)
			flush_try(TRY_KERNEL_VA);
		own_read(&own, TRY_KERNEL_VA + (i & 0xff) * PAGE_SIZE, false, &value);
	}
	*own_slot(TRY_KERNEL_VA) = __pa(table) | 1;
	self = TRY_KERNEL_VA + 5 * PAGE_SIZE;
	for (i = 0; i < (rounds ? rounds : 2000) && result == 0; i++) {
		u32 victim = 6 + hostile_random() % 200, at = TRY_KERNEL_VA + victim * PAGE_SIZE, kind;

		table[5] = __pa(table) | 0x3e; /* itself */
		table[victim] = own.data_pa | 0x3e;
		flush_try(TRY_KERNEL_VA);
		if (own_read(&own, at, false, &value) != OWN_DONE || value != MARK)
			result = -EIO;
		/* through itself, to a foreign frame; stale, or gone already, but not followed */
		own_write(&own, self + victim * 4, false, a_foreign_frame() | 0x3e);
		kind = own_read(&own, at, false, &value);
		if (kind == OWN_DONE && value != MARK)
			result = BREACH;
		switch (hostile_random() % 3) {
		case 0:
			flush_try(TRY_KERNEL_VA);
			break;
		case 1: /* that page alone */
			asm volatile("mcr	p15, 0, %0, c8, c7, 1" : : "r" (at) : "memory");
			break;
		default:
			own_flush();
		}
		if (own_read(&own, at, false, &value) != OWN_DATA || own_write(&own, at, false, MARK) != OWN_DATA)
			result = BREACH;
		if (i % 128 == 0)
			own_pause(&own);
	}
	*own_slot(TRY_KERNEL_VA) = 0;
	own_end(&own);
	free_page((unsigned long)table);
	return result;
}

/* Random words for entries and tables of four megabytes, half of them kernel's, written at
 * random, with and without flushes in between, accesses meanwhile. The
 * frames are our own page, in which every word is MARK, or foreign ones.
 */
static u32 random_entry(struct own *own, u32 *table, bool l1)
{
	u32 r = hostile_random(), n = hostile_random();

	if (l1 && r % 3)
		return __pa(table) | (n & 0x3e0) | 1;
	if (l1) /* RTMux's memory, or nothing: other megabytes have the guest's pages, too */
		return section_of(r & 16 ? BOARD_RAM_BASE : 0xfff00000, n, r & 8);
	if (r % 7 == 0)
		return n & 0xffc;
	if (r % 7 == 1) /* 64 KiB, all of RTMux's: next to some of the foreign frames there are devices of the guest's */
		return page_of(BOARD_RAM_BASE, n, true);
	return page_of(r & 8 ? own->data_pa : a_foreign_frame(), n, false);
}

static int attack_random_tables(unsigned long seed)
{
	u32 *table = (u32 *)__get_free_pages(GFP_KERNEL | __GFP_ZERO, 1);
	u32 value, i, done = 0, faults = 0;
	struct own own;
	int result = table ? own_begin(&own) : -ENOMEM;

	if (result)
		return result;
	for (i = 0; i < 20000 && result == 0; i++) {
		u32 r = hostile_random(), kind;
		u32 va = (r & 1 ? TRY_KERNEL_VA : TRY_USER_VA) + (r >> 1 & 1) * SZ_1M;
		u32 *l2 = table + (r >> 2 & 7) * 256, at = va + (hostile_random() & 0x1f) * PAGE_SIZE;
		bool user = r & 0x100;

		if (r & 0x200)
			*own_slot(va) = random_entry(&own, l2, true);
		l2[at >> 12 & 0xff] = random_entry(&own, l2, false);
		switch (r >> 10 & 7) {
		case 0:
			own_flush();
			break;
		case 1:
			hypercall(RTMUX_TLB_USER, va, va + SZ_1M, r & 0xff, 0);
			break;
		case 2:
			hypercall(RTMUX_TLB_KERNEL, at, at + PAGE_SIZE, 0, 0);
			break;
		case 3: /* of another address space */
			asm volatile("mcr	p15, 0, %0, c8, c7, 2" : : "r" (r >> 16 & 0xff) : "memory");
			break;
		}
		switch (r >> 13 & 3) {
		case 0:
			kind = own_write(&own, at, user, MARK);
			/* user mode stores its address, r0 */
			own.data[0] = MARK;
			break;
		case 1: /* our page: undefined there */
			kind = own_execute(&own, at, user) == OWN_UNDEFINED ? OWN_DONE : own_state.kind;
			break;
		default:
			kind = own_read(&own, at, user, &value);
			if (kind == OWN_DONE && value != MARK) {
				say("random-tables: step %u reads %08x at %08x", i, value, at);
				result = BREACH;
			}
		}
		done += kind == OWN_DONE;
		faults += kind == OWN_DATA || kind == OWN_PREFETCH;
		if (i % 128 == 0)
			own_pause(&own);
	}
	for (i = 0; i < 2; i++)
		*own_slot(TRY_KERNEL_VA + i * SZ_1M) = *own_slot(TRY_USER_VA + i * SZ_1M) = 0;
	own_end(&own);
	free_pages((unsigned long)table, 1);
	say("random-tables: %u accesses done, %u faults", done, faults);
	return result ? result : done && faults ? 0 : -EIO;
}

const struct attack table_attacks[] = {
	{ "sections", attack_sections },
	{ "supersections", attack_supersections },
	{ "small-pages", attack_small_pages },
	{ "large-pages", attack_large_pages },
	{ "table-places", attack_table_places },
	{ "self-tables", attack_self_tables },
	{ "random-tables", attack_random_tables },
	{ }
};
