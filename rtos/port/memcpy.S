/* SPDX-License-Identifier: BSD-3-Clause */
/* memcpy. Instead of newlib's, which unrolls for a kilobyte: eight registers at a time are as fast. */
	.syntax unified
	.arch	armv7-a
	.thumb

	.section .text.memcpy, "ax"
	.globl	memcpy
	.type	memcpy, %function
memcpy:
	mov	ip, r0
	orr	r3, r0, r1
	lsls	r3, r3, #30
	bne	2f			@ LDM and STM want words aligned, LDR and STR do not
	subs	r2, r2, #32
	blo	1f
	push	{r4-r10}
0:	ldmia	r1!, {r3-r10}
	stmia	ip!, {r3-r10}
	subs	r2, r2, #32
	bhs	0b
	pop	{r4-r10}
1:	adds	r2, r2, #32
2:	subs	r2, r2, #4
	blo	4f
3:	ldr	r3, [r1], #4
	str	r3, [ip], #4
	subs	r2, r2, #4
	bhs	3b
4:	adds	r2, r2, #4
	beq	6f
5:	ldrb	r3, [r1], #1
	strb	r3, [ip], #1
	subs	r2, r2, #1
	bne	5b
6:	bx	lr
	.size	memcpy, . - memcpy
