/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A kernel that has lost its mind, by a seed: instructions, hypercalls, translation tables, returns and the shared
 * page, all at random.  What faults is passed over; what stops it, or hangs, ends this life, and the RTOS goes on
 * with the next seed.  The same seed in the same image does the same.
 */
#include <board.h>
#include <rtmux/abi/guest.h>
#include <rtmux/abi/life.h>
#include <rtmux/layout.h>

#include "chaos.h"
#include <order.h>

#define SHARED ((volatile uint32_t *)RTMUX_SHARED)
#define GUEST_BASE (BOARD_RAM_BASE + BOARD_RTMUX_SIZE)
#define MEGABYTES 8u /* of its memory that it maps and plays with */

static uint32_t state;

/* xorshift32 (Marsaglia) */
static uint32_t any(void)
{
	state ^= state << 13;
	state ^= state >> 17;
	state ^= state << 5;
	return state;
}
static uint32_t below(uint32_t bound)
{
	return any() % bound;
}

static uint32_t pgd[4096] __attribute__((aligned(16384)));
static uint32_t pte[8][256] __attribute__((aligned(1024)));
static uint32_t code[64] __attribute__((aligned(64)));

static uint32_t any_address(void)
{
	switch (below(8)) {
	case 0:
		return RTMUX_WINDOW + below(RTMUX_WINDOW_END - RTMUX_WINDOW);
	case 1:
		return RTMUX_SHARED + below(4096);
	case 2:
		return (uint32_t)&pgd[below(4096)];
	case 3:
		return (uint32_t)&pte[below(8)][below(256)];
	case 4:
		return BOARD_RAM_BASE + below(BOARD_RAM_SIZE);
	case 5:
		return 0x10000000 + below(0x30000); /* devices of the PB-A8 */
	case 6:
		return 0xffff0000 + below(0x10000);
	default:
		return any();
	}
}
static uint32_t any_word(void)
{
	return below(3) == 0 ? any_address() : below(2) ? 1u << below(32) : below(2) ? below(256) : any();
}

/* All of its own memory where it is, so that it can go on; the rest as it comes. */
static void set_tables(void)
{
	uint32_t i;

	for (i = 0; i < 4096; i++)
		pgd[i] = 0;
	for (i = 0; i < MEGABYTES; i++)
		pgd[(GUEST_BASE >> 20) + i] = (GUEST_BASE & 0xfff00000) + (i << 20) + 0xc0e;
	for (i = 0; i < 8; i++)
		pgd[16 + below(0xbf0)] = (uint32_t)pte[i] | 1;
}
static void edit_table(void)
{
	uint32_t slot = below(4096), *entry = below(2) ? &pgd[slot] : &pte[below(8)][below(256)];
	const uint32_t first = GUEST_BASE >> 20;

	if (entry >= &pgd[first] && entry < &pgd[first + MEGABYTES] && below(32))
		return; /* seldom its own ground */
	*entry = below(2) ? (any_address() & 0xfffff000) | below(4096) : any();
	if (entry == &pgd[slot] && below(2))
		*entry = (uint32_t)pte[below(8)] | below(16) << 5 | 1;
}
static void touch(void)
{
	volatile uint32_t *at = (volatile uint32_t *)(any_address() & (below(4) ? ~3u : ~0u));

	if (below(2))
		(void)*at;
	else if ((uint32_t)at - GUEST_BASE >= MEGABYTES << 20 || below(64) == 0)
		*at = any_word();
}

/* One word of code between a load of registers and a return. */
static void any_instruction(void)
{
	/* CP15, VFP, status register, exception return and sleep: their bits changed, or the whole word */
	static const uint32_t privileged[] = {
		0xee010f10, 0xee020f10, 0xee030f10, 0xee080f17, 0xee070f15, 0xee070f5e, 0xee0d0f10, 0xee100f10, 0xee110f10,
		0xee090f1c, 0xee0f0f10, 0xec510f0e, 0xeee80a10, 0xeef80a10, 0xe129f000, 0xe10f0000, 0xf1080080, 0xf10c0080,
		0xf1020013, 0xe320f003, 0xe8fd8000, 0xf8bd0a00, 0xf96d0513, 0xe1600070, 0xe12fff20, 0xe1200070, 0xe7f000f0,
		0xef000000, 0xee0e0e10, 0xee1e0e10, 0xe6000010,
	};
	const uint32_t kinds = sizeof privileged / sizeof privileged[0];
	uint32_t word = privileged[below(kinds)], registers[13], i;

	switch (below(4)) {
	case 0:
		word ^= 1u << below(28);
		break;
	case 1: /* any coprocessor register */
		word = 0xee000010 | (any() & 0x00ffffff);
		break;
	case 2:
		word = any();
		break;
	default:
		break;
	}
	code[0] = word;
	for (i = 0; i < 13; i++)
		registers[i] = any_word();
	hypercall(RTMUX_CACHE_COHERENT, (uint32_t)code, (uint32_t)code + sizeof code, 0);
	chaos_run(code, registers);
}

static void any_hypercall(void)
{
	const uint32_t number = below(16) ? below(RTMUX_NR_CALLS + 4) : below(2) ? RTMUX_WATCHDOG + below(4) : any();

	/* It shall live a while. */
	if (number == RTMUX_POWER_OFF || number == RTMUX_RESTART || number == RTMUX_RESET_CPU || number == RTMUX_IDLE ||
	    number == RTMUX_HELLO || number == RTMUX_SET_VECTORS || number == RTMUX_WATCHDOG || number == RTMUX_PANIC)
		if (below(128))
			return;
	if (number == RTMUX_SWITCH_MM && below(128)) {
		hypercall(number, (uint32_t)pgd, below(260), 0);
		return;
	}
	hypercall(number, any_word(), any_word(), any_word());
}

static void scribble(void)
{
	SHARED[below(8) ? below(32) : below(1024)] = any_word();
	if (below(2))
		hypercall(RTMUX_IRQ_POLL, 0, 0, 0);
}

/* A return to anywhere: mostly user mode, where only an exception leads back */
static void any_return(void)
{
	const uint32_t cpsr = (any() & ~0x1fu) | (below(8) ? 0x10 : any() & 0x1f);

	SHARED[RTMUX_S_SP / 4] = any_word();
	SHARED[RTMUX_S_LR / 4] = any_word();
	SHARED[RTMUX_S_PC / 4] = below(2) ? (uint32_t)code : any_address();
	SHARED[RTMUX_S_CPSR / 4] = cpsr;
	code[0] = 0xe7f000f0; /* udf */
	chaos_iret();
}

void chaos(uint32_t seed, uint32_t cases)
{
	state = seed * 2654435761u | 1;
	*CHAOS_PROGRESS = 0;
	set_tables();
	chaos_vectors();
	hypercall(RTMUX_WATCHDOG, CHAOS_PATIENCE_MS, RTMUX_LIFE_MAGIC, 0);
	if (below(4)) {
		hypercall(RTMUX_SWITCH_MM, (uint32_t)pgd, 1, 0);
		chaos_mmu_on();
	}
	for (uint32_t i = 0; i < cases; i++) {
		*CHAOS_PROGRESS = i + 1;
		if (chaos_try() == 0) {
			switch (below(8)) {
			case 0:
			case 1:
				any_instruction();
				break;
			case 2:
			case 3:
				any_hypercall();
				break;
			case 4:
				edit_table();
				break;
			case 5:
				touch();
				break;
			case 6:
				scribble();
				break;
			default:
				any_return();
			}
		}
		hypercall(RTMUX_WATCHDOG, CHAOS_PATIENCE_MS, RTMUX_LIFE_MAGIC, 0);
	}
	hypercall(RTMUX_RESTART, 0, 0, 0);
	for (;;)
		;
}
