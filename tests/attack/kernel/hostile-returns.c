// SPDX-License-Identifier: GPL-2.0-only
/* Returns from exceptions that never were, with every word of the frame forged;
 * and hypercalls where there are none, in user mode.
 */
#include <linux/mm.h>
#include <rtmux/abi/guest.h>
#include "hostile.h"
#include "hostile-own.h"

#define MRS_R0_CPSR 0xe10f0000u
#define THUMB_MRS_R0_CPSR 0x8000f3efu /* halfwords in memory order */
#define THUMB_SVC_0 0xdf00df00u
#define SVC_0 0xef000000u
#define ENDING 0xe7f001f1u

/* USR, nothing masked, no Jazelle */
static bool sane(u32 real)
{
	return (real & 0x010001df) == 0x10;
}

/* argument: how many. Random cpsr, half of them USR or SVC, pc odd in all ways; the code there reads the real CPSR. */
static int attack_returns(unsigned long rounds)
{
	u32 i, refused = 0, user = 0, kernel = 0, lost = 0;
	struct own own;
	int result = own_begin(&own);

	if (result)
		return result;
	for (i = 0; i < (rounds ? rounds : 4000) && result == 0; i++) {
		u32 cpsr = hostile_random(), mode, kind, pc, n;
		bool thumb;

		if (cpsr & 0x100)
			cpsr = (cpsr & ~0x1f) | (cpsr & 0x200 ? 0x10 : 0x13);
		mode = cpsr & 0x1f;
		thumb = mode == 0x10 && cpsr & 0x20;
		for (n = 0; n < 16; n++) {
			own.code[n] = thumb ? THUMB_SVC_0 : n == 0 ? MRS_R0_CPSR : mode == 0x10 ? SVC_0 : ENDING;
			if (thumb && n == 0)
				own.code[n] = THUMB_MRS_R0_CPSR;
		}
		hypercall(RTMUX_CACHE_COHERENT, OWN_KERNEL_VA, OWN_KERNEL_VA + 64, 0, 0);
		pc = (mode == 0x10 ? OWN_USER_VA : OWN_KERNEL_VA) | (hostile_random() & (thumb ? 1 : 3));
		/* sp of kernel mode is ours again at once; user mode's may be anything */
		kind = own_return(cpsr, pc, hostile_random(), 0x10);
		if (kind == OWN_IRQ) /* it was open */
			continue;
		if (mode != 0x10 && mode != 0x13) {
			refused++;
			if (kind != OWN_UNDEFINED || own_state.pc >> 12 == OWN_KERNEL_VA >> 12)
				result = BREACH;
		} else if (kind == (mode == 0x10 ? OWN_SVC : OWN_UNDEFINED)) {
			mode == 0x10 ? user++ : kernel++;
			if (!sane(own_state.r0))
				result = BREACH;
		} else {
			lost++; /* an IT state that skips, or makes an instruction undefined */
		}
		if (result)
			say("returns: cpsr %08x pc %08x: ends with %u, real cpsr %08x, pc %08x", cpsr, pc, kind,
			    own_state.r0, own_state.pc);
		if (i % 256 == 0)
			own_pause(&own);
	}
	own_end(&own);
	say("returns: %u to user mode, %u to kernel mode, %u refused, %u lost", user, kernel, refused, lost);
	return result ? result : user && kernel && refused ? 0 : -EIO;
}

/* Returns to where nobody may be: the window, devices, holes, the other's pages. Prefetch aborts, all of them. */
static int attack_return_places(unsigned long unused)
{
	static const u32 places[] = {
		RTMUX_WINDOW, RTMUX_WINDOW + 0x200000, RTMUX_SHARED, RTMUX_WINDOW_END - 4, 0xfffffffc,
		TRY_KERNEL_VA, TRY_USER_VA, 0xfee00000,
	};
	struct own own;
	unsigned int i, mode;
	int result = own_begin(&own);

	if (result)
		return result;
	for (i = 0; i < ARRAY_SIZE(places); i++) {
		for (mode = 0; mode < 2; mode++) {
			u32 kind;

			do {
				kind = own_return(mode ? 0x10 : 0x93, places[i], places[i], 0);
			} while (kind == OWN_IRQ);
			if (kind != OWN_PREFETCH) {
				say("return-places: %08x in mode %u ends with %u", places[i], mode, kind);
				result = BREACH;
			}
		}
	}
	/* User mode at kernel code that is there */
	if (own_return(0x10, OWN_KERNEL_VA, 0, 0) != OWN_PREFETCH)
		result = BREACH;
	own_end(&own);
	return result;
}

/* In user mode svc is a system call, whatever ip says, and from wherever: RESTART and POWER_OFF are among them */
static int attack_user_calls(unsigned long unused)
{
	struct own own;
	u32 nr, n, value;
	int result = own_begin(&own);

	if (result)
		return result;
	for (nr = 0; nr < 2 * RTMUX_NR_CALLS && result == 0; nr++) {
		for (n = 0; n < 4 && result == 0; n++) {
			u32 kind;

			own.code[0] = 0xe3a0c000 | nr;		/* mov ip, #nr */
			own.code[1] = 0xe3e01000 | n;		/* mvn r1, #n */
			own.code[2] = SVC_0 | (n << 22) | nr;
			own.code[3] = ENDING;
			hypercall(RTMUX_CACHE_COHERENT, OWN_KERNEL_VA, OWN_KERNEL_VA + 16, 0, 0);
			do {
				kind = own_return(0x10, OWN_USER_VA, 0, 0);
			} while (kind == OWN_IRQ);
			if (kind != OWN_SVC || (own_state.pc & 0xfff) != 12)
				result = BREACH;
		}
	}
	/* Kernel pages and the shared page, by reading, writing and executing from user mode */
	for (n = PAGE_OFFSET; n < (u32)high_memory && result == 0; n += SZ_1M)
		if (own_read(&own, n, true, &value) != OWN_DATA || own_write(&own, n, true, 0) != OWN_DATA ||
		    own_execute(&own, n, true) != OWN_PREFETCH)
			result = BREACH;
	if (own_read(&own, RTMUX_SHARED, true, &value) != OWN_DATA || own_write(&own, RTMUX_SHARED, true, 0) != OWN_DATA)
		result = BREACH;
	own_end(&own);
	return result;
}

const struct attack return_attacks[] = {
	{ "returns", attack_returns },
	{ "return-places", attack_return_places },
	{ "user-calls", attack_user_calls },
	{ }
};
