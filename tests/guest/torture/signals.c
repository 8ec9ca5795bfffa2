// SPDX-License-Identifier: GPL-2.0-only
/* Signals: nested, on their own stack, queued, from timers; registers kept. */
#define _GNU_SOURCE
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <unistd.h>

#include "torture.h"

enum { DEPTH = 20, STACK = 256 * 1024 };

static char *stack;
static volatile unsigned int depth, deepest, bad;

static void nest(int signo, siginfo_t *info, void *ucontext)
{
	char here;

	(void)ucontext;
	if (&here < stack || &here >= stack + STACK || ((uintptr_t)__builtin_frame_address(0) & 3))
		bad |= 1;
	if (info->si_value.sival_int != (int)depth)
		bad |= 2;
	depth++;
	if (depth > deepest)
		deepest = depth;
	if (depth < DEPTH)
		sigqueue(getpid(), signo, (union sigval){ .sival_int = (int)depth });
}

/* r4 to r11 hold a pattern while the signal is sent; 0 if they keep it */
static __attribute__((target("arm"), noinline)) uint32_t registers_around_kill(int signo)
{
	uint32_t changed;
	register long r0 asm("r0") = getpid();
	register long r1 asm("r1") = signo;

	asm volatile("push	{r4-r11}\n"
		     "mov	r4, #0x41\n mov	r5, #0x52\n mov	r6, #0x63\n mov	r8, #0x85\n"
		     "mov	r9, #0x96\n mov	r10, #0xa7\n mov	r11, #0xb8\n"
		     "mov	r7, #37\n" /* kill */
		     "svc	#0\n"
		     "eor	r4, #0x41\n eor	r5, #0x52\n eor	r6, #0x63\n eor	r7, #37\n eor	r8, #0x85\n"
		     "eor	r9, #0x96\n eor	r10, #0xa7\n eor	r11, #0xb8\n"
		     "orr	r4, r5\n orr	r4, r6\n orr	r4, r7\n orr	r4, r8\n orr	r4, r9\n"
		     "orr	r4, r10\n orr	r4, r11\n"
		     "orr	r0, r4, r0\n"
		     "pop	{r4-r11}\n"
		     : "+r"(r0)
		     : "r"(r1)
		     : "memory", "cc");
	changed = (uint32_t)r0;
	return changed;
}

static volatile sig_atomic_t usr2;

static void on_usr2(int signo)
{
	(void)signo;
	usr2++;
}

void signals_nested(unsigned int iterations)
{
	stack_t alternate = { .ss_sp = stack = pages(STACK / 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE),
			      .ss_size = STACK };
	struct sigaction act = { .sa_sigaction = nest, .sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER };
	struct sigaction usr2_act = { .sa_handler = on_usr2 };

	CHECK(sigaltstack(&alternate, NULL) == 0);
	CHECK(sigaction(SIGRTMIN, &act, NULL) == 0 && sigaction(SIGUSR2, &usr2_act, NULL) == 0);
	for (unsigned int i = 0; i < iterations; i++) {
		depth = 0;
		CHECK(sigqueue(getpid(), SIGRTMIN, (union sigval){ .sival_int = 0 }) == 0);
		CHECK(depth == DEPTH && deepest == DEPTH && bad == 0);
		CHECK(registers_around_kill(SIGUSR2) == 0);
		CHECK((unsigned int)usr2 == i + 1);
	}
}

/* Two processes throw a counter at each other with sigqueue */
static void throw_back(void *arg)
{
	unsigned int rounds = *(unsigned int *)arg;
	siginfo_t info;
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	for (unsigned int i = 0; i < rounds; i++) {
		CHECK(sigwaitinfo(&set, &info) == SIGRTMIN);
		CHECK(info.si_value.sival_int == (int)(2 * i));
		CHECK(sigqueue(getppid(), SIGRTMIN, (union sigval){ .sival_int = (int)(2 * i + 1) }) == 0);
	}
}

void signals_queued(unsigned int iterations)
{
	siginfo_t info;
	sigset_t set;
	pid_t child;

	sigemptyset(&set);
	sigaddset(&set, SIGRTMIN);
	CHECK(sigprocmask(SIG_BLOCK, &set, NULL) == 0);
	child = start(throw_back, &iterations);
	for (unsigned int i = 0; i < iterations; i++) {
		CHECK(sigqueue(child, SIGRTMIN, (union sigval){ .sival_int = (int)(2 * i) }) == 0);
		CHECK(sigwaitinfo(&set, &info) == SIGRTMIN);
		CHECK(info.si_value.sival_int == (int)(2 * i + 1) && info.si_pid == child);
	}
	finish(child);
}

static volatile sig_atomic_t ticks;

static void on_tick(int signo)
{
	(void)signo;
	ticks++;
}

/* A computation that a timer interrupts must come out as without it */
static uint32_t compute(uint32_t seed, double *real)
{
	uint32_t a = seed, b = 1, c = 2, d = 3;
	double x = seed % 1000 + 1;

	for (unsigned int i = 0; i < 20000; i++) {
		a = a * 1664525 + 1013904223;
		b ^= a >> 7;
		c += b * 3;
		d = (d << 5 | d >> 27) ^ c;
		x = x * 1.0000001 + 0.5;
	}
	*real = x;
	return a ^ b ^ c ^ d;
}

void itimer(unsigned int iterations)
{
	static const int which[] = { ITIMER_REAL, ITIMER_VIRTUAL, ITIMER_PROF };
	static const int signo[] = { SIGALRM, SIGVTALRM, SIGPROF };
	struct sigaction act = { .sa_handler = on_tick };

	for (unsigned int k = 0; k < 3; k++) {
		struct itimerval every = { { 0, 10000 }, { 0, 10000 } }, never = { { 0, 0 }, { 0, 0 } };
		double x, y;
		uint32_t expected = compute(k, &x);

		ticks = 0;
		CHECK(sigaction(signo[k], &act, NULL) == 0);
		CHECK(setitimer(which[k], &every, NULL) == 0);
		for (unsigned int n = 0; (unsigned int)ticks < iterations; n++) {
			CHECK(compute(k, &y) == expected);
			CHECK(memcmp(&x, &y, sizeof(x)) == 0);
			if (n > iterations * 10000)
				fail("timer %d gave %d signals only", which[k], (int)ticks);
		}
		CHECK(setitimer(which[k], &never, NULL) == 0);
	}
}
