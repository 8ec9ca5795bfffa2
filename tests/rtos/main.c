/* SPDX-License-Identifier: GPL-2.0-only */
/* Runs all suites, again and again: the first time at once, then beside whatever the guest does by then. */
#include "suite.h"

int main(void)
{
	for (unsigned round = 1;; ++round) {
		const int failed = utest_run("rtos.");
		rt_kprintf("utest round %u: %d suites failed\n", round, failed);
		rt_thread_mdelay(50);
	}
}
