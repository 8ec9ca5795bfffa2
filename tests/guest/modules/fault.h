/* SPDX-License-Identifier: GPL-2.0-only */
/* An access whose translation or permission fault is an answer: 0 or -EFAULT.
 * An external abort is none for Linux: it kills the process with an oops.
 */
#ifndef TEST_FAULT_H
#define TEST_FAULT_H

#include <linux/errno.h>
#include <linux/types.h>

#define FAULT_FIXUP							\
	"	.pushsection .text.fixup, \"ax\"\n"			\
	"	.align	2\n"						\
	"3:	mov	%0, %3\n"					\
	"	b	2b\n"						\
	"	.popsection\n"						\
	"	.pushsection __ex_table, \"a\"\n"			\
	"	.align	3\n"						\
	"	.long	1b, 3b\n"					\
	"	.popsection\n"

static inline int peek(unsigned long addr, u32 *value)
{
	int err = 0;
	u32 v = 0;

	asm volatile("1:	ldr	%1, [%2]\n"
		     "2:\n" FAULT_FIXUP
		     : "+r" (err), "+r" (v) : "r" (addr), "i" (-EFAULT) : "memory");
	*value = v;
	return err;
}

static inline int poke(unsigned long addr, u32 value)
{
	int err = 0;

	asm volatile("1:	str	%1, [%2]\n"
		     "2:\n" FAULT_FIXUP
		     : "+r" (err), "+r" (value) : "r" (addr), "i" (-EFAULT) : "memory");
	return err;
}

#endif
