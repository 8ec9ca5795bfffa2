/* SPDX-License-Identifier: BSD-3-Clause */
/* Records of the channel "life", between rtos/apps/guestlife and tests/payload. */
#ifndef PAYLOAD_ORDER_H
#define PAYLOAD_ORDER_H

/*
 * A record's type. DIE: the payload's first word is an enum death. CHAOS: a seed, and how many cases (chaos.c).
 * PROGRESS: answered with how many the life before came to.
 */
enum { ORDER_ECHO = 1, ORDER_DIE = 2, ORDER_CHAOS = 3, ORDER_PROGRESS = 4 };

enum death {
	DEATH_PANIC,
	DEATH_REBOOT,
	DEATH_WATCHDOG,       /* spins, with a watchdog of 1 ms */
	DEATH_PGD,            /* a page directory outside its memory */
	DEATH_POWEROFF,
	DEATH_UNDEFINED_LOOP, /* its handler of undefined instructions is one */
	DEATH_ABORT_LOOP,     /* its handler of data aborts makes one */
	DEATH_CROSSED_LOOP,   /* each of two handlers faults into the other, after it has saved registers */
	DEATH_IDLE,           /* waits for an interrupt that never comes, watched */
	DEATHS,
	DEATH_NONE = DEATHS   /* lives on: somebody else ends it */
};

#endif
