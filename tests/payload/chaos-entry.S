/* SPDX-License-Identifier: GPL-2.0-only */
#include "rtmux/abi/guest.h"

	.syntax unified
	.arm
	.text

	/* Registers that a C function keeps, and where to go on */
	.bss
	.balign	8
saved:	.space	10 * 4
	.text

	.global	chaos_try
chaos_try:
	ldr	r1, =saved
	stm	r1, {r4-r11, sp, lr}
	mov	r0, #0
	bx	lr

/* From any exception, whatever mode and registers it came from */
caught:
	ldr	r1, =saved
	ldm	r1, {r4-r11, sp, lr}
	ldr	r1, =RTMUX_SHARED + RTMUX_S_IRQ_OFF
	str	r1, [r1]			@ any value but 0: masked
	mov	r0, #1
	bx	lr

	.global	chaos_vectors
chaos_vectors:
	push	{r4, lr}
	ldr	r0, =vectors
	mov	ip, #RTMUX_SET_VECTORS
	svc	#0
	pop	{r4, pc}

	.balign	4
vectors:
	.word	caught				@ SVC
	.word	iret_done			@ IRET
	.rept	RTMUX_NR_VECTORS - 2
	.word	caught
	.endr

/* The svc whose return address is the table's second word is no hypercall but a return. */
	.global	chaos_iret
chaos_iret:
	svc	#0
iret_done:
	bx	lr

/* void chaos_run(const uint32_t *code, const uint32_t *registers) */
	.global	chaos_run
chaos_run:
	ldr	ip, =resume
	str	lr, [ip]
	str	sp, [ip, #4]
	ldr	ip, =back
	mov	lr, r0
	str	ip, [lr, #8]			@ the constant of the jump
	ldr	ip, =0xe51ff004			@ ldr pc, [pc, #-4]
	str	ip, [lr, #4]
	mov	sp, r1
	ldm	sp, {r0-r12}
	ldr	sp, =saved_stack
	mov	pc, lr
back:
	ldr	ip, =resume
	ldr	lr, [ip]
	ldr	sp, [ip, #4]
	ldr	ip, =saved			@ r4-r11 are its caller's
	ldm	ip, {r4-r11}
	bx	lr

	.global	chaos_mmu_on
chaos_mmu_on:
	mrc	p15, 0, r0, c1, c0, 0
	orr	r0, r0, #1
	mcr	p15, 0, r0, c1, c0, 0
	bx	lr
	.ltorg

	.bss
	.balign	8
resume:	.space	8
	.space	1024
saved_stack:
