// SPDX-License-Identifier: GPL-2.0-only
/* Reaching for memory and devices that are not the guest's: through ioremap,
 * through translation table entries of its own making, through CP15.
 */
#include <linux/gfp.h>
#include <linux/io.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <asm/pgtable.h>
#include <board.h>
#include "fault.h"
#include "hostile.h"

#ifdef CONFIG_ARM_RTMUX
#include <rtmux/abi/guest.h>

/* Nothing of Linux is at these */
#define SPARE_KERNEL_VA 0xf5000000ul
#define SPARE_USER_VA 0x50000000ul

static void tlb_flush_all(void)
{
	asm volatile("dsb\n"
		     "mcr	p15, 0, %0, c8, c7, 0\n"
		     "dsb\n"
		     "isb" : : "r" (0) : "memory");
}

/* Read, then write back something else. Either must not work. */
static int reach(const char *what, unsigned long va)
{
	u32 word;

	if (peek(va, &word) == 0) {
		say("%s: read %08x", what, word);
		if (poke(va, word ^ 1) == 0)
			say("%s: written", what);
		return BREACH;
	}
	say("%s: read faults", what);
	if (poke(va, 0) == 0) {
		say("%s: written", what);
		return BREACH;
	}
	return 0;
}

static int by_ioremap(const char *what, unsigned long pa)
{
	void __iomem *va = ioremap(pa & PAGE_MASK, PAGE_SIZE);

	if (!va) {
		say("%s: ioremap refuses", what);
		return 0;
	}
	/* The mapping stays: an oops would leave it, too */
	return reach(what, (unsigned long)va + (pa & ~PAGE_MASK));
}

/* With a page number as argument: another page of RTMux's RAM */
static int attack_ram(unsigned long page)
{
	return by_ioremap("RTMux's RAM", BOARD_RAM_BASE + page * PAGE_SIZE % BOARD_RTMUX_SIZE);
}

static int attack_image(unsigned long page)
{
	return by_ioremap("the image", BOARD_RAM_BASE + (unsigned long)BOARD_RAM_SIZE - PAGE_SIZE * (page + 1));
}

static int attack_gic(unsigned long cpu_interface)
{
	return by_ioremap("GIC", cpu_interface ? BOARD_GIC_CPU_BASE : BOARD_GIC_DIST_BASE);
}

static int attack_rt_timer(unsigned long unused)
{
	return by_ioremap("RT timer", BOARD_RT_TIMER_BASE + 8);
}

static int attack_console(unsigned long unused)
{
	return by_ioremap("executive's UART", BOARD_UART_BASE + 0x30);
}

/* Domain and AP as generous as the architecture allows */
static u32 section(u32 pa, u32 domain)
{
	return (pa & 0xfff00000) | domain << 5 | 0xc00 | 2;
}

static int with_entry(const char *what, unsigned long va, u32 entry, unsigned long offset)
{
	u32 *slot = (u32 *)current->mm->pgd + (va >> 20);
	int result;

	*slot = entry;
	tlb_flush_all();
	result = reach(what, va + offset);
	*slot = 0;
	tlb_flush_all();
	return result;
}

/* argument: domain, plus 16 for the user half */
static int attack_section(unsigned long argument)
{
	unsigned long va = argument & 16 ? SPARE_USER_VA : SPARE_KERNEL_VA;

	return with_entry("section", va, section(BOARD_RAM_BASE, argument & 15), 0);
}

static int attack_section_rt_timer(unsigned long domain)
{
	return with_entry("section of devices", SPARE_KERNEL_VA, section(BOARD_RT_TIMER_BASE, domain & 15),
			  (BOARD_RT_TIMER_BASE & 0xfffff) + 8);
}

static int attack_supersection(unsigned long domain)
{
	return with_entry("supersection", SPARE_KERNEL_VA, (BOARD_RAM_BASE & 0xff000000) | 0x40c02, 0);
}

static int attack_page(unsigned long argument)
{
	unsigned long va = argument & 16 ? SPARE_USER_VA : SPARE_KERNEL_VA;
	u32 *table = (u32 *)get_zeroed_page(GFP_KERNEL);
	unsigned int i;

	if (!table)
		return -ENOMEM;
	for (i = 0; i < 256; i++) /* small pages, AP 011; not freed: it may be walked yet */
		table[i] = (BOARD_RAM_BASE + i * PAGE_SIZE) | 0x30 | 2;
	return with_entry("page", va, __pa(table) | (argument & 15) << 5 | 1, PAGE_SIZE);
}

static int attack_large_page(unsigned long argument)
{
	u32 *table = (u32 *)get_zeroed_page(GFP_KERNEL);
	unsigned int i;

	if (!table)
		return -ENOMEM;
	for (i = 0; i < 256; i++)
		table[i] = (BOARD_RAM_BASE + (i & ~15) * PAGE_SIZE) | 0x30 | 1;
	return with_entry("large page", SPARE_KERNEL_VA, __pa(table) | (argument & 15) << 5 | 1, PAGE_SIZE);
}

/* An L2 table that lies in RTMux's RAM, or nowhere */
static int attack_foreign_table(unsigned long argument)
{
	return with_entry("foreign table", SPARE_KERNEL_VA, (argument ? 0xfffffc00 : BOARD_RAM_BASE) | 1, 0);
}

/* The window's own L1 entries, over guest RAM that the guest may well read */
static int attack_window_entry(unsigned long unused)
{
	unsigned long va = RTMUX_WINDOW;
	int result = 0;

	for (; va < RTMUX_WINDOW_END && result == 0; va += SZ_1M)
		if (va != RTMUX_SHARED)
			result = with_entry("window", va, section(__pa(PAGE_OFFSET), 0), 0);
	return result;
}

static int attack_window(unsigned long unused)
{
	return reach("window", RTMUX_WINDOW);
}

#define MCR(text) asm volatile("mcr	p15, 0, %0, " text "\n isb" : : "r" (value) : "memory")

/* Registers that natively would open everything; argument says which */
static int attack_cp15(unsigned long argument)
{
	u32 value = 0xffffffff;

	switch (argument) {
	case 0: /* DACR: manager in all domains */
		MCR("c3, c0, 0");
		break;
	case 1: /* TTBR1 */
		value = __pa(current->mm->pgd);
		MCR("c2, c0, 1");
		break;
	case 2: /* TTBCR */
		value = 1;
		MCR("c2, c0, 2");
		break;
	case 3: /* VBAR */
		value = PAGE_OFFSET;
		MCR("c12, c0, 0");
		break;
	case 4: /* PRRR */
		MCR("c10, c2, 0");
		break;
	case 5: /* CPACR: no VFP for anybody */
		value = 0;
		MCR("c1, c0, 2");
		break;
	case 6: /* ACTLR */
		value = 0;
		MCR("c1, c0, 1");
		break;
	case 7: /* CONTEXTIDR */
		MCR("c13, c0, 1");
		break;
	case 8: /* TPIDRPRW */
		MCR("c13, c0, 4");
		break;
	case 9: /* PMUSERENR */
		MCR("c9, c14, 0");
		break;
	default:
		return -EINVAL;
	}
	return reach("window after it", RTMUX_WINDOW);
}

/* Set/way operations: an invalidation without clean would lose RTMux's data */
static int attack_set_way(unsigned long clean)
{
	u32 set, way;

	for (set = 0; set < 128; set++)
		for (way = 0; way < 4; way++) {
			u32 value = way << 30 | set << 6;

			if (clean)
				MCR("c7, c14, 2");
			else
				MCR("c7, c6, 2");
		}
	return 0;
}

const struct attack memory_attacks[] = {
	{ "ram", attack_ram },
	{ "image", attack_image },
	{ "gic", attack_gic },
	{ "rt-timer", attack_rt_timer },
	{ "console", attack_console },
	{ "section", attack_section },
	{ "section-rt-timer", attack_section_rt_timer },
	{ "supersection", attack_supersection },
	{ "page", attack_page },
	{ "large-page", attack_large_page },
	{ "foreign-table", attack_foreign_table },
	{ "window-entry", attack_window_entry },
	{ "window", attack_window },
	{ "cp15", attack_cp15 },
	{ "set-way", attack_set_way },
	{ }
};
#else
const struct attack memory_attacks[] = { { } };
#endif
