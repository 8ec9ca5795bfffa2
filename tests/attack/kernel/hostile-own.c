// SPDX-License-Identifier: GPL-2.0-only
/* See hostile-own.h */
#include <linux/gfp.h>
#include <linux/irqflags.h>
#include <linux/mm.h>
#include <linux/sched.h>
#include <asm/pgtable.h>
#include <rtmux/abi/guest.h>
#include "hostile.h"
#include "hostile-own.h"

#define ENDING 0xe7f001f1u /* udf #17 */
#define THUMB_ENDING 0xde11de11u
#define SVC_0 0xef000000u
#define THUMB_SVC_0 0xdf00df00u

struct own_state own_state;

void own_flush(void)
{
	asm volatile("mcr	p15, 0, %0, c8, c7, 0" : : "r" (0) : "memory");
}

u32 *own_slot(u32 va)
{
	return (u32 *)current->mm->pgd + (va >> 20);
}

static void take_vectors(struct own *own)
{
	local_irq_save(own->flags);
	hypercall(RTMUX_SET_VECTORS, (u32)own_vectors, 0, 0, 0);
	own->active = true;
}

static void give_vectors(struct own *own)
{
	hypercall(RTMUX_SET_VECTORS, (u32)linux_vectors, 0, 0, 0);
	own->active = false;
	local_irq_restore(own->flags);
	/* An interrupt that came to us is Linux's yet */
	hypercall(RTMUX_IRQ_POLL, 0, 0, 0, 0);
}

int own_begin(struct own *own)
{
	static const u32 va[2] = { OWN_KERNEL_VA, OWN_USER_VA };
	unsigned int i;

	if (!linux_vectors[RTMUX_NR_VECTORS - 1])
		return -EINVAL;
	own->code = (u32 *)get_zeroed_page(GFP_KERNEL);
	own->data = (u32 *)get_zeroed_page(GFP_KERNEL);
	own->tables[0] = (u32 *)get_zeroed_page(GFP_KERNEL);
	own->tables[1] = (u32 *)get_zeroed_page(GFP_KERNEL);
	if (!own->code || !own->data || !own->tables[0] || !own->tables[1])
		return -ENOMEM;
	own->code_pa = __pa(own->code);
	own->data_pa = __pa(own->data);
	for (i = 0; i < PAGE_SIZE / 4; i++)
		own->data[i] = MARK;
	take_vectors(own);
	for (i = 0; i < 2; i++) {
		u32 not_global = i ? 1 << 11 : 0;

		/* small pages, AP 011, write-back */
		own->tables[i][0] = own->code_pa | 0x3e | not_global;
		own->tables[i][1] = own->data_pa | 0x3e | not_global;
		*own_slot(va[i]) = __pa(own->tables[i]) | 1;
	}
	own_flush();
	return 0;
}

void own_end(struct own *own)
{
	*own_slot(OWN_KERNEL_VA) = 0;
	*own_slot(OWN_USER_VA) = 0;
	own_flush();
	give_vectors(own);
	free_page((unsigned long)own->code);
	free_page((unsigned long)own->data);
	free_page((unsigned long)own->tables[0]);
	free_page((unsigned long)own->tables[1]);
}

void own_pause(struct own *own)
{
	give_vectors(own);
	take_vectors(own);
}

static u32 run(struct own *own, u32 offset, bool user, bool thumb, u32 r0, u32 r1)
{
	u32 kind;

	if (!user)
		return own_jump((OWN_KERNEL_VA + offset) | thumb, r0, r1);
	/* Interrupts of Linux are open in user mode: what they interrupt is tried again */
	do {
		kind = own_return(0x10 | (thumb ? 0x20 : 0), OWN_USER_VA + offset, 0, r0);
	} while (kind == OWN_IRQ);
	return kind;
}

u32 own_try(struct own *own, u32 instruction, bool user, bool thumb, u32 r0, u32 r1)
{
	u32 kind, size = thumb && instruction >> 29 != 7 ? 2 : 4, end;

	own->code[0] = thumb && size == 4 ? instruction >> 16 | instruction << 16 : instruction;
	own->code[1] = user ? (thumb ? THUMB_SVC_0 : SVC_0) : (thumb ? THUMB_ENDING : ENDING);
	if (thumb && size == 2)
		own->code[0] = (instruction & 0xffff) | (own->code[1] & 0xffff0000);
	hypercall(RTMUX_CACHE_COHERENT, OWN_KERNEL_VA, OWN_KERNEL_VA + 8, 0, 0);
	kind = run(own, 0, user, thumb, r0, r1);
	end = user ? OWN_SVC : OWN_UNDEFINED;
	/* pc: behind the instruction that ended it */
	if (kind == end && (own_state.pc & 0xfff) == size + (thumb ? 2 : 4))
		return OWN_DONE;
	return kind;
}

u32 own_read(struct own *own, u32 va, bool user, u32 *value)
{
	u32 kind = own_try(own, 0xe5900000 /* ldr r0, [r0] */, user, false, va, 0);

	*value = own_state.r0;
	return kind;
}

u32 own_write(struct own *own, u32 va, bool user, u32 value)
{
	if (user) /* r0 is all that a return carries */
		return own_try(own, 0xe5800000 /* str r0, [r0] */, true, false, va, 0);
	return own_try(own, 0xe5801000 /* str r1, [r0] */, false, false, va, value);
}

u32 own_execute(struct own *own, u32 va, bool user)
{
	return own_try(own, 0xe12fff10 /* bx r0 */, user, false, va & ~3u, 0);
}
