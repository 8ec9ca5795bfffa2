// SPDX-License-Identifier: GPL-2.0-only
/* Every page of the executive's window, read and written by the kernel: each
 * must fault, but for the page it shares with the guest.
 * The counts are in /sys/module/window/parameters/.
 */
#include <linux/mm.h>
#include <linux/module.h>
#include <linux/uaccess.h>
#include <rtmux/abi/guest.h>
#include "fault.h"

static uint pages, read_faults, write_faults, nofault_faults;
module_param(pages, uint, 0444);
module_param(read_faults, uint, 0444);
module_param(write_faults, uint, 0444);
module_param(nofault_faults, uint, 0444);

static uint open_count;
module_param(open_count, uint, 0444);
static ulong open_page;
module_param(open_page, ulong, 0444);
MODULE_PARM_DESC(open_page, "the last page that did not fault");

/* not __init: a fixup may not lie outside of what it belongs to */
static int window_init(void)
{
	unsigned long at;
	u32 word;

	for (at = RTMUX_WINDOW; at < RTMUX_WINDOW_END; at += PAGE_SIZE) {
		bool faults;

		pages++;
		faults = peek(at, &word) != 0;
		read_faults += faults;
		nofault_faults += copy_from_kernel_nofault(&word, (void *)at, sizeof(word)) == -EFAULT;
		/* Where it can be read, write what was read */
		write_faults += poke(at, word) != 0;
		if (!faults) {
			open_count++;
			open_page = at;
		}
	}
	pr_info("window: %u pages, %u read faults, %u write faults, %u by nofault copies, last open page %#lx\n",
		pages, read_faults, write_faults, nofault_faults, open_page);
	return 0;
}

static void __exit window_exit(void)
{
}

module_init(window_init);
module_exit(window_exit);
MODULE_DESCRIPTION("What the kernel sees of the executive's window");
MODULE_LICENSE("GPL");
