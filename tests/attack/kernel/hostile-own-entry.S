/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A kernel of its own, of ten vectors: whatever an instruction under trial
 * ends with comes here instead of to Linux, and ends the trial. Linux's
 * interrupts are masked all the while.
 */
#include <linux/linkage.h>
#include <rtmux/abi/guest.h>
#include "hostile-own.h"

	.syntax unified
	.arm
	.text

/* Into kernel mode: (pc, r0, r1). The code there ends with any exception. */
ENTRY(own_jump)
	push	{r4 - r11, lr}
	ldr	r3, =own_state
	str	sp, [r3]
	mov	ip, r0
	mov	r0, r1
	mov	r1, r2
	bx	ip
ENDPROC(own_jump)

/* By a return from an exception: (cpsr, pc, sp, r0) */
ENTRY(own_return)
	push	{r4 - r11, lr}
	ldr	ip, =own_state
	str	sp, [ip]
	mov	ip, #RTMUX_SHARED
	mov	lr, #0
	str	r2, [ip, #RTMUX_S_SP]
	str	lr, [ip, #RTMUX_S_LR]
	str	r1, [ip, #RTMUX_S_PC]
	str	r0, [ip, #RTMUX_S_CPSR]
	str	lr, [ip, #RTMUX_S_TLS]
	mov	r0, r3
	svc	#0
own_returned:
	udf	#1				@ the executive took it for a call
ENDPROC(own_return)

	.macro	ends_with, label, kind
\label:	mov	r1, #\kind
	b	own_exception
	.endm

	ends_with own_undefined, OWN_UNDEFINED
	ends_with own_prefetch, OWN_PREFETCH
	ends_with own_data, OWN_DATA
	ends_with own_irq, OWN_IRQ

/* r0 the frame in the shared page, r1 the kind */
own_exception:
	ldmia	r0, {r3 - r5}			@ r0, pc, cpsr
1:	ldr	r2, =own_state
	stmib	r2, {r1, r3 - r5}
	ldr	sp, [r2]
	mov	r0, r1
	pop	{r4 - r11, pc}

own_svc:					@ the registers are the caller's
	mov	r3, r0
	mov	r2, #RTMUX_SHARED
	ldr	r4, [r2, #RTMUX_S_PC]
	ldr	r5, [r2, #RTMUX_S_CPSR]
	mov	r1, #OWN_SVC
	b	1b
	.ltorg

	.section .rodata
	.align	2
ENTRY(own_vectors)				@ in the order of RTMUX_V_*
	.long	own_svc, own_returned
	.long	own_undefined, own_undefined
	.long	own_prefetch, own_prefetch
	.long	own_data, own_data
	.long	own_irq, own_irq
