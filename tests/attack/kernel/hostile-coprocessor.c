// SPDX-License-Identifier: GPL-2.0-only
/* Every coprocessor instruction there is, one by one, in kernel mode and in
 * user mode; and the VFP's control registers. What is executed, natively or by
 * the executive, is said; the test compares it with the closed list.
 */
#include <linux/mm.h>
#include <linux/preempt.h>
#include <linux/sched.h>
#include <rtmux/abi/guest.h>
#include "hostile.h"
#include "hostile-own.h"

#define LOAD (1u << 20)
#define TRANSFER(cp, op1, crn, crm, op2) \
	(0x0e000010u | (op1) << 21 | (crn) << 16 | (cp) << 8 | (op2) << 5 | (crm))
#define AL 0xe0000000u

/* Registers that only a kernel without the patch writes: the guest is stopped.
 * See the fatal ones.
 */
static bool stops_the_guest(u32 instruction)
{
	switch (instruction & 0x0fff0fff) {
	case TRANSFER(15, 0, 7, 6, 2):	/* DCISW */
	case TRANSFER(15, 0, 7, 10, 2):	/* DCCSW */
	case TRANSFER(15, 0, 7, 14, 2):	/* DCCISW */
	case TRANSFER(15, 0, 1, 0, 1):	/* ACTLR */
	case TRANSFER(15, 0, 2, 0, 1):	/* TTBR1 */
	case TRANSFER(15, 0, 2, 0, 2):	/* TTBCR */
	case TRANSFER(15, 0, 10, 2, 0):	/* PRRR */
	case TRANSFER(15, 0, 10, 2, 1):	/* NMRR */
		return true;
	}
	return false;
}

/* A value with which Linux goes on */
static u32 operand(u32 instruction)
{
	switch (instruction & 0x0fff0fff) {
	case TRANSFER(15, 0, 2, 0, 0):	/* TTBR0 */
		return __pa(current->mm->pgd);
	case TRANSFER(15, 0, 1, 0, 0):	/* SCTLR: M */
		return 0xffffffff;
	case TRANSFER(15, 0, 8, 7, 1):	/* TLBIMVA */
		return 0xfffff000 | (hostile_random() & 0xff);
	case TRANSFER(15, 0, 2, 0, 0) | LOAD:
		return 0;
	}
	return hostile_random();
}

struct sweep {
	struct own own;
	bool user, thumb;
	u32 done, undefined, other, tried;
};

static void try_one(struct sweep *sweep, u32 instruction, u32 r0)
{
	u32 kind;

	if (!sweep->user && !sweep->thumb && instruction >> 28 == 0xe && (instruction & 0x0f000010) == 0x0e000010 &&
	    stops_the_guest(instruction))
		return;
	kind = own_try(&sweep->own, instruction, sweep->user, sweep->thumb, r0, OWN_KERNEL_VA + OWN_DATA_OFFSET);
	if (kind == OWN_UNDEFINED) {
		sweep->undefined++;
	} else if (kind == OWN_DONE) {
		sweep->done++;
		say("executed %s %08x%s", sweep->user ? "user" : "kernel", instruction, sweep->thumb ? " thumb" : "");
	} else {
		sweep->other++;
		say("%08x ends with %u", instruction, kind);
	}
	if (++sweep->tried % 256 == 0)
		own_pause(&sweep->own);
}

/* argument: bits 3:0 the coprocessor, 4 user mode, 5 Thumb, 6 the unconditional space (MCR2 and so on) */
static int attack_coprocessor(unsigned long argument)
{
	struct sweep sweep = { .user = argument & 16, .thumb = argument & 32 };
	u32 cp = argument & 15, top = argument & 64 ? 0xf0000000u : AL, n, base;
	int error = own_begin(&sweep.own);

	if (error)
		return error;
	base = sweep.user ? OWN_USER_VA + OWN_DATA_OFFSET : OWN_KERNEL_VA + OWN_DATA_OFFSET;
	/* op1, CRn, CRm, op2, direction: Rt r0 */
	for (n = 0; n < 1 << 15; n++) {
		u32 instruction = top | TRANSFER(cp, n & 7, n >> 3 & 15, n >> 7 & 15, n >> 11 & 7) |
				  (n >> 14 & 1 ? LOAD : 0);

		try_one(&sweep, instruction, instruction & LOAD ? 0 : operand(instruction));
	}
	/* CDP: 4 bits of opcode, CRd as CRm */
	for (n = 0; n < 1 << 15; n++)
		try_one(&sweep, (top | TRANSFER(cp, 0, n >> 4 & 15, n >> 8 & 15, n >> 12 & 7) | (n & 15) << 20 |
				 (n >> 8 & 15) << 12) & ~0x10u, 0);
	/* MCRR, MRRC: r0, r1 */
	for (n = 0; n < 1 << 9; n++)
		try_one(&sweep, top | 0x0c400000 | (n & 1 ? LOAD : 0) | 1 << 16 | cp << 8 | (n >> 1 & 15) << 4 | n >> 5, 0);
	/* LDC, STC from r0: P, U, N, W, direction, CRd */
	for (n = 0; n < 1 << 9; n++) {
		u32 puw = n >> 4 & 31;

		if ((puw & 0x1a) == 0) /* MCRR's place */
			continue;
		try_one(&sweep, top | 0x0c000000 | puw << 20 | cp << 8 | (n & 15) << 12 | 4, base);
	}
	own_end(&sweep.own);
	/* Nothing of it may last */
	say("coprocessor %u, %s mode%s: %u tried, %u executed, %u undefined, %u otherwise", cp,
	    sweep.user ? "user" : "kernel", sweep.thumb ? ", Thumb" : "", sweep.tried, sweep.done, sweep.undefined,
	    sweep.other);
	return sweep.other ? BREACH : 0;
}

/* FPEXC with everything set, exceptional state that is none, and the registers
 * that go with it. The executive keeps EN and nothing else.
 */
static int attack_vfp(unsigned long unused)
{
	u32 kept, value, i;
	int result = 0;

	preempt_disable();
	asm volatile(".fpu neon\n	vmrs	%0, fpexc" : "=r" (kept));
	for (i = 0; i < 1000; i++) {
		value = i & 1 ? 0xffffffff : hostile_random() | 1u << 30;
		asm volatile(".fpu neon\n	vmsr	fpexc, %0" : : "r" (value));
		asm volatile(".fpu neon\n	vmsr	fpinst, %0\n vmsr fpinst2, %0" : : "r" (value));
		asm volatile(".fpu neon\n	vmrs	%0, fpexc" : "=r" (value));
		if (value & ~(1u << 30))
			result = BREACH;
		/* rounding, flush to zero, vectors, traps: all of them */
		asm volatile(".fpu neon\n	vmrs	r3, fpscr\n"
			     "	vmsr	fpscr, %0\n"
			     "	vmrs	%0, fpscr\n"
			     "	vmsr	fpscr, r3" : "=r" (value) : "0" (hostile_random()) : "r3");
	}
	asm volatile(".fpu neon\n	vmsr	fpexc, %0" : : "r" (kept));
	preempt_enable();
	return result;
}

const struct attack coprocessor_attacks[] = {
	{ "coprocessor", attack_coprocessor },
	{ "vfp", attack_vfp },
	{ }
};
