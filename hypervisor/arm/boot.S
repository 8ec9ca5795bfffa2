/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * From a boot loader to C++ in the window.
 *
 * Entered at word 0 of the image, which branches here (rtmux/abi/image.h):
 * SVC mode, anywhere in RAM, caches and MMU in any state. The image moves to
 * the top of RAM, where it stays, out of the guest's reach; the executive is
 * copied from it to the bottom of RAM and mapped at RTMUX_RAM_VA.
 */
#include "board.h"
#include "rtmux/layout.h"
#include "guest/vcpu_offsets.h"

	.syntax unified
	.arm
	.fpu	neon

#define RAM_TOP (BOARD_RAM_BASE + BOARD_RAM_SIZE)
#define VA_TO_PA (BOARD_RAM_BASE - RTMUX_RAM_VA)
#define IMAGE_MAGIC 0x584d5452

/* A section: PL1 read and write, normal write-back memory, domain 0 */
#define SECTION_RWX 0x0000040e

	.section .text.boot, "ax"
	.global	executive_start
executive_start:
	cpsid	aif, #0x13
	setend	le
	bl	caches_off

	@ r4 image here, r5 its length, r6 its place at the top of RAM
	adr	r4, executive_start
	sub	r4, r4, #4096
	ldr	r0, [r4, #4]
	ldr	r1, =IMAGE_MAGIC
	ldr	r5, [r4, #12]
	ldr	r2, =(4096 + 0x20000)		@ without a header that can be true,
	cmp	r0, r1				@ the executive alone: it reports
	movne	r5, r2
	ldr	r1, =(BOARD_RAM_SIZE / 2)
	cmp	r5, r1
	movhi	r5, r2
	cmp	r5, #8192
	movlo	r5, r2
	add	r5, r5, #0xff0
	add	r5, r5, #0x00f
	bic	r5, r5, #0xff0
	bic	r5, r5, #0x00f
	@ sp: is all of the RAM there? If it ends earlier (which may abort), or
	@ begins again, only the executive goes out of its own way, to say so
	adr	r0, no_ram_vectors
	mcr	p15, 0, r0, c12, c0, 0		@ VBAR
	isb
	ldr	r6, =RAM_TOP
	ldr	r7, =(RAM_TOP - BOARD_RAM_SIZE / 2)
	ldr	r8, [r6, #-4]
	ldr	r9, [r7, #-4]
	mvn	r0, r4
	str	r4, [r7, #-4]
	str	r0, [r6, #-4]
	ldr	r1, [r6, #-4]
	ldr	r2, [r7, #-4]
	str	r9, [r7, #-4]
	str	r8, [r6, #-4]
	cmp	r1, r0
	cmpeq	r2, r4
	bne	no_ram
	sub	r6, r6, r5
	sub	r0, r6, r4			@ as good as there already: the copy
	cmp	r0, #8192			@ would overwrite this code
	mov	sp, #1
	movlo	r6, r4
	blo	2f
move:	add	r0, r4, r5			@ downwards: the two may overlap
	add	r1, r6, r5
1:	ldmdb	r0!, {r2, r3, r7, r8, r9, r10, r11, r12}
	stmdb	r1!, {r2, r3, r7, r8, r9, r10, r11, r12}
	cmp	r0, r4
	bhi	1b
2:	bl	sync
	adr	r0, 3f				@ go on in the copy
	sub	r0, r0, r4
	add	pc, r0, r6

3:	mov	r11, sp
	add	r0, r6, #4096			@ the executive to its place
	ldr	r1, =BOARD_RAM_BASE
	ldr	r2, =(__data_end + VA_TO_PA)
4:	ldmia	r0!, {r3, r7, r8, r9}
	stmia	r1!, {r3, r7, r8, r9}
	cmp	r1, r2
	blo	4b
	ldr	r2, =(__bss_end + VA_TO_PA)
	mov	r3, #0
	mov	r7, #0
	mov	r8, #0
	mov	r9, #0
5:	stmia	r1!, {r3, r7, r8, r9}
	cmp	r1, r2
	blo	5b
	bl	sync
	ldr	r0, =(in_place + VA_TO_PA)
	bx	r0

in_place:
	@ Boot table: one section here (identity), RTMUX_SIZE in the window
	ldr	r0, =(boot_l1 + VA_TO_PA)
	ldr	r1, =(BOARD_RAM_BASE | SECTION_RWX)
	ldr	r2, =(BOARD_RAM_BASE >> 20) * 4
	str	r1, [r0, r2]
	ldr	r2, =(RTMUX_RAM_VA >> 20) * 4
	add	r2, r0, r2
	mov	r3, #(BOARD_RTMUX_SIZE >> 20)
6:	str	r1, [r2], #4
	add	r1, r1, #0x100000
	subs	r3, r3, #1
	bne	6b

	mov	r1, #0
	mcr	p15, 0, r1, c8, c7, 0		@ TLBIALL
	mcr	p15, 0, r1, c2, c0, 2		@ TTBCR: TTBR0 for all
	mcr	p15, 0, r1, c13, c0, 1		@ CONTEXTIDR
	orr	r0, r0, #0x19			@ TTBR0, walks write-back cacheable
	mcr	p15, 0, r0, c2, c0, 0
	mov	r1, #1				@ DACR: domain 0 client
	mcr	p15, 0, r1, c3, c0, 0
	ldr	r1, =0xff0a81a8			@ PRRR and NMRR as Linux has them
	mcr	p15, 0, r1, c10, c2, 0
	ldr	r1, =0x40e040e0
	mcr	p15, 0, r1, c10, c2, 1
	mrc	p15, 0, r1, c1, c0, 2		@ CPACR: cp10 and cp11
	orr	r1, r1, #0x00f00000
	mcr	p15, 0, r1, c1, c0, 2
	mov	r1, #1
	mcr	p14, 6, r1, c0, c0, 0		@ TEECR.XED: no TEEHBR in USR mode
	mov	r1, #0
	mcr	p15, 0, r1, c9, c14, 0		@ PMUSERENR: no counters in USR mode
	isb
	mcr	p15, 0, r1, c7, c5, 0		@ ICIALLU
	mcr	p15, 0, r1, c7, c5, 6		@ BPIALL
	dsb
	isb
	mrc	p15, 0, r1, c1, c0, 0		@ SCTLR: TRE, I, Z, C, M; no V, VE, A, AFE, EE, TE
	ldr	r2, =0x73002002
	bic	r1, r1, r2
	ldr	r2, =0x10001805
	orr	r1, r1, r2
	mcr	p15, 0, r1, c1, c0, 0
	isb
	ldr	r0, =in_window
	bx	r0

in_window:
	ldr	r0, =vectors
	mcr	p15, 0, r0, c12, c0, 0		@ VBAR
	ldr	r0, =vcpu
	cps	#0x17
	mov	sp, r0
	cps	#0x1b
	mov	sp, r0
	cps	#0x13
	mov	sp, r0
	isb
	mov	r0, r6
	mov	r1, r11
	bl	executive_main
0:	b	0b

	.balign	32
no_ram_vectors:
	.rept	8
	b	no_ram				@ only a data abort can come
	.endr
no_ram:	cpsid	aif, #0x13
	mov	sp, #0
	ldr	r5, =(4096 + 0x20000)
	ldr	r6, =(BOARD_RAM_BASE + BOARD_RTMUX_SIZE)
	b	move

	/* D-cache cleaned and invalidated by set and way, then caches and MMU off */
caches_off:
	mov	r12, lr
	bl	clean_invalidate_all
	mrc	p15, 0, r0, c1, c0, 0
	bic	r0, r0, #0x0005			@ C, M
	bic	r0, r0, #0x3800			@ V, I, Z
	mcr	p15, 0, r0, c1, c0, 0
	isb
	bl	clean_invalidate_all		@ what came in between: L2 also takes
	mov	lr, r12				@ instructions, while caches were on
sync:	mov	r0, #0
	dsb
	mcr	p15, 0, r0, c7, c5, 0		@ ICIALLU
	mcr	p15, 0, r0, c7, c5, 6		@ BPIALL
	dsb
	isb
	bx	lr

	/*
	 * void dcache_clean_invalidate_all(void): every level to the point of
	 * coherency (Arm ARM B2.2.4). Never invalidates without a clean. Can be
	 * preempted anywhere. (Below: corrupts r0-r3, r7-r11.)
	 */
	.global	dcache_clean_invalidate_all
dcache_clean_invalidate_all:
	push	{r4-r11, lr}
	bl	clean_invalidate_all
	pop	{r4-r11, pc}

clean_invalidate_all:
	dmb
	mrc	p15, 1, r0, c0, c0, 1		@ CLIDR
	ands	r3, r0, #0x7000000
	lsr	r3, r3, #23			@ level of coherency * 2
	beq	5f
	mov	r10, #0
1:	add	r2, r10, r10, lsr #1
	lsr	r1, r0, r2
	and	r1, r1, #7
	cmp	r1, #2				@ a data cache at this level?
	blo	4f
	mrs	r8, cpsr			@ CSSELR and CCSIDR belong together
	cpsid	i
	mcr	p15, 2, r10, c0, c0, 0
	isb
	mrc	p15, 1, r1, c0, c0, 0
	msr	cpsr_c, r8
	and	r2, r1, #7
	add	r2, r2, #4			@ log2 of the line
	ubfx	r7, r1, #3, #10			@ ways - 1
	clz	r8, r7
	ubfx	r1, r1, #13, #15		@ sets - 1
2:	mov	r9, r7
3:	lsl	r11, r9, r8
	orr	r11, r11, r10
	orr	r11, r11, r1, lsl r2
	mcr	p15, 0, r11, c7, c14, 2		@ DCCISW
	subs	r9, r9, #1
	bge	3b
	subs	r1, r1, #1
	bge	2b
4:	add	r10, r10, #2
	cmp	r3, r10
	bhi	1b
5:	dsb
	isb
	bx	lr

	.ltorg
