/* SPDX-License-Identifier: GPL-2.0-only */
#include "rtmux/abi/guest.h"

	.syntax unified
	.arm
	.section .text.start, "ax"
	.global	start
start:
	ldr	sp, =stack_top
	bl	payload
1:	b	1b
	.ltorg

	/* long hypercall(number, a, b, c) */
	.text
	.global	hypercall
hypercall:
	push	{r4, lr}
	mov	ip, r0
	mov	r0, r1
	mov	r1, r2
	mov	r2, r3
	svc	#0
	pop	{r4, pc}

	/* Handlers that are no good. r0: the frame */
	.global	handler_undefined, handler_abort, handler_crossed_abort, handler_crossed_undefined
handler_undefined:
	udf	#1
handler_abort:
	mvn	r1, #0xff			@ nothing is mapped up there
	ldr	r1, [r1]
handler_crossed_abort:
	mov	r0, #0				@ it seems to get on
	udf	#1
handler_crossed_undefined:
	mov	r0, #0
	mvn	r1, #0xff
	ldr	r1, [r1]
