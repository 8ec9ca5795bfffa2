/* SPDX-License-Identifier: GPL-2.0-only */
#include "bench.h"

int main(void)
{
	rt_uint8_t priority = MIDDLE;
	rt_thread_control(rt_thread_self(), RT_THREAD_CTRL_CHANGE_PRIORITY, &priority);
	bench_operations();
	for (unsigned round = 1;; ++round) {
		bench_loops();
		bench_latency();
		rt_kprintf("round %u\n", round);
		rt_thread_mdelay(20);
	}
}
