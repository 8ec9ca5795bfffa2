/* SPDX-License-Identifier: BSD-3-Clause */
/* struct FpRegisters of fp_context.hpp: d0-d31, then FPSCR. FPEXC.EN is set. */
	.syntax unified
	.arm
	.fpu	neon

	.section .text.rtos_fp_save, "ax"
	.globl	rtos_fp_save
	.type	rtos_fp_save, %function
rtos_fp_save:
	vstmia	r0!, {d0-d15}
	vstmia	r0!, {d16-d31}
	vmrs	r1, fpscr
	str	r1, [r0]
	bx	lr
	.size	rtos_fp_save, . - rtos_fp_save

	.section .text.rtos_fp_load, "ax"
	.globl	rtos_fp_load
	.type	rtos_fp_load, %function
rtos_fp_load:
	vldmia	r0!, {d0-d15}
	vldmia	r0!, {d16-d31}
	ldr	r1, [r0]
	vmsr	fpscr, r1
	bx	lr
	.size	rtos_fp_load, . - rtos_fp_load
