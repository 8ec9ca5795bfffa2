/* SPDX-License-Identifier: BSD-3-Clause */
/* Stacks, switched. All of it runs with IRQs masked; struct Context: word 0 is sp. */
	.syntax unified
	.arch	armv7-a
	.arm

/*
 * rtos_switch(from, to, &current): threads. Called in SVC mode; returns to whoever
 * called it when from was switched away. The push comes before any change, so a
 * thread that overflows its stack here still is the current one.
 */
	.equ	THREAD_SP, 48			@ scheduler_slow.cpp checks it

	.section .text.hot.rtos_switch, "ax"
	.thumb				@ as its callers are
	.globl	rtos_switch
	.type	rtos_switch, %function
rtos_switch:
	push	{r4-r11, lr}
	str	sp, [r0, #THREAD_SP]
	str	r1, [r2]
	clrex				@ an exclusive pair does not span a switch
	ldr	sp, [r1, #THREAD_SP]
	pop	{r4-r11, pc}
	.size	rtos_switch, . - rtos_switch
	.arm

/*
 * rtos_load(to): leave whatever runs now for good: the boot stack, a thread
 * that ends, or the executive's abort stack, in the mode of an exception.
 */
	.section .text.rtos_load, "ax"
	.globl	rtos_load
	.type	rtos_load, %function
rtos_load:
	cpsid	i, #0x13
	clrex
	ldr	sp, [r0]
	pop	{r4-r11, pc}
	.size	rtos_load, . - rtos_load

/* Where make_context lets a thread begin: entry in r4, its argument in r5. */
	.section .text.rtos_thread_begin, "ax"
	.globl	rtos_thread_begin
	.type	rtos_thread_begin, %function
rtos_thread_begin:
	mov	r0, r5
	mov	lr, #0			@ the outermost caller
	bx	r4
	.size	rtos_thread_begin, . - rtos_thread_begin

/*
 * rtos_isr(line), rtmux_rtos_ops::isr: the handler runs on the interrupt stack,
 * so that no thread needs room for it, and nothing is pushed on the thread's:
 * an overflow now would lose the interrupt. IRQs stay masked: there is one level.
 */
	.equ	SCHEDULER_NEED_RESCHED, 8	@ scheduler_slow.cpp checks them
	.equ	SCHEDULER_ISR_STACK, 28

	.section .text.hot.rtos_isr, "ax"
	.globl	rtos_isr
	.type	rtos_isr, %function
rtos_isr:
	movw	r1, #:lower16:_ZN4rtos9schedulerE
	movt	r1, #:upper16:_ZN4rtos9schedulerE
	mov	ip, sp
	ldr	sp, [r1, #SCHEDULER_ISR_STACK]
	push	{r1, r4, ip, lr}
	mov	r4, r1
	bl	rtos_interrupt			@ (line, scheduler)
	ldr	r0, [r4, #SCHEDULER_NEED_RESCHED]
	ldmib	sp, {r4, ip, lr}
	mov	sp, ip
	bx	lr
	.size	rtos_isr, . - rtos_isr

/* A thread has written beyond its stack: an undefined instruction that fault.cpp knows. */
	.section .text.rtos_stack_overflowed, "ax"
	.globl	rtos_stack_overflowed
	.type	rtos_stack_overflowed, %function
rtos_stack_overflowed:
	udf	#0
	.size	rtos_stack_overflowed, . - rtos_stack_overflowed
