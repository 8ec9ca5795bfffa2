/* SPDX-License-Identifier: GPL-2.0-only */
/* Single instructions, in kernel mode and in user mode, with vectors of our
 * own: no oops, no signal, and thousands of trials in a moment.
 */
#ifndef HOSTILE_OWN_H
#define HOSTILE_OWN_H

/* What a trial ended with */
#define OWN_UNDEFINED	1
#define OWN_PREFETCH	2
#define OWN_DATA	3
#define OWN_IRQ		4
#define OWN_SVC		5	/* of user mode only: of kernel mode it is a hypercall */

#ifndef __ASSEMBLY__
#include <linux/types.h>

/* Where the trials' code and data are: in both halves, of pages of our own,
 * readable, writable and executable. Nothing of Linux is there.
 */
#define OWN_KERNEL_VA	0xf5000000ul
#define OWN_USER_VA	0x50000000ul
#define OWN_DATA_OFFSET	0x1000ul
/* Here the attacks make their own entries: whole megabytes */
#define TRY_KERNEL_VA	0xf5200000ul
#define TRY_USER_VA	0x50200000ul

/* In each word of our own pages; executed, an undefined instruction */
#define MARK		0xe7f000f0u

extern struct own_state {
	u32 sp;
	u32 kind, r0, pc, cpsr; /* at the end of the last trial */
} own_state;

struct own {
	unsigned long flags;
	u32 *code, *data;	/* as the kernel sees them, one page each */
	u32 *tables[2];		/* L2 tables of the two megabytes that hold them */
	u32 code_pa, data_pa;
	bool active;
};

/* Takes the exceptions, and gives them back; no sleeping in between, and not
 * for longer than a few milliseconds: own_pause() lets Linux have its turn.
 */
int own_begin(struct own *own);
void own_end(struct own *own);
void own_pause(struct own *own);

/* Puts one instruction, and what ends the trial, into the code page; runs it
 * there with r0, r1. Result: OWN_*; OWN_DONE when it was executed.
 */
#define OWN_DONE	0
u32 own_try(struct own *own, u32 instruction, bool user, bool thumb, u32 r0, u32 r1);
/* By address: read, write, execute, with nothing else done */
u32 own_read(struct own *own, u32 va, bool user, u32 *value);
u32 own_write(struct own *own, u32 va, bool user, u32 value);
u32 own_execute(struct own *own, u32 va, bool user);

u32 *own_slot(u32 va);	/* of the page directory */
void own_flush(void);	/* all of the TLB */

u32 own_jump(u32 pc, u32 r0, u32 r1);
u32 own_return(u32 cpsr, u32 pc, u32 sp, u32 r0);
extern const u32 own_vectors[];
#endif
#endif
