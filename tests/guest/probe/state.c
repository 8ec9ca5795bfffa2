// SPDX-License-Identifier: GPL-2.0-only
/* Processor state across exceptions: IT block, endianness, exclusive monitor,
 * thread registers, the kuser helpers, and forged signal frames.
 */
#define _GNU_SOURCE
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

#include "probe.h"

#define ARM __attribute__((target("arm"), noinline))
#define THUMB __attribute__((target("thumb"), noinline))

static void *page(int prot)
{
	return mmap(NULL, 4096, prot, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
}

/* Make the page that was faulted on accessible and try again. */
static volatile unsigned long fault_cpsr;

static void make_accessible(int signo, siginfo_t *info, void *ucontext)
{
	void *at = (void *)((uintptr_t)info->si_addr & ~0xfffu);

	(void)signo;
	fault_cpsr = ((ucontext_t *)ucontext)->uc_mcontext.arm_cpsr;
	if (mprotect(at, 4096, PROT_READ | PROT_WRITE) != 0)
		probe_report(info, ucontext);
}

static void on_segv(void (*handler)(int, siginfo_t *, void *))
{
	struct sigaction act = { .sa_sigaction = handler, .sa_flags = SA_SIGINFO | SA_ONSTACK };

	sigaction(SIGSEGV, &act, NULL);
	sigaction(SIGILL, &act, NULL);
}

/* The fault falls on the second of four conditional instructions; result:
 * the IT bits that the frame holds, and which of the four were executed.
 */
static THUMB long it_block(const void *arg)
{
	unsigned long a = 0, b = 0, c = 0, word, it;
	void *where = page(PROT_NONE);

	(void)arg;
	on_segv(make_accessible);
	asm volatile("cmp	%4, %4\n"
		     "itett	eq\n"
		     "moveq	%0, #1\n"
		     "movne	%1, #2\n"
		     "ldreq	%3, [%4]\n"
		     "moveq	%2, #4\n"
		     : "+r"(a), "+r"(b), "+r"(c), "=&r"(word)
		     : "r"(where)
		     : "cc", "memory");
	it = (fault_cpsr >> 25 & 3) | (fault_cpsr >> 8 & 0xfc);
	return (long)(it << 8 | a | b | c);
}

/* Conditional system calls: one that must not happen, one that must */
static THUMB long it_svc(const void *arg)
{
	register long r0 asm("r0") = 0;
	register long r7 asm("r7") = SYS_getppid;
	unsigned long a = 0, b = 0, early;

	(void)arg;
	asm volatile("cmp	%4, %4\n"
		     "ittee	ne\n"
		     "svcne	#0\n"
		     "addne	%1, #1\n"
		     "addeq	%1, #2\n"
		     "moveq	%3, r0\n"
		     "itt	eq\n"
		     "svceq	#0\n"
		     "addeq	%2, #4\n"
		     : "+r"(r0), "+r"(a), "+r"(b), "=&r"(early)
		     : "r"(r7)
		     : "cc", "memory");
	return (long)((r0 == getppid()) << 16 | (early == 0) << 8 | a | b);
}

/* SVC with E set: the kernel runs little-endian, the caller goes on in big. */
static ARM long setend_svc(const void *arg)
{
	register long r0 asm("r0") = 0;
	register long r7 asm("r7") = SYS_getppid;
	uint32_t word = 0x01020304, seen, cpsr;

	(void)arg;
	asm volatile("setend	be\n"
		     "svc	#0\n"
		     "mrs	%2, cpsr\n"
		     "ldr	%1, [%4]\n"
		     "setend	le\n"
		     : "+r"(r0), "=&r"(seen), "=&r"(cpsr)
		     : "r"(r7), "r"(&word), "m"(word)
		     : "memory");
	return (long)((cpsr >> 9 & 1) << 16 | (seen == 0x04030201) << 8 | (r0 == getppid()));
}

static ARM long setend_fault(const void *arg)
{
	uint32_t *where = page(PROT_NONE), seen, cpsr;

	(void)arg;
	on_segv(make_accessible);
	asm volatile("setend	be\n"
		     "str	%2, [%3]\n"
		     "mrs	%1, cpsr\n"
		     "setend	le\n"
		     "ldr	%0, [%3]\n"
		     : "=&r"(seen), "=&r"(cpsr)
		     : "r"(0x01020304), "r"(where)
		     : "memory");
	return (long)((fault_cpsr >> 9 & 1) << 2 | (cpsr >> 9 & 1) << 1 | (seen == 0x04030201));
}

/* The exclusive monitor: an exception in between must make STREX fail. */
static ARM long exclusive_svc(const void *arg)
{
	register long r0 asm("r0") = 0;
	register long r7 asm("r7") = SYS_getppid;
	uint32_t word = 1, old, failed;

	(void)arg;
	asm volatile("ldrex	%1, [%4]\n"
		     "svc	#0\n"
		     "strex	%2, %1, [%4]\n"
		     : "+r"(r0), "=&r"(old), "=&r"(failed)
		     : "r"(r7), "r"(&word)
		     : "memory");
	return (long)failed;
}

static ARM long exclusive_cow(const void *arg)
{
	uint32_t *word = page(PROT_READ | PROT_WRITE), old, failed, again;

	(void)arg;
	/* Reads the zero page; STREX faults, and must then fail once */
	asm volatile("ldrex	%0, [%3]\n"
		     "strex	%1, %3, [%3]\n"
		     "ldrex	%0, [%3]\n"
		     "strex	%2, %3, [%3]\n"
		     : "=&r"(old), "=&r"(failed), "=&r"(again)
		     : "r"(word)
		     : "memory");
	return (long)(failed << 1 | again);
}

static ARM long flags_svc(const void *arg)
{
	register long r0 asm("r0") = 0;
	register long r7 asm("r7") = SYS_getppid;
	unsigned long cpsr;

	(void)arg;
	asm volatile("msr	cpsr_fs, %2\n" /* N, C, Q, GE[3], GE[1] */
		     "svc	#0\n"
		     "mrs	%1, cpsr\n"
		     : "+r"(r0), "=&r"(cpsr)
		     : "r"(0xa80a0000), "r"(r7)
		     : "cc", "memory");
	return (long)(cpsr & 0xf80f01ffu);
}

static ARM long thread_registers(const void *arg)
{
	unsigned long old, uro, urw, kuser;

	(void)arg;
	asm volatile("mrc p15, 0, %0, c13, c0, 3" : "=r"(old));
	syscall(0x0f0005, 0x12345678); /* set_tls; no libc call may touch errno now */
	asm volatile("mcr p15, 0, %0, c13, c0, 2" : : "r"(0x5a5a1234));
	for (int i = 0; i < 100; i++) {
		register long r7 asm("r7") = SYS_sched_yield;
		register long r0 asm("r0") = 0;

		asm volatile("svc #0" : "+r"(r0) : "r"(r7) : "memory");
	}
	asm volatile("mrc p15, 0, %0, c13, c0, 3" : "=r"(uro));
	asm volatile("mrc p15, 0, %0, c13, c0, 2" : "=r"(urw));
	kuser = ((unsigned long (*)(void))0xffff0fe0)();
	syscall(0x0f0005, old);
	return (uro == 0x12345678) | (urw == 0x5a5a1234) << 1 | (kuser == uro) << 2;
}

static long kuser_cmpxchg(const void *arg)
{
	volatile int word = 7;
	volatile long long wide = 9;
	const long long old = 9, new = 0x100000002ll;
	int r = ((int (*)(int, int, volatile int *))0xffff0fc0)(7, 8, &word);

	(void)arg;
	r |= ((int (*)(int, int, volatile int *))0xffff0fc0)(7, 9, &word) ? 0 : 2;
	r |= ((int (*)(const long long *, const long long *, volatile long long *))0xffff0f60)(&old, &new, &wide);
	((void (*)(void))0xffff0fa0)();
	return (long)(r << 16 | word << 8) | (wide == new) | (*(volatile int *)0xffff0ffc << 4);
}

static long vectors_exec(const void *arg)
{
	((void (*)(void))(*(const uintptr_t *)arg))();
	return 0;
}

/* A frame whose CPSR asks for what user mode may not have */
static unsigned long forged_bits;

static void forge(int signo, siginfo_t *info, void *ucontext)
{
	mcontext_t *m = &((ucontext_t *)ucontext)->uc_mcontext;

	if (signo != SIGUSR1)
		probe_report(info, ucontext);
	m->arm_cpsr = (m->arm_cpsr & ~0x1dful) | forged_bits;
}

static ARM long forged_frame(const void *arg)
{
	struct sigaction act = { .sa_sigaction = forge, .sa_flags = SA_SIGINFO };
	unsigned long cpsr;

	forged_bits = *(const unsigned long *)arg;
	sigaction(SIGUSR1, &act, NULL);
	on_segv(forge);
	kill(getpid(), SIGUSR1);
	asm volatile("mrs %0, cpsr" : "=r"(cpsr));
	asm volatile("setend le");
	return (long)(cpsr & 0x3ff);
}

void probe_state(void)
{
	static const struct {
		const char *name;
		probe_body body;
	} list[] = {
		{ "it-block", it_block },	      { "it-svc", it_svc },
		{ "setend-svc", setend_svc },	      { "setend-fault", setend_fault },
		{ "exclusive-svc", exclusive_svc },   { "exclusive-cow", exclusive_cow },
		{ "flags-svc", flags_svc },	      { "thread-registers", thread_registers },
		{ "kuser-cmpxchg", kuser_cmpxchg },
	};
	static const uintptr_t entry[] = { 0xffff0000, 0xffff0004, 0xffff0008, 0xffff0010, 0xffff0018, 0xffff001c };
	static const unsigned long frame[] = { 0x10, 0x13, 0x1f, 0x12, 0x16, 0x11, 0x17, 0x1b, 0x1a, 0x00,
					       0x90, 0x50, 0x110, 0x1d0, 0xd3, 0x210 };
	char name[32];

	for (unsigned int i = 0; i < sizeof(list) / sizeof(list[0]); i++)
		probe(list[i].name, list[i].body, NULL, (uintptr_t)CODE);
	for (unsigned int i = 0; i < sizeof(entry) / sizeof(entry[0]); i++) {
		snprintf(name, sizeof(name), "vector-%02lx", (unsigned long)(entry[i] & 0xff));
		probe(name, vectors_exec, &entry[i], entry[i]);
	}
	for (unsigned int i = 0; i < sizeof(frame) / sizeof(frame[0]); i++) {
		snprintf(name, sizeof(name), "sigreturn-cpsr-%03lx", frame[i]);
		probe(name, forged_frame, &frame[i], (uintptr_t)CODE);
	}
}
