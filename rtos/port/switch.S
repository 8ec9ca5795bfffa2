/* SPDX-License-Identifier: BSD-3-Clause */
/* Stacks, switched. All of it runs with IRQs masked; struct Context: word 0 is sp. */
	.syntax unified
	.arch	armv7-a
	.arm

/*
 * rtos_switch(from, to, next, &current): called in SVC mode; returns to whoever
 * called it when from was switched away. The push comes before any change, so a
 * thread that overflows its stack here still is the current one.
 */
	.section .text.rtos_switch, "ax"
	.thumb				@ as its callers are
	.globl	rtos_switch
	.type	rtos_switch, %function
rtos_switch:
	push	{r4-r11, lr}
	str	sp, [r0]
	str	r2, [r3]
	clrex				@ an exclusive pair does not span a switch
	ldr	sp, [r1]
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
	.section .text.rtos_isr, "ax"
	.globl	rtos_isr
	.type	rtos_isr, %function
rtos_isr:
	movw	r1, #:lower16:rtos_isr_stack_top
	movt	r1, #:upper16:rtos_isr_stack_top
	mov	r2, sp
	ldr	sp, [r1]
	push	{r2, lr}
	bl	rtos_interrupt
	pop	{r2, lr}
	mov	sp, r2
	bx	lr
	.size	rtos_isr, . - rtos_isr

/* A thread has written beyond its stack: an undefined instruction that fault.cpp knows. */
	.section .text.rtos_stack_overflowed, "ax"
	.globl	rtos_stack_overflowed
	.type	rtos_stack_overflowed, %function
rtos_stack_overflowed:
	udf	#0
	.size	rtos_stack_overflowed, . - rtos_stack_overflowed
