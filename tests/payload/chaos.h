/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef PAYLOAD_CHAOS_H
#define PAYLOAD_CHAOS_H

#include <board.h>
#include <stdint.h>

/* Where a life leaves how many cases it came to: below the kernel, where no boot writes. */
#define CHAOS_PROGRESS ((volatile uint32_t *)(BOARD_RAM_BASE + BOARD_RTMUX_SIZE + 0x1000))
#define CHAOS_PATIENCE_MS 20 /* of its watchdog: what hangs ends then */

long hypercall(unsigned long number, unsigned long a, unsigned long b, unsigned long c);

/* So many cases from a seed; ends by a restart, if nothing else ends it. */
void chaos(uint32_t seed, uint32_t cases);

/* chaos-entry.S */
void chaos_vectors(void);  /* every exception leads to the last chaos_try(), which then returns 1 */
int chaos_try(void);       /* 0, like setjmp(): its caller's frame has to stay */
void chaos_run(const uint32_t *code, const uint32_t *registers); /* r0-r12 from there, one instruction, back */
void chaos_iret(void);
void chaos_mmu_on(void);

#endif
