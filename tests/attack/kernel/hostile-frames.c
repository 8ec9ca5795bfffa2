// SPDX-License-Identifier: GPL-2.0-only
/* Wild jumps, undefined instructions, and returns from exceptions that never were. */
#include <linux/irqflags.h>
#include <linux/sched.h>
#include "fault.h"
#include "hostile.h"

static int attack_jump(unsigned long where)
{
	((void (*)(void))(where ? where : 0xdead0000))();
	return BREACH;
}

static int attack_undefined(unsigned long unused)
{
	asm volatile("udf	#0");
	return BREACH;
}

/* A load with user's rights from a kernel's address: natively a fault, and at PL0 a load as any other (-EACCES) */
static int attack_unprivileged_load(unsigned long unused)
{
	unsigned long value = (unsigned long)attack_undefined;
	int err = 0;

	asm volatile("1:	ldrt	%1, [%2]\n"
		     "2:\n" FAULT_FIXUP
		     : "+r" (err), "+r" (value) : "r" (value), "i" (-EFAULT) : "memory");
	return err ? 0 : -EACCES;
}

#ifdef CONFIG_ARM_RTMUX
#include <rtmux/abi/guest.h>

/* Returns through the executive to the label in here, with a forged cpsr; the
 * result is the real CPSR there.
 */
static noinline u32 return_with(u32 cpsr, u32 pc_offset, u32 pc)
{
	register u32 r0 asm("r0") = cpsr;
	register u32 r1 asm("r1") = iret - 4;
	register u32 r2 asm("r2") = pc_offset;
	register u32 r3 asm("r3") = pc;

	asm volatile("push	{r4-r11}\n"
		     "mov	ip, %[shared]\n"
		     "str	sp, [ip, %[sp]]\n"
		     "mov	lr, #0\n"
		     "str	lr, [ip, %[lr]]\n"
		     "str	lr, [ip, %[tls]]\n"
		     "adr	lr, 1f\n"
		     "cmp	r3, #0\n"
		     "moveq	r3, lr\n"
		     "add	r3, r3, r2\n"
		     "str	r3, [ip, %[pc]]\n"
		     "str	r0, [ip, %[cpsr]]\n"
		     "bx	r1\n"
		     "	.align	2\n"
		     "1:	setend	le\n"
		     "	mrs	r0, cpsr\n"
		     "	pop	{r4-r11}\n"
		     : "+r" (r0), "+r" (r1), "+r" (r2), "+r" (r3)
		     : [shared] "I" (RTMUX_SHARED), [sp] "I" (RTMUX_S_SP), [lr] "I" (RTMUX_S_LR),
		       [pc] "I" (RTMUX_S_PC), [cpsr] "I" (RTMUX_S_CPSR), [tls] "I" (RTMUX_S_TLS)
		     : "ip", "lr", "memory", "cc");
	return r0;
}

/* argument: low 10 bits and T, J of the forged cpsr. SVC mode comes back, with
 * nothing but flags taken over; any other mode but USR is an undefined
 * instruction to the kernel.
 */
static int attack_iret(unsigned long cpsr)
{
	unsigned long flags;
	u32 real;

	if (!iret)
		return -EINVAL;
	local_irq_save(flags);
	real = return_with(cpsr, 0, 0);
	local_irq_restore(flags);
	say("iret %#lx: back with cpsr %#x", cpsr, real);
	/* USR, ARM state, nothing masked */
	return (real & 0x010001ff) == 0x10 ? 0 : BREACH;
}

static int attack_iret_odd(unsigned long offset)
{
	unsigned long flags;
	u32 real;

	if (!iret)
		return -EINVAL;
	local_irq_save(flags);
	real = return_with(0x93, 1 + offset % 3, 0);
	local_irq_restore(flags);
	say("iret to an odd address: back with cpsr %#x", real);
	return (real & 0x010001ff) == 0x10 ? 0 : BREACH;
}

/* To user mode at an address that only the kernel, or nobody, may execute.
 * Linux then treats our stack as the process's kernel stack: sp is its top.
 */
static noinline int attack_iret_user(unsigned long pc)
{
	if (!iret)
		return -EINVAL;
	local_irq_disable();
	return_with(0x10, 0, pc ? pc : PAGE_OFFSET + 0x8000);
	return BREACH;
}

static int attack_iret_window(unsigned long offset)
{
	if (!iret)
		return -EINVAL;
	local_irq_disable();
	return_with(0x93, 0, RTMUX_WINDOW + offset);
	return BREACH;
}

/* The kernel's own handlers then have no stack: the guest is stopped. */
static int attack_bad_stack(unsigned long sp)
{
	asm volatile("mov	sp, %0\n"
		     "ldr	r0, [sp]\n" : : "r" (sp ? sp : 0xdead0000) : "r0", "memory");
	return BREACH;
}
#endif

const struct attack frame_attacks[] = {
	{ "jump", attack_jump },
	{ "undefined", attack_undefined },
	{ "unprivileged-load", attack_unprivileged_load },
#ifdef CONFIG_ARM_RTMUX
	{ "iret", attack_iret },
	{ "iret-odd", attack_iret_odd },
	{ "iret-user", attack_iret_user },
	{ "iret-window", attack_iret_window },
	{ "fatal-stack", attack_bad_stack },
#endif
	{ }
};
