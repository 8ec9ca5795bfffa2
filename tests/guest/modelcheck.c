// SPDX-License-Identifier: GPL-2.0-only
/* What lmbench measures, in small, for the cost model of tests/bench/plugin: it takes the time between "dbg #15" and "dbg #N",
 * which do nothing. Prints "NAME N OPERATIONS" for each.
 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#define BEGIN() asm volatile("dbg #15" : : : "memory")
#define END(n, name, operations) do {				\
	asm volatile("dbg #" #n : : : "memory");		\
	printf(name " " #n " %u\n", (unsigned)(operations));	\
} while (0)

/* lat_mem_rd: a ring of pointers that goes backward through a buffer, 128 bytes a step, twice, the second time counts */
static void *ring(size_t bytes)
{
	char *buffer = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	size_t steps = bytes / 128;

	if (buffer == MAP_FAILED)
		exit(1);
	for (size_t i = 0; i < steps; i++)
		*(char **)(buffer + i * 128) = buffer + (i ? i - 1 : steps - 1) * 128;
	return buffer;
}

static void *chase(void *at, size_t loads)
{
	for (size_t i = 0; i < loads; i += 8)
		asm volatile("ldr	%0, [%0]\n	ldr	%0, [%0]\n	ldr	%0, [%0]\n	ldr	%0, [%0]\n"
			     "	ldr	%0, [%0]\n	ldr	%0, [%0]\n	ldr	%0, [%0]\n	ldr	%0, [%0]" : "+r" (at));
	return at;
}

#define MEMORY(n, name, bytes) do {				\
	void *at = chase(ring(bytes), (bytes) / 128);		\
	BEGIN();						\
	chase(at, 8192);					\
	END(n, name, 8192);					\
} while (0)

static volatile sig_atomic_t caught;
static void handler(int number)
{
	caught += number != 0;
}

static void signals(unsigned n)
{
	struct sigaction action = { .sa_handler = handler };

	sigaction(SIGUSR1, &action, NULL);
	for (unsigned i = 0; i < n; i++)
		kill(getpid(), SIGUSR1);
}

static void round_trips(int there, int back, unsigned n)
{
	char c = 0;

	for (unsigned i = 0; i < n; i++)
		if (write(there, &c, 1) != 1 || read(back, &c, 1) != 1)
			exit(1);
}

static void pipes(void)
{
	int there[2], back[2];
	pid_t child;

	if (pipe(there) || pipe(back) || (child = fork()) < 0)
		exit(1);
	if (child == 0) {
		char c;

		while (read(there[0], &c, 1) == 1 && c == 0)
			if (write(back[1], &c, 1) != 1)
				_exit(1);
		_exit(0);
	}
	round_trips(there[1], back[0], 50);
	BEGIN();
	round_trips(there[1], back[0], 500);
	END(6, "pipe", 500);
	if (write(there[1], "x", 1) != 1)
		exit(1);
	waitpid(child, NULL, 0);
}

static void null_calls(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		syscall(SYS_getppid);
}

int main(void)
{
	MEMORY(0, "mem16k", 16 * 1024);
	MEMORY(1, "mem62k", 62 * 1024);
	MEMORY(2, "mem125k", 125 * 1024);
	MEMORY(3, "mem1000k", 1000 * 1024);
	null_calls(100);
	BEGIN();
	null_calls(5000);
	END(4, "null", 5000);
	signals(50);
	BEGIN();
	signals(500);
	END(5, "signal", 500);
	pipes();
	return caught == 550 ? 0 : 1;
}
