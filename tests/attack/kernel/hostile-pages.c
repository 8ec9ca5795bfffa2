// SPDX-License-Identifier: GPL-2.0-only
/* Every page: of the executive's window by address, of physical memory through
 * sections of our own, read, written and executed in both modes.
 */
#include <linux/io.h>
#include <linux/mm.h>
#include <board.h>
#include <rtmux/abi/guest.h>
#include "hostile.h"
#include "hostile-own.h"

#define FAULT 0x40fu
#define SECTION_TRANSLATION 5u

/* Reads, writes and executes at va; how many of the three did not fault as they should */
static unsigned int open_ways(struct own *own, u32 va, bool user)
{
	u32 value;

	return (own_read(own, va, user, &value) != OWN_DATA) + (own_write(own, va, user, MARK) != OWN_DATA) +
	       (own_execute(own, va, user) != OWN_PREFETCH);
}

/* All pages of the window; the shared page is read and written, but not executed, by the kernel */
static int attack_window_pages(unsigned long unused)
{
	unsigned int open[2] = { 0, 0 }, pages = 0, odd_status = 0;
	bool shared_executes = false;
	struct own own;
	u32 va, value;
	int error = own_begin(&own);

	if (error)
		return error;
	for (va = RTMUX_WINDOW; va < RTMUX_WINDOW_END; va += PAGE_SIZE) {
		open[1] += open_ways(&own, va, true) != 0;
		if (va == RTMUX_SHARED) {
			shared_executes = own_execute(&own, va, false) != OWN_PREFETCH;
		} else {
			open[0] += open_ways(&own, va, false) != 0;
			/* the ends of a page, and words that cross into the next one */
			open[0] += own_read(&own, va + 0xffc, false, &value) != OWN_DATA;
			odd_status += (*(volatile u32 *)(RTMUX_SHARED + RTMUX_S_DFSR) & FAULT) != SECTION_TRANSLATION;
			open[0] += own_read(&own, va - 1, false, &value) != OWN_DATA && va - PAGE_SIZE != RTMUX_SHARED;
		}
		if (++pages % 128 == 0)
			own_pause(&own);
	}
	own_end(&own);
	say("window-pages: %u pages, open to the kernel %u, to user mode %u, other faults than translation %u%s", pages,
	    open[0], open[1], odd_status, shared_executes ? ", the shared page executes" : "");
	return open[0] || open[1] || odd_status || shared_executes ? BREACH : 0;
}

/* Linux copies the kernel's entries into a page directory when a fault asks for them, and ours does not */
static void copy_kernel_entries(u32 va, u32 size)
{
	const u32 *init = (u32 *)(PAGE_OFFSET + 0x4000); /* swapper_pg_dir: arch/arm/kernel/head.S */
	u32 slot;

	for (slot = va >> 20; slot <= (va + size - 1) >> 20; slot++)
		*own_slot(slot << 20) = init[slot];
}

/* All that ioremap gives of RTMux's memory: V-Bus, which is the guest's too, is all that may be open */
static int attack_ram_pages(unsigned long unused)
{
	void __iomem *va = ioremap(BOARD_RAM_BASE, BOARD_RTMUX_SIZE);
	unsigned int page, open = 0, first = 0;
	struct own own;
	u32 value;
	int error;

	if (!va)
		return -ENOMEM;
	error = own_begin(&own);
	if (error)
		return error;
	copy_kernel_entries((u32)va, BOARD_RTMUX_SIZE);
	for (page = 0; page < BOARD_RTMUX_SIZE / PAGE_SIZE; page++) {
		u32 at = (u32)va + page * PAGE_SIZE;
		bool reads = own_read(&own, at, false, &value) != OWN_DATA;

		/* V-Bus: what is there belongs to two sides */
		if (!reads && (own_write(&own, at, false, 0) != OWN_DATA || own_execute(&own, at, false) != OWN_PREFETCH))
			reads = true;
		if (reads && !open++)
			first = page;
		if (page % 128 == 0)
			own_pause(&own);
	}
	own_end(&own);
	iounmap(va);
	say("ram-pages: %u pages of RTMux's memory open, from %#x", open, first * (u32)PAGE_SIZE);
	return open == BOARD_VBUS_SIZE / PAGE_SIZE ? 0 : BREACH;
}

/* All of physical memory, in steps of so many pages, through a section of the
 * widest rights; says which ranges could be read. What cannot must not be
 * written either. The test compares them with the board's table.
 */
static int attack_physical(unsigned long step)
{
	u32 megabyte, offset, value, from = 0, last = 0, ram = virt_to_phys(high_memory - 1);
	bool open = false, breach = false;
	struct own own;
	int error = own_begin(&own);

	if (error)
		return error;
	step = (step ? step : 1) * PAGE_SIZE;
	for (megabyte = 0; megabyte < 4096; megabyte++) {
		*own_slot(TRY_KERNEL_VA) = megabyte << 20 | 0xc00 | 2;
		hypercall(RTMUX_TLB_KERNEL, TRY_KERNEL_VA, TRY_KERNEL_VA + SZ_1M, 0, 0);
		for (offset = 0; offset < SZ_1M; offset += step) {
			u32 va = TRY_KERNEL_VA + offset, pa = megabyte << 20 | offset;
			bool reads = own_read(&own, va, false, &value) == OWN_DONE;

			if (!reads && own_write(&own, va, false, 0) == OWN_DONE) {
				say("physical: %#x is written, not read", pa);
				breach = true;
			}
			if (reads != open) {
				if (reads)
					from = pa;
				else
					say("physical: open %#x to %#x", from, last);
				open = reads;
			}
			last = pa;
		}
		own_pause(&own);
	}
	*own_slot(TRY_KERNEL_VA) = 0;
	own_end(&own);
	if (open)
		say("physical: open %#x to %#x", from, last);
	say("physical: guest RAM ends at %#x", ram);
	return breach ? BREACH : 0;
}

const struct attack page_attacks[] = {
	{ "window-pages", attack_window_pages },
	{ "ram-pages", attack_ram_pages },
	{ "physical", attack_physical },
	{ }
};
