/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * RTMux guest ABI, version 1: what the executive and a guest kernel share.
 * Specification: docs/guest-abi.md.  C, C++ and assembly; constants only.
 * The copy in a patched Linux, arch/arm/include/asm/rtmux-abi.h, is this file.
 */
#ifndef RTMUX_ABI_GUEST_H
#define RTMUX_ABI_GUEST_H

#define RTMUX_ABI_VERSION	1

/* Virtual addresses the executive keeps, in every address space */
#define RTMUX_WINDOW		0xfe800000
#define RTMUX_WINDOW_END	0xff800000
#define RTMUX_SHARED		0xff000000	/* one page, kernel mode RW */

/* Offsets in the shared page.  SVC in and IRET out, in pt_regs order */
#define RTMUX_S_SP		0x00
#define RTMUX_S_LR		0x04
#define RTMUX_S_PC		0x08
#define RTMUX_S_CPSR		0x0c
#define RTMUX_S_TLS		0x10
/* Frame of every other exception; sp and lr only if it came from user mode */
#define RTMUX_S_EXC		0x20		/* r0, pc, cpsr, scratch, sp, lr */
#define RTMUX_EXC_SP		0x10		/* offset of sp in that frame */
#define RTMUX_S_IRQ_OFF		0x40		/* 0: open, RTMUX_SHARED: masked */
#define RTMUX_S_IRQ_PEND	0x44		/* != 0: an enabled line is pending */
#define RTMUX_S_FPEXC		0x48		/* copy of FPEXC, read only */
#define RTMUX_S_ICACHE		0x4c		/* != 0: ICIALLU owed at IRET to user */
#define RTMUX_S_DFSR		0x50
#define RTMUX_S_DFAR		0x54
#define RTMUX_S_IFSR		0x58
#define RTMUX_S_IFAR		0x5c
#define RTMUX_S_PENDING		0x60		/* bitmap of 128 virtual lines */
#define RTMUX_S_ENABLED		0x70		/* bitmap of 128 virtual lines */

#define RTMUX_NR_IRQS		128

/* Hypercalls: svc #0 in kernel mode, number in ip, arguments and result r0-r3 */
#define RTMUX_IRQ_POLL		1		/* deliver what is pending */
#define RTMUX_IDLE		2		/* wait for a pending line */
#define RTMUX_HELLO		3		/* ABI version, TASK_SIZE */
#define RTMUX_SET_VECTORS	4		/* address of 10 words, see RTMUX_V_ */
#define RTMUX_SWITCH_MM		5		/* pgd physical, ASID */
#define RTMUX_TLB_USER		6		/* start, end, ASID */
#define RTMUX_TLB_KERNEL	7		/* start, end */
#define RTMUX_CACHE_ALL		8
#define RTMUX_CACHE_LOUIS	9
#define RTMUX_CACHE_COHERENT	10		/* start, end */
#define RTMUX_DCACHE_AREA	11		/* start, bytes */
#define RTMUX_DMA_MAP		12		/* start, bytes, direction */
#define RTMUX_DMA_UNMAP		13		/* start, bytes, direction */
#define RTMUX_DMA_FLUSH		14		/* start, end */
#define RTMUX_IRQ_EOI		15		/* line */
#define RTMUX_RESET_CPU		16		/* physical address; MMU off */
#define RTMUX_RESTART		17		/* boot the guest anew */
#define RTMUX_POWER_OFF		18		/* stop the guest */
#define RTMUX_VBUS_DOORBELL	19		/* the guest wrote to V-Bus */
#define RTMUX_NR_CALLS		20

/* Results: 0 or a negative error number */
#define RTMUX_E_NOSYS		38
#define RTMUX_E_INVAL		22
#define RTMUX_E_FAULT		14

/* Word offsets in the vector table: kernel entry points, and the IRET svc */
#define RTMUX_V_SVC		0
#define RTMUX_V_IRET		1		/* return address of IRET's svc */
#define RTMUX_V_UND_USR		2
#define RTMUX_V_UND_SVC		3
#define RTMUX_V_PABT_USR	4
#define RTMUX_V_PABT_SVC	5
#define RTMUX_V_DABT_USR	6
#define RTMUX_V_DABT_SVC	7
#define RTMUX_V_IRQ_USR		8
#define RTMUX_V_IRQ_SVC		9
#define RTMUX_NR_VECTORS	10

#endif /* RTMUX_ABI_GUEST_H */
