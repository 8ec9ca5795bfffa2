// SPDX-License-Identifier: GPL-2.0-only
/* Single instructions at PL0. Each is placed in the code page and called with
 * r0 = 0; the result is r0.
 *
 * Left out, because the architecture calls them UNPREDICTABLE in User mode and
 * a processor may do anything: mrs/msr of SPSR, movs/subs pc, ldm/stm with ^,
 * srs, rfe, bx to an address with bits 1:0 = 10, Jazelle's bxj with JE set.
 */
#include <stdio.h>

#include "probe.h"

#define BX_LR 0xe12fff1eu
#define MRC(cp, op1, crn, crm, op2)                                                                \
	(0xee100010u | (op1) << 21 | (crn) << 16 | (cp) << 8 | (op2) << 5 | (crm))
#define MCR(cp, op1, crn, crm, op2) (MRC(cp, op1, crn, crm, op2) & ~0x00100000u)

struct instruction {
	const char *name;
	uint32_t words[3]; /* a bx lr follows */
	int thumb;         /* words are halfword pairs, first one low */
	int quiet;         /* r0 is another on every run */
};

static long run(const void *arg)
{
	const struct instruction *in = arg;
	uint32_t words[8] = { 0 };
	int count = 0;
	long r0;

	while (count < 3 && in->words[count]) {
		words[count] = in->words[count];
		count++;
	}
	words[count++] = in->thumb ? 0x47704770 : BX_LR;
	code_words(words, count);
	r0 = code_call(0, in->thumb);
	return in->quiet ? 0 : r0;
}

static const struct instruction list[] = {
	/* Status register */
	{ "mrs-cpsr", { 0xe10f0000, 0xe200003f /* and r0, r0, #0x3f */ }, 0, 0 },
	{ "mrs-cpsr-aif", { 0xe10f0000, 0xe2000f70 /* and r0, r0, #0x1c0 */ }, 0, 0 },
	{ "msr-cpsr-svc", { 0xe321f0d3, 0xe10f0000, 0xe20000ff }, 0, 0 },
	{ "msr-cpsr-usr", { 0xe321f010, 0xe10f0000, 0xe20000ff }, 0, 0 },
	{ "msr-cpsr-flags", { 0xe328f20f, 0xe10f0000, 0xe200020f }, 0, 0 },
	{ "cpsid-i", { 0xf10c0080, 0xe10f0000, 0xe20000ff }, 0, 0 },
	{ "cpsid-aif", { 0xf10c01c0, 0xe10f0000, 0xe20000ff }, 0, 0 },
	{ "cpsie-i", { 0xf1080080, 0xe10f0000, 0xe20000ff }, 0, 0 },
	{ "cps-svc", { 0xf1020013, 0xe10f0000, 0xe20000ff }, 0, 0 },
	{ "cps-mon", { 0xf1020016, 0xe10f0000, 0xe20000ff }, 0, 0 },
	{ "thumb-cpsid-i", { 0xbf00b672 }, 1, 0 },
	{ "setend-be", { 0xf1010200, 0xe10f0000, 0xf1010000 }, 0, 1 },

	/* Exceptions and hints */
	{ "smc", { 0xe1600070 }, 0, 0 },
	{ "smc-15", { 0xe160007f }, 0, 0 },
	{ "hvc", { 0xe1400070 }, 0, 0 },
	{ "eret", { 0xe160006e }, 0, 0 },
	{ "thumb-smc", { 0x8000f7f0 }, 1, 0 },
	{ "bkpt", { 0xe1200070 }, 0, 0 },
	{ "bkpt-ffff", { 0xe12fff7f }, 0, 0 },
	{ "thumb-bkpt", { 0xbf00be00 }, 1, 0 },
	{ "thumb-bkpt-ab", { 0xbf00beab }, 1, 0 },
	{ "wfi", { 0xe320f003 }, 0, 0 },
	{ "wfe", { 0xe320f005, 0xe320f005 }, 0, 0 },
	{ "sev", { 0xe320f004 }, 0, 0 },
	{ "yield", { 0xe320f001 }, 0, 0 },
	{ "dbg", { 0xe320f0f0 }, 0, 0 },
	{ "clrex", { 0xf57ff01f }, 0, 0 },
	{ "barriers", { 0xf57ff04f, 0xf57ff05f, 0xf57ff06f }, 0, 0 },

	/* Undefined, and what Linux uses as breakpoints */
	{ "udf-0", { 0xe7f000f0 }, 0, 0 },
	{ "udf-bug", { 0xe7f001f2 }, 0, 0 },
	{ "udf-gdb", { 0xe7f001f0 }, 0, 0 },
	{ "udf-uprobe", { 0xe7f001f9 }, 0, 0 },
	{ "udf-kprobe", { 0x07f001f8 }, 0, 0 },
	{ "udf-kgdb", { 0xe7ffdefe }, 0, 0 },
	{ "udf-all-ones", { 0xffffffff }, 0, 0 },
	{ "thumb-udf", { 0xbf00de00 }, 1, 0 },
	{ "thumb-udf-gdb", { 0xbf00de01 }, 1, 0 },
	{ "thumb-udf-bug", { 0xbf00de02 }, 1, 0 },
	{ "thumb-udf-wide", { 0xa000f7f0 }, 1, 0 },
	{ "thumb-all-ones", { 0xffffffff }, 1, 0 },
	{ "bxj", { 0xe12fff2e }, 0, 0 },

	/* A failed condition: no access, no fault (eq is false after cmp pc, #0) */
	{ "mrceq-sctlr", { 0xe35f0000, 0x0e110f10 }, 0, 0 },
	{ "mcreq-dacr", { 0xe35f0000, 0x0e030f10 }, 0, 0 },
	{ "svceq", { 0xe35f0000, 0x0f000000 }, 0, 0 },

	/* Fault status, translation, identification: all PL1 */
	{ "mrc-midr", { MRC(15, 0, 0, 0, 0) }, 0, 0 },
	{ "mrc-ctr", { MRC(15, 0, 0, 0, 1) }, 0, 0 },
	{ "mrc-pfr0", { MRC(15, 0, 0, 1, 0) }, 0, 0 },
	{ "mrc-ccsidr", { MRC(15, 1, 0, 0, 0) }, 0, 0 },
	{ "mcr-csselr", { MCR(15, 2, 0, 0, 0) }, 0, 0 },
	{ "mrc-cpacr", { MRC(15, 0, 1, 0, 2) }, 0, 0 },
	{ "mcr-cpacr", { MCR(15, 0, 1, 0, 2) }, 0, 0 },
	{ "mrc-scr", { MRC(15, 0, 1, 1, 0) }, 0, 0 },
	{ "mrc-ttbr1", { MRC(15, 0, 2, 0, 1) }, 0, 0 },
	{ "mrc-ttbcr", { MRC(15, 0, 2, 0, 2) }, 0, 0 },
	{ "mrc-ifsr", { MRC(15, 0, 5, 0, 1) }, 0, 0 },
	{ "mrc-ifar", { MRC(15, 0, 6, 0, 2) }, 0, 0 },
	{ "mrc-par", { MRC(15, 0, 7, 4, 0) }, 0, 0 },
	{ "mrc-prrr", { MRC(15, 0, 10, 2, 0) }, 0, 0 },
	{ "mrc-vbar", { MRC(15, 0, 12, 0, 0) }, 0, 0 },
	{ "mcr-vbar", { MCR(15, 0, 12, 0, 0) }, 0, 0 },
	{ "mrc-isr", { MRC(15, 0, 12, 1, 0) }, 0, 0 },
	{ "mrc-hsctlr", { MRC(15, 4, 1, 0, 0) }, 0, 0 },
	{ "mrrc-p15", { 0xec510f02 }, 0, 0 },
	{ "mcrr-p15", { 0xec410f02 }, 0, 0 },

	/* Cache and TLB maintenance */
	{ "mcr-wfi", { MCR(15, 0, 7, 0, 4) }, 0, 0 },
	{ "mcr-iciallu", { MCR(15, 0, 7, 5, 0) }, 0, 0 },
	{ "mcr-icimvau", { MCR(15, 0, 7, 5, 1) }, 0, 0 },
	{ "mcr-bpiall", { MCR(15, 0, 7, 5, 6) }, 0, 0 },
	{ "mcr-dcimvac", { MCR(15, 0, 7, 6, 1) }, 0, 0 },
	{ "mcr-dcisw", { MCR(15, 0, 7, 6, 2) }, 0, 0 },
	{ "mcr-ats1cpr", { MCR(15, 0, 7, 8, 0) }, 0, 0 },
	{ "mcr-dccmvac", { MCR(15, 0, 7, 10, 1) }, 0, 0 },
	{ "mcr-dccisw", { MCR(15, 0, 7, 14, 2) }, 0, 0 },
	{ "mcr-isb", { MCR(15, 0, 7, 5, 4) }, 0, 0 },
	{ "mcr-dsb", { MCR(15, 0, 7, 10, 4) }, 0, 0 },
	{ "mcr-dmb", { MCR(15, 0, 7, 10, 5) }, 0, 0 },
	{ "mcr-tlbiall", { MCR(15, 0, 8, 7, 0) }, 0, 0 },
	{ "mcr-tlbimva", { MCR(15, 0, 8, 7, 1) }, 0, 0 },
	{ "mcr-tlbiasid", { MCR(15, 0, 8, 7, 2) }, 0, 0 },
	{ "mcr-tlbimvaa", { MCR(15, 0, 8, 7, 3) }, 0, 0 },

	/* Thread registers: TPIDRURO may be read, TPIDRURW read and written */
	{ "mrc-contextidr", { MRC(15, 0, 13, 0, 1) }, 0, 0 },
	{ "mcr-contextidr", { MCR(15, 0, 13, 0, 1) }, 0, 0 },
	{ "mrc-tpidrurw", { MRC(15, 0, 13, 0, 2) }, 0, 1 },
	{ "mcr-tpidrurw", { MCR(15, 0, 13, 0, 2), MRC(15, 0, 13, 0, 2) }, 0, 0 },
	{ "mrc-tpidruro", { MRC(15, 0, 13, 0, 3) }, 0, 1 },
	{ "mcr-tpidruro", { MCR(15, 0, 13, 0, 3) }, 0, 0 },
	{ "mrc-tpidrprw", { MRC(15, 0, 13, 0, 4) }, 0, 0 },
	{ "mcr-tpidrprw", { MCR(15, 0, 13, 0, 4) }, 0, 0 },

	/* Performance monitor */
	{ "mrc-pmcr", { MRC(15, 0, 9, 12, 0) }, 0, 0 },
	{ "mrc-pmccntr", { MRC(15, 0, 9, 13, 0) }, 0, 0 },
	{ "mrc-pmuserenr", { MRC(15, 0, 9, 14, 0) }, 0, 0 },
	{ "mcr-pmuserenr", { MCR(15, 0, 9, 14, 0) }, 0, 0 },
	{ "mrc-l2ctlr", { MRC(15, 1, 9, 0, 2) }, 0, 0 },

	/* CP14: debug, ThumbEE, Jazelle */
	{ "mrc-dbgdidr", { MRC(14, 0, 0, 0, 0) }, 0, 0 },
	{ "mrc-dbgdscr", { MRC(14, 0, 0, 1, 0) }, 0, 0 },
	{ "mrc-dbgdscrext", { MRC(14, 0, 0, 2, 2) }, 0, 0 },
	{ "mrc-dbgdtr", { MRC(14, 0, 0, 5, 0) }, 0, 0 },
	{ "mcr-dbgbvr", { MCR(14, 0, 0, 0, 4) }, 0, 0 },
	{ "mrc-dbgdrar", { MRC(14, 0, 1, 0, 0) }, 0, 0 },
	{ "mrc-dbgdsar", { MRC(14, 0, 2, 0, 0) }, 0, 0 },
	{ "mrc-teecr", { MRC(14, 6, 0, 0, 0) }, 0, 0 },
	{ "mrc-teehbr", { MRC(14, 6, 1, 0, 0) }, 0, 0 },
	{ "mrc-jidr", { MRC(14, 7, 0, 0, 0) }, 0, 0 },
	{ "mcr-joscr", { MCR(14, 7, 1, 0, 0) }, 0, 0 },

	/* VFP: control registers that user mode may not touch; those it may */
	{ "vmrs-fpsid", { 0xeef00a10 }, 0, 0 },
	{ "vmrs-mvfr0", { 0xeef70a10 }, 0, 0 },
	{ "vmrs-mvfr1", { 0xeef60a10 }, 0, 0 },
	{ "vmrs-fpexc", { 0xeef80a10 }, 0, 0 },
	{ "vmsr-fpexc", { 0xeee80a10 }, 0, 0 },
	{ "vmrs-fpinst", { 0xeef90a10 }, 0, 0 },
	{ "vmrs-fpscr", { 0xeef10a10 }, 0, 0 },
	{ "vmsr-fpscr", { 0xeee10a10, 0xeef10a10 }, 0, 0 },
	{ "vmov-d0", { 0xec400b10 /* vmov d0, r0, r0 */, 0xee100a10 /* vmov r0, s0 */ }, 0, 0 },
	{ "neon-d16", { 0xf2c00010 /* vmov.i32 d16, #0 */, 0xee100b90 /* vmov.32 r0, d16[0] */ }, 0, 0 },
	{ "vfp-undefined", { 0xeeb60b40 /* vrintr is ARMv8 */ }, 0, 0 },

	/* Coprocessors that are not there */
	{ "cdp-p0", { 0xee000000 }, 0, 0 },
	{ "mrc-p1", { MRC(1, 0, 0, 0, 0) }, 0, 0 },
	{ "mrc-p7", { MRC(7, 0, 0, 0, 0) }, 0, 0 },
	{ "ldc-p6", { 0xed900600 }, 0, 0 },
	{ "mcrr-p3", { 0xec410300 }, 0, 0 },
};

static const struct instruction misaligned[] = {
	/* r0 = address of a word at an odd place */
	{ "unaligned-ldr", { 0xe5900000 }, 0, 0 },
	{ "unaligned-str", { 0xe5801000 }, 0, 1 },
	{ "unaligned-ldrh", { 0xe1d000b0 }, 0, 0 },
	{ "unaligned-ldm", { 0xe890000c, 0xe0820003 /* add r0, r2, r3 */ }, 0, 0 },
	{ "unaligned-stm", { 0xe880000c, 0xe3a00000 }, 0, 0 },
	{ "unaligned-ldrd", { 0xe1c020d0, 0xe0820003 }, 0, 0 },
	{ "unaligned-strd", { 0xe1c020f0, 0xe3a00000 }, 0, 0 },
	{ "unaligned-ldrex", { 0xe1902f9f }, 0, 0 },
	{ "unaligned-ldrexh", { 0xe1f02f9f }, 0, 0 },
	{ "unaligned-ldrexd", { 0xe1b02f9f }, 0, 0 },
	{ "unaligned-strex", { 0xe1801f92 }, 0, 0 },
	{ "unaligned-swp", { 0xe1002091 }, 0, 1 },
	{ "unaligned-vldr", { 0xed900b00, 0xee100a10 }, 0, 0 },
	{ "unaligned-vstr", { 0xed800b00 }, 0, 1 },
	{ "unaligned-vldm", { 0xec900b04 }, 0, 1 },
	{ "unaligned-vld1", { 0xf420070f, 0xee100a10 }, 0, 0 },
	{ "unaligned-vld1-64", { 0xf420071f, 0xee100a10 }, 0, 0 },
	{ "thumb-unaligned-ldm", { 0x000ce890, 0xbf001898 /* adds r0, r3, r2 */ }, 1, 0 },
	{ "thumb-unaligned-ldrd", { 0x2300e9d0, 0xbf001898 }, 1, 0 },
};

static const unsigned char *odd(void)
{
	static unsigned char bytes[64] __attribute__((aligned(16)));

	for (unsigned int i = 0; i < sizeof(bytes); i++)
		bytes[i] = (unsigned char)(i * 7);
	return bytes + 17;
}

static long run_odd(const void *arg)
{
	const struct instruction *in = arg;
	uint32_t words[4] = { in->words[0], in->words[1] };
	unsigned int count = in->words[1] ? 2 : 1;
	uintptr_t addr = (uintptr_t)odd();
	long r0;

	words[count++] = in->thumb ? 0x47704770 : BX_LR;
	code_words(words, count);
	r0 = code_call((long)addr, in->thumb);
	return in->quiet ? 0 : r0;
}

void probe_instructions(void)
{
	char name[32];

	for (unsigned int i = 0; i < sizeof(list) / sizeof(list[0]); i++)
		probe(list[i].name, run, &list[i], (uintptr_t)CODE);
	for (unsigned int crn = 0; crn < 16; crn++) {
		struct instruction in = { name, { MRC(15, 0, crn, 0, 0) }, 0, 0 };

		snprintf(name, sizeof(name), "mrc-p15-c%u", crn);
		probe(name, run, &in, (uintptr_t)CODE);
		in.words[0] = MCR(15, 0, crn, 0, 0);
		snprintf(name, sizeof(name), "mcr-p15-c%u", crn);
		probe(name, run, &in, (uintptr_t)CODE);
	}
	for (unsigned int i = 0; i < sizeof(misaligned) / sizeof(misaligned[0]); i++)
		probe(misaligned[i].name, run_odd, &misaligned[i], (uintptr_t)odd());
}
