// SPDX-License-Identifier: GPL-2.0-only
/* userattack NAME [STEP]: a process attacks its own kernel, and the executive
 * behind it; address by address in steps of so many pages. "ok NAME" and status
 * 0: held. Each has its line in tests/attack/attacks.py.
 */
#define _GNU_SOURCE
#include <linux/futex.h>
#include <setjmp.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <ucontext.h>
#include <unistd.h>

#include <rtmux/abi/guest.h>

#define PAGE 4096u
#define VECTORS 0xffff0000u
/* Linux's TASK_SIZE: what is above is the kernel's */
#define KERNEL_HALF 0xbf000000u

static uintptr_t step = 64;
static sigjmp_buf escape;
static volatile uintptr_t fault_address;
static volatile int fault_signal;

static void on_fault(int signal, siginfo_t *info, void *context)
{
	(void)context;
	fault_signal = signal;
	fault_address = (uintptr_t)info->si_addr;
	siglongjmp(escape, 1);
}

static void catch_faults(void)
{
	struct sigaction action = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER };
	static const int signals[] = { SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGTRAP };

	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaction(signals[i], &action, NULL);
}

/* The signal that run(argument) ends with, or 0 */
static int caught(void (*run)(uint32_t), uint32_t argument)
{
	fault_signal = 0;
	if (sigsetjmp(escape, 1) == 0)
		run(argument);
	return fault_signal;
}

static void do_read(uint32_t at)
{
	(void)*(volatile uint32_t *)at;
}

static void do_write(uint32_t at)
{
	*(volatile uint32_t *)at = 0;
}

static void do_execute(uint32_t at)
{
	((void (*)(void))at)();
}

static int access_faults(uintptr_t at, int way)
{
	static void (*const ways[])(uint32_t) = { do_read, do_write, do_execute };

	return caught(ways[way], at);
}

static int closed(uintptr_t from, uintptr_t to, uintptr_t step)
{
	for (uintptr_t at = from; at >= from && at < to; at += step) {
		for (int way = 0; way < 3; way++) {
			if (access_faults(at, way) != SIGSEGV || (way < 2 && fault_address != at)) {
				printf("%#lx: access %d ends with signal %d at %#lx\n", (unsigned long)at, way,
				       fault_signal, (unsigned long)fault_address);
				return 1;
			}
		}
	}
	return 0;
}

static int attack_window(void)
{
	return closed(RTMUX_WINDOW, RTMUX_WINDOW_END, PAGE);
}

/* All but the page of the vectors, which processes may read and execute, not write */
static int attack_kernel_half(void)
{
	return closed(KERNEL_HALF, RTMUX_WINDOW, step * PAGE) || closed(RTMUX_WINDOW_END, VECTORS, step * PAGE) ||
	       closed(VECTORS + 2 * PAGE, 0xfffff000, PAGE) || access_faults(VECTORS, 1) != SIGSEGV;
}

/* System calls that read or write where they are told to */
static int attack_pointers(void)
{
	int fd[2];
	char byte;

	if (pipe(fd) != 0 || write(fd[1], "x", 1) != 1)
		return 1;
	for (uintptr_t at = KERNEL_HALF; at >= KERNEL_HALF && at < VECTORS; at += at >= RTMUX_WINDOW && at < RTMUX_WINDOW_END ? PAGE : 64 * PAGE) {
		void *p = (void *)at;
		const long results[] = {
			syscall(SYS_read, fd[0], p, 1),
			syscall(SYS_write, fd[1], p, 1),
			syscall(SYS_rt_sigprocmask, SIG_BLOCK, NULL, p, 8),
			syscall(SYS_rt_sigaction, SIGUSR1, p, NULL, 8),
			syscall(SYS_clock_gettime, CLOCK_MONOTONIC, p),
			syscall(SYS_nanosleep, p, NULL),
			syscall(SYS_futex, p, FUTEX_WAKE, 1, NULL, NULL, 0),
			syscall(SYS_open, p, 0),
			syscall(SYS_getcwd, p, 64),
			syscall(SYS_uname, p),
			syscall(SYS_mincore, p, PAGE, &byte),
		};

		for (size_t i = 0; i < sizeof(results) / sizeof(results[0]); i++) {
			if (results[i] >= 0) {
				printf("system call %zu works on %#lx\n", i, (unsigned long)at);
				return 1;
			}
		}
	}
	return read(fd[0], &byte, 1) == 1 && byte == 'x' ? 0 : 1;
}

static long svc(long nr, unsigned long ip, long a0, long a1, long a2, long a3)
{
	register long r0 asm("r0") = a0;
	register long r1 asm("r1") = a1;
	register long r2 asm("r2") = a2;
	register long r3 asm("r3") = a3;
	register long r7 asm("r7") = nr;
	register unsigned long r12 asm("ip") = ip;

	asm volatile("svc #0" : "+r"(r0) : "r"(r1), "r"(r2), "r"(r3), "r"(r7), "r"(r12) : "memory", "lr");
	return r0;
}

/* Numbers of hypercalls where they would be: each is the system call it looks like, RESTART and POWER_OFF too */
static int attack_hypercalls(void)
{
	long parent = getppid();

	for (unsigned long nr = 0; nr < 2000; nr++)
		for (long a = -1; a <= 1; a++)
			if (svc(SYS_getppid, nr, a, a, a, a) != parent)
				return 1;
	for (unsigned long bit = 1; bit; bit <<= 1)
		if (svc(SYS_getppid, bit, 0, 0, 0, 0) != parent || svc(SYS_getppid, ~bit, 0, 0, 0, 0) != parent)
			return 1;
	return 0;
}

static uint32_t wanted_cpsr, wanted_pc;

static void forge(int signal, siginfo_t *info, void *context)
{
	ucontext_t *uc = context;

	(void)signal;
	(void)info;
	uc->uc_mcontext.arm_cpsr = wanted_cpsr;
	if (wanted_pc)
		uc->uc_mcontext.arm_pc = wanted_pc;
}

static uint32_t real_cpsr(void)
{
	uint32_t cpsr;

	asm volatile("mrs %0, cpsr" : "=r"(cpsr));
	return cpsr;
}

static void do_raise(uint32_t cpsr)
{
	wanted_cpsr = cpsr;
	raise(SIGUSR1);
}

/* Returns from signals with forged frames: every mode, masks, Jazelle; and into the kernel and the window */
static int attack_sigreturn(void)
{
	struct sigaction action = { .sa_sigaction = forge, .sa_flags = SA_SIGINFO };
	static const uint32_t bits[] = { 0, 0x40, 0x80, 0x100, 0x1c0, 0x01000000, 0x010001c0 };
	static const uint32_t places[] = { 0xc0008000, RTMUX_WINDOW, RTMUX_SHARED, 0xff7ffffc, 0xfffffffc };

	sigaction(SIGUSR1, &action, NULL);
	for (uint32_t mode = 0; mode < 32; mode++) {
		for (size_t i = 0; i < sizeof(bits) / sizeof(bits[0]); i++) {
			wanted_pc = 0;
			caught(do_raise, mode | bits[i]);
			if ((real_cpsr() & 0x010001df) != 0x10) {
				printf("cpsr %#x after asking for %#x\n", real_cpsr(), wanted_cpsr);
				return 1;
			}
		}
	}
	for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
		wanted_pc = places[i];
		if (caught(do_raise, 0x10) != SIGSEGV)
			return 1;
	}
	return 0;
}

static void do_arithmetic(uint32_t fpscr)
{
	asm volatile("vmsr fpscr, %0\n\t"
		     "vmov.f64 d1, #1.0\n\t"
		     "vsub.f64 d2, d1, d1\n\t"
		     "vdiv.f64 d3, d1, d2\n\t"
		     "vsqrt.f64 d4, d3\n\t"
		     "vcvt.s32.f64 s1, d3" : : "r"(fpscr) : "d1", "d2", "d3", "d4", "s1");
}

/* FPSCR with all its bits: rounding, vectors, traps, and arithmetic under it */
static int attack_fpscr(void)
{
	uint32_t random = 1;

	for (int i = 0; i < 20000; i++) {
		random = random * 1664525 + 1013904223;
		caught(do_arithmetic, random);
		if (i % 100 == 0)
			sched_yield();
	}
	asm volatile("vmsr fpscr, %0" : : "r"(0));
	return 0;
}

static void do_undefined(uint32_t unused)
{
	(void)unused;
	asm volatile("udf #0");
}

/* System calls, faults, undefined instructions and mappings, as fast as they come */
static int attack_storm(void)
{
	for (int i = 0; i < 30000; i++)
		syscall(SYS_getppid);
	for (int i = 0; i < 3000; i++) {
		if (access_faults(RTMUX_WINDOW + (i & 0xfff) * PAGE, i % 3) != SIGSEGV)
			return 1;
		if (caught(do_undefined, 0) != SIGILL)
			return 1;
	}
	for (int i = 0; i < 1000; i++) {
		char *p = mmap(NULL, 16 * PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

		if (p == MAP_FAILED)
			return 1;
		for (int page = 0; page < 16; page++)
			p[page * PAGE] = 1;
		mprotect(p, 8 * PAGE, PROT_READ);
		munmap(p, 16 * PAGE);
	}
	return 0;
}

static void do_call(uint32_t code)
{
	asm volatile("mov r0, #0\n\tblx %0" : : "r"(code) : "r0", "lr", "memory");
}

/* Instructions of CP14 and CP15, a random sample of all: nothing but SIGILL, or what the architecture gives user mode */
static int attack_coprocessor(void)
{
	uint32_t *code = mmap(NULL, PAGE, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	uint32_t random = 7, executed = 0;

	if (code == MAP_FAILED)
		return 1;
	for (int i = 0; i < 20000; i++) {
		uint32_t instruction;

		random ^= random << 13;
		random ^= random >> 17;
		random ^= random << 5;
		/* conditional or not; CDP, MCR, MRC with r0; CP14 or CP15 */
		instruction = (random & 0x00ff00ff) | 0xee000e00 | (random >> 8 & 0x100);
		if (random >> 30 == 0)
			instruction |= 0xf0000000;
		code[0] = instruction;
		code[1] = 0xe12fff1e; /* bx lr */
		__builtin___clear_cache((char *)code, (char *)(code + 2));
		if (caught(do_call, (uintptr_t)code) == 0) {
			executed++;
		} else if (fault_signal != SIGILL) {
			printf("%08x ends with signal %d\n", instruction, fault_signal);
			return 1;
		}
	}
	printf("%u executed\n", executed);
	return executed < 100 ? 0 : 1;
}

static const struct {
	const char *name;
	int (*run)(void);
} attacks[] = {
	{ "window", attack_window },	   { "kernel-half", attack_kernel_half }, { "pointers", attack_pointers },
	{ "hypercalls", attack_hypercalls }, { "sigreturn", attack_sigreturn },	  { "fpscr", attack_fpscr },
	{ "storm", attack_storm },	   { "coprocessor", attack_coprocessor },
};

int main(int argc, char **argv)
{
	if (argc == 3)
		step = strtoul(argv[2], NULL, 0);
	for (size_t i = 0; argc >= 2 && argc <= 3 && step && i < sizeof(attacks) / sizeof(attacks[0]); i++) {
		if (strcmp(attacks[i].name, argv[1]) != 0)
			continue;
		catch_faults();
		if (attacks[i].run() != 0) {
			printf("BREACH %s\n", argv[1]);
			return 1;
		}
		printf("ok %s\n", argv[1]);
		return 0;
	}
	fprintf(stderr, "usage: userattack NAME [STEP], of");
	for (size_t i = 0; i < sizeof(attacks) / sizeof(attacks[0]); i++)
		fprintf(stderr, " %s", attacks[i].name);
	fprintf(stderr, "\n");
	return 2;
}
