// SPDX-License-Identifier: GPL-2.0-only
/* LDREX and STREX across switches and faults: nothing lost, nothing endless. */
#include <sched.h>
#include <sys/mman.h>

#include "torture.h"

static uint32_t load_exclusive(volatile uint32_t *at)
{
	uint32_t value;

	asm volatile("ldrex %0, [%1]" : "=r"(value) : "r"(at) : "memory");
	return value;
}

static bool store_exclusive(volatile uint32_t *at, uint32_t value)
{
	uint32_t failed;

	asm volatile("strex %0, %2, [%1]" : "=&r"(failed) : "r"(at), "r"(value) : "memory");
	return !failed;
}

struct counting {
	volatile uint32_t *counter;
	unsigned int rounds;
};

static void count(void *arg)
{
	struct counting *c = arg;

	for (unsigned int i = 0; i < c->rounds; i++) {
		uint32_t value;

		do {
			value = load_exclusive(c->counter);
			for (volatile unsigned int k = 0; k < value % 32; k++)
				; /* a window for the tick */
		} while (!store_exclusive(c->counter, value + 1));
		if (i % 16 == 0) {
			/* Another process changes the word in between: STREX must fail */
			value = load_exclusive(c->counter);
			sched_yield();
			if (store_exclusive(c->counter, value + 1))
				fail("STREX succeeded across sched_yield");
		}
	}
}

void exclusive_counter(unsigned int iterations)
{
	struct counting c = { pages(1, PROT_READ | PROT_WRITE, MAP_SHARED), iterations };
	pid_t pid[6];

	for (unsigned int i = 0; i < 6; i++)
		pid[i] = start(count, &c);
	for (unsigned int i = 0; i < 6; i++)
		finish(pid[i]);
	if (*c.counter != 6 * iterations)
		fail("counter is %u, expected %u", (unsigned int)*c.counter, 6 * iterations);
}

/* The first STREX to a page shared after fork faults; the loop must still end
 * after few rounds. The same for a page that is there only after LDREX.
 */
static void increment_bounded(volatile uint32_t *at)
{
	for (unsigned int tries = 1;; tries++) {
		uint32_t value = load_exclusive(at);

		if (store_exclusive(at, value + 1))
			return;
		if (tries == 100)
			fail("LDREX/STREX made no progress in %u rounds", tries);
	}
}

static void increment_all(void *arg)
{
	volatile uint32_t *page = arg;

	for (unsigned int i = 0; i < 8; i++) {
		uint32_t before = page[i * 1024];

		increment_bounded(page + i * 1024);
		CHECK(page[i * 1024] == before + 1);
	}
}

void exclusive_cow(unsigned int iterations)
{
	for (unsigned int i = 0; i < iterations; i++) {
		uint32_t *page = pages(8, PROT_READ | PROT_WRITE, MAP_PRIVATE);
		pid_t child;

		for (unsigned int k = 0; k < 8; k += 1 + i % 2)
			page[k * 1024] = k;
		child = start(increment_all, page);
		increment_all(page);
		finish(child);
		CHECK(munmap(page, 8 * 4096) == 0);
	}
}
