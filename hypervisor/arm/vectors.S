/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * Exception vectors, guest entry and exit.
 *
 * Every exception masks IRQs; nothing here runs longer than a few dozen
 * instructions before they open again or the interrupted code goes on.
 *
 * The guest runs in USR mode with the banked sp of SVC, ABT and UND mode at
 * &vcpu. RTOS threads, and the executive at work for the guest, run in SVC
 * mode on their own stacks; for them only IRQs, and faults, come here.
 */
#include "rtmux/abi/guest.h"
#include "guest/vcpu_offsets.h"
#include "mmu/domain.h"

	.syntax unified
	.arm
	.fpu	neon

	.section .text.vectors, "ax"
	.align	6
	.global	vectors
vectors:
	b	.				@ reset: not through here
	b	vector_undefined
	b	vector_svc
	b	vector_prefetch
	b	vector_data
	b	.				@ hyp: not on this core
	b	vector_irq
	b	vector_fiq

/*
 * IRQ: on the SVC stack of whatever was interrupted, struct rtmux_irq_frame.
 */
vector_irq:
	sub	lr, lr, #4
	srsdb	sp!, #0x13
	cps	#0x13
	push	{r0 - r3, ip, lr}
	and	r1, sp, #4			@ C code wants 8-byte alignment
	sub	sp, sp, r1
	push	{r1, lr}
	bl	irq_dispatch
	pop	{r1, lr}
	add	sp, sp, r1
	ldr	r0, [sp, #28]			@ interrupted: the guest?
	ldr	r1, =vcpu
	tst	r0, #0xf
	ldreq	r1, [r1, #V_SLOW]
	clrex
	bne	1f
	cmp	r1, #0
	bne	2f
1:	pop	{r0 - r3, ip, lr}
	rfeia	sp!
2:	@ the guest, and it may have an interrupt pending
	pop	{r0 - r3, ip, lr}
	add	sp, sp, #8			@ &vcpu again; pc and cpsr just below
	stmib	sp, {r0 - r14}^
	ldr	r2, [sp, #-8]
	ldr	r3, [sp, #-4]
	str	r2, [sp, #V_PC]
	str	r3, [sp, #V_CPSR]
	b	irq_exit
	.ltorg

	.text

/*
 * SVC mode, IRQs masked, sp = &vcpu, the guest saved: to its handler, which
 * runs with IRQs open, and into the guest again. The word below &vcpu is the
 * reason: see there.
 */
	.macro	exit_to reason, handler
	ldr	r0, [sp, #V_EXITS + 4 * \reason]
	mov	r1, #\reason
	add	r0, r0, #1
	str	r0, [sp, #V_EXITS + 4 * \reason]
	push	{r0, r1}
	cpsie	i
	bl	\handler
	cpsid	i
	ldr	r0, [sp, #8 + V_SLOW]
#if defined(RTMUX_CHAOS) || defined(RTMUX_TRACE)
	b	guest_slow_return
#else
	bics	r0, r0, #V_SLOW_FILL
	bne	guest_slow_return
	add	sp, sp, #8
	b	guest_enter
#endif
	.endm

/*
 * SVC: only the guest executes it. From virtual user mode it is a system
 * call, into the guest kernel at once when nothing is in the way; from kernel
 * mode a hypercall, or the IRET by its return address.
 */
vector_svc:
	stmib	sp, {r0 - r3}
	ldrd	r0, r1, [sp, #V_USER_MODE]	@ and V_SHARED
	cmp	r0, #0
	beq	svc_from_kernel
	@ Slow bits can wait: they are about interrupts that kernel mode polls for.
	@ Shared page <- sp, lr, pc, cpsr; IRQs off; kernel stack and mode.
	mrs	r2, spsr
	stmia	r1, {sp, lr}^
	mov	r3, #RTMUX_SHARED
	str	lr, [r1, #RTMUX_S_PC]
	str	r2, [r1, #RTMUX_S_CPSR]
	str	r3, [r1, #RTMUX_S_IRQ_OFF]
	ldr	lr, [sp, #V_VECTOR_SVC]
	ldmia	sp, {sp}^			@ V_KERNEL_SP
	mov	r2, #0
	mov	r3, #RTMUX_DACR_KERNEL_MODE
	str	r2, [sp, #V_USER_MODE]
	mcr	p15, 0, r3, c3, c0, 0
	ldr	r2, [sp, #V_FAST_SVC]
	msr	spsr_cxsf, #0x10
	add	r2, r2, #1
	str	r2, [sp, #V_FAST_SVC]
	ldmib	sp, {r0 - r3}
	movs	pc, lr				@ also synchronises the DACR

svc_from_kernel:
	ldrd	r2, r3, [sp, #V_IRET_PC]	@ and V_SLOW
	cmp	r2, lr
	bne	svc_slow
	@ IRET: if nothing is pending, no cache work owed, and it is to user mode
	ldr	r0, [r1, #RTMUX_S_CPSR]
	ldr	r2, [r1, #RTMUX_S_ICACHE]
	ldr	lr, =0x0700fddf			@ J, IT, A, I, F, mode: USR alone
	orr	r3, r3, r2
	and	lr, lr, r0
	eor	lr, lr, #0x10
	orrs	r3, r3, lr
	bne	svc_restore_lr
	msr	spsr_cxsf, r0
	ldr	lr, [r1, #RTMUX_S_PC]		@ aligned by the return (A2.3.1)
	ldr	r3, [r1, #RTMUX_S_TLS]
	stmia	sp, {sp}^			@ V_KERNEL_SP: of the next exception
	str	sp, [sp, #V_USER_MODE]		@ any value but 0
	mcr	p15, 0, r3, c13, c0, 3		@ TPIDRURO
	str	r2, [r1, #RTMUX_S_IRQ_OFF]	@ 0
	mov	r3, #RTMUX_DACR_USER_MODE
	ldmia	r1, {sp, lr}^
	mcr	p15, 0, r3, c3, c0, 0
	clrex
	ldmib	sp, {r0 - r3}
	movs	pc, lr

svc_restore_lr:
	ldr	lr, [sp, #V_IRET_PC]
	ldmib	sp, {r0 - r3}
	stmib	sp, {r0 - r14}^
	mrs	r2, spsr
	str	lr, [sp, #V_PC]
	str	r2, [sp, #V_CPSR]
	exit_to	EXIT_SVC, guest_iret
svc_slow:
	ldmib	sp, {r0 - r3}
	stmib	sp, {r0 - r14}^
	mrs	r2, spsr
	str	lr, [sp, #V_PC]
	str	r2, [sp, #V_CPSR]
	exit_to	EXIT_SVC, guest_hypercall

/*
 * What is common to undefined instructions and aborts: from the guest, save it
 * and go to its handler in SVC mode; from SVC mode it is privileged code that
 * failed (or tried: see privileged_fault).
 */
	.macro	guest_or_privileged offset, privileged
	.if	\offset
	sub	lr, lr, #\offset
	.endif
	str	r0, [sp, #V_SCRATCH]
	mrs	r0, spsr
	tst	r0, #0xf
	bne	\privileged
	ldr	r0, [sp, #V_SCRATCH]
	stmib	sp, {r0 - r14}^
	mrs	r2, spsr
	str	lr, [sp, #V_PC]
	str	r2, [sp, #V_CPSR]
	.endm

vector_undefined:
	cpsid	a				@ V_SCRATCH serves one at a time
	guest_or_privileged 0, privileged_undefined
	cps	#0x13
	exit_to	EXIT_UNDEFINED, guest_undefined

vector_prefetch:
	guest_or_privileged 4, privileged_prefetch
	mrc	p15, 0, r2, c5, c0, 1		@ IFSR, IFAR: before IRQs open
	mrc	p15, 0, r3, c6, c0, 2
	str	r2, [sp, #V_STATUS]
	str	r3, [sp, #V_ADDRESS]
	cps	#0x13
	exit_to	EXIT_PREFETCH_ABORT, guest_prefetch_abort

vector_data:
	guest_or_privileged 8, privileged_data
	mrc	p15, 0, r2, c5, c0, 0		@ DFSR, DFAR
	mrc	p15, 0, r3, c6, c0, 0
	str	r2, [sp, #V_STATUS]
	str	r3, [sp, #V_ADDRESS]
	cps	#0x13
	exit_to	EXIT_DATA_ABORT, guest_data_abort

guest_slow_return:
	cpsie	i
	bl	guest_slow			@ returns with IRQs masked
	add	sp, sp, #8
	.global	guest_enter
guest_enter:					@ IRQs masked, sp = &vcpu
	clrex
	ldr	r0, [sp, #V_CPSR]
	ldr	lr, [sp, #V_PC]
	msr	spsr_cxsf, r0
	ldmib	sp, {r0 - r14}^
	movs	pc, lr

irq_exit:
	exit_to	EXIT_IRQ, guest_interrupted
	.ltorg

	/* Nobody enables one; the abort stack is as good as any */
vector_fiq:
	cps	#0x13
	ldr	sp, =__abort_stack_top
	bl	unexpected_fiq			@ does not return

/*
 * Privileged code faulted. lr the instruction (undefined: the one after it),
 * r0 saved in V_SCRATCH, mode ABT or UND, IRQs masked. Build struct
 * rtmux_fault on the abort stack and ask; privileged_fault() returns if the
 * code shall go on with the registers in there.
 */
	.equ	FAULT_SIZE, 80

privileged_undefined:
	tst	r0, #0x20			@ back to the instruction
	subne	lr, lr, #2
	subeq	lr, lr, #4
	mov	r0, #2
	str	r0, [sp, #V_SCRATCH + 8]
	mov	r0, #0x1b
	b	privileged
privileged_prefetch:
	mov	r0, #1
	str	r0, [sp, #V_SCRATCH + 8]
	mov	r0, #0x17
	b	privileged
privileged_data:
	mov	r0, #0
	str	r0, [sp, #V_SCRATCH + 8]
	mov	r0, #0x17
privileged:
	str	r1, [sp, #V_SCRATCH + 4]
	ldr	r1, =__abort_stack_top - FAULT_SIZE
	str	r0, [sp, #V_SCRATCH + 12]	@ this mode
	ldr	r0, [sp, #V_SCRATCH]
	str	r0, [r1]
	ldr	r0, [sp, #V_SCRATCH + 4]
	str	r0, [r1, #4]
	add	r0, r1, #8
	stmia	r0, {r2 - r12}
	str	lr, [r1, #60]
	mrs	r2, spsr
	str	r2, [r1, #64]
	ldr	r2, [sp, #V_SCRATCH + 8]
	str	r2, [r1, #68]
	ldr	r8, [sp, #V_SCRATCH + 12]
	cmp	r2, #1
	mrceq	p15, 0, r3, c5, c0, 1		@ IFSR
	mrceq	p15, 0, r4, c6, c0, 2
	mrcne	p15, 0, r3, c5, c0, 0		@ DFSR
	mrcne	p15, 0, r4, c6, c0, 0
	str	r3, [r1, #72]
	str	r4, [r1, #76]
	cps	#0x13
	str	sp, [r1, #52]
	str	lr, [r1, #56]
	mov	sp, r1
	mov	r0, r1
	mov	r7, r1
	bl	privileged_fault		@ (rtmux_fault *)
	mov	r1, r7
	ldr	sp, [r1, #52]
	ldr	lr, [r1, #56]
	cmp	r8, #0x1b
	beq	1f
	cps	#0x17
	b	2f
1:	cps	#0x1b
2:	ldr	r2, [r1, #64]
	msr	spsr_cxsf, r2
	ldr	lr, [r1, #60]
	mov	r0, r1
	ldr	r1, [r0, #4]
	add	r0, r0, #8
	ldmia	r0, {r2 - r12}
	ldr	r0, [r0, #-8]
	clrex
	movs	pc, lr
	.ltorg

/*
 * void guest_run(void): from the RTOS's idle thread into the guest, or its
 * next boot. Returns when guest_leave() says so. IRQs open.
 */
	.global	guest_run
guest_run:
	push	{r4 - r11, ip, lr}
	cpsid	i
	ldr	r4, =vcpu
	mov	r1, #EXIT_BOOT
	str	sp, [r4, #V_HOST_SP]
	mov	sp, r4
	push	{r0, r1}
	cpsie	i
	bl	guest_boot			@ IRQs masked when it returns
	add	sp, sp, #8
	b	guest_enter

	/* void guest_leave(void): give up the guest's stack; does not return */
	.global	guest_leave
guest_leave:
	cpsid	i
	ldr	r0, =vcpu
	ldr	sp, [r0, #V_HOST_SP]
	cpsie	i
	pop	{r4 - r11, ip, pc}
	.ltorg

/*
 * bool guest_load(uint32_t va, uint32_t *value): with the rights of the guest's
 * mode (LDRT). 0 when it faults: privileged_fault() goes to guest_access_failed.
 */
	.global	guest_load, guest_access, guest_access_end, guest_access_failed
guest_access:
guest_load:
	ldrt	r2, [r0]
	str	r2, [r1]
	mov	r0, #1
	bx	lr
/* bool device_store(uint32_t va, uint32_t value): 0 when no device answers */
	.global	device_store
device_store:
	str	r1, [r0]
	dsb
	mov	r0, #1
	bx	lr
/*
 * bool cache_lines(uint32_t start, uint32_t end, operation): maintenance by
 * MVA on 64-byte lines that are mapped; 0 when one is not.
 */
	.global	cache_lines_clean, cache_lines_clean_invalidate, cache_lines_clean_pou
cache_lines_clean:
	mcr	p15, 0, r0, c7, c10, 1		@ DCCMVAC
	add	r0, r0, #64
	cmp	r0, r1
	blo	cache_lines_clean
	mov	r0, #1
	bx	lr
cache_lines_clean_invalidate:
	mcr	p15, 0, r0, c7, c14, 1		@ DCCIMVAC
	add	r0, r0, #64
	cmp	r0, r1
	blo	cache_lines_clean_invalidate
	mov	r0, #1
	bx	lr
cache_lines_clean_pou:
	mcr	p15, 0, r0, c7, c11, 1		@ DCCMVAU
	add	r0, r0, #64
	cmp	r0, r1
	blo	cache_lines_clean_pou
	mov	r0, #1
	bx	lr
guest_access_end:
guest_access_failed:
	mov	r0, #0
	bx	lr

/*
 * The word below &vcpu tells what is done for the guest, the reason of its exit;
 * or, while it runs and was interrupted, its CPSR, which ends the interrupt's
 * frame. A reason never looks like a CPSR of USR mode.
 */
	.section .vcpu, "aw", %nobits
	.align	6
	.global	vcpu
vcpu:	.space	512

	.section .tables, "aw", %nobits
	.align	14
	.global	boot_l1
boot_l1:
	.space	16384
