/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HOSTILE_H
#define HOSTILE_H

#include <linux/kernel.h>
#include <linux/types.h>

/* One attack: runs in the process that wrote its name to /proc/hostile. */
struct attack {
	const char *name;
	/* argument: the number behind the name. Result: 0 held, or a negative
	 * error number; -EPERM says that what had to fail did not.
	 */
	int (*run)(unsigned long argument);
};

#define BREACH (-EPERM)
#define say(format, ...) pr_info("hostile: " format "\n", ##__VA_ARGS__)

extern const struct attack memory_attacks[], call_attacks[], frame_attacks[], storm_attacks[], vbus_attacks[],
	page_attacks[], table_attacks[], coprocessor_attacks[], return_attacks[], line_attacks[];
extern unsigned long iret; /* address of the IRET's svc, see hostile-main.c */
extern unsigned long linux_vectors[10]; /* Linux's table, in the order of RTMUX_V_* */

/* xorshift32 (Marsaglia) */
u32 hostile_random(void);
void hostile_seed(u32 seed);

/* r0 after hypercall nr with r0-r3; its registers are lost, the kernel's stay */
static inline u32 hypercall(u32 nr, u32 a0, u32 a1, u32 a2, u32 a3)
{
	register u32 r0 asm("r0") = a0;
	register u32 r1 asm("r1") = a1;
	register u32 r2 asm("r2") = a2;
	register u32 r3 asm("r3") = a3;
	register u32 ip asm("ip") = nr;

	asm volatile("svc #0" : "+r" (r0), "+r" (r1), "+r" (r2), "+r" (r3), "+r" (ip)
		     : : "lr", "memory", "cc");
	return r0;
}

#endif
