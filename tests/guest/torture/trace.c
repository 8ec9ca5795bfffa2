// SPDX-License-Identifier: GPL-2.0-only
/* ptrace: breakpoints written into another process's code, registers, system calls. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "torture.h"

enum { PC = 15, BREAKPOINT = 0xe7f001f0 };

/* Eight ARM instructions; the tracer stops at each */
extern char traced_code[];
asm("	.pushsection .text\n"
    "	.arm\n"
    "	.align	2\n"
    "	.global	traced_code\n"
    "	.type	traced_code, %function\n"
    "traced_code:\n"
    "	mov	r1, #1\n"
    "	add	r1, r1, r0\n"
    "	add	r1, r1, r1\n"
    "	sub	r1, r1, #3\n"
    "	eor	r1, r1, r0\n"
    "	add	r1, r1, #7\n"
    "	mov	r0, r1\n"
    "	bx	lr\n"
    "	.popsection\n");

static uint32_t expected_of(uint32_t x)
{
	return (((1 + x) * 2 - 3) ^ x) + 7;
}

static void stop_at(pid_t pid, int signo)
{
	int status;

	CHECK(waitpid(pid, &status, 0) == pid);
	if (!WIFSTOPPED(status) || WSTOPSIG(status) != signo)
		fail("the traced process has status %x, expected signal %d", (unsigned int)status, signo);
}

static void traced(void *arg)
{
	unsigned int rounds = *(unsigned int *)arg;

	CHECK(ptrace(PTRACE_TRACEME, 0, 0, 0) == 0);
	raise(SIGSTOP);
	for (unsigned int i = 0; i < rounds; i++)
		CHECK(((uint32_t (*)(uint32_t))traced_code)(i) == expected_of(i));
}

static void put(pid_t pid, uintptr_t at, uint32_t word)
{
	CHECK(ptrace(PTRACE_POKETEXT, pid, at, word) == 0);
}

void ptrace_breakpoints(unsigned int iterations)
{
	uintptr_t code = (uintptr_t)traced_code;
	unsigned long regs[18];
	pid_t pid = start(traced, &iterations);

	stop_at(pid, SIGSTOP);
	errno = 0;
	CHECK(ptrace(PTRACE_SINGLESTEP, pid, 0, 0) == -1 && errno == EIO); /* ARM has none */
	for (unsigned int round = 0; round < iterations; round++) {
		for (unsigned int i = 0; i < 8; i++) {
			uintptr_t at = code + 4 * i;
			uint32_t word = (uint32_t)ptrace(PTRACE_PEEKTEXT, pid, at, 0);

			CHECK(word == *(uint32_t *)at);
			put(pid, at, BREAKPOINT);
			CHECK(ptrace(PTRACE_CONT, pid, 0, 0) == 0);
			stop_at(pid, SIGTRAP);
			CHECK(ptrace(PTRACE_GETREGS, pid, 0, regs) == 0);
			if (regs[PC] != at)
				fail("stopped at %lx, breakpoint is at %lx", regs[PC], (unsigned long)at);
			if (i == 1)
				CHECK(regs[1] == 1 && regs[0] == round);
			put(pid, at, word);
		}
		/* Change a register: the result and then the change back */
		regs[0] ^= 0xff;
		CHECK(ptrace(PTRACE_SETREGS, pid, 0, regs) == 0);
		CHECK(ptrace(PTRACE_GETREGS, pid, 0, regs) == 0);
		CHECK(regs[0] == (expected_of(round) ^ 0xff));
		regs[0] ^= 0xff;
		CHECK(ptrace(PTRACE_SETREGS, pid, 0, regs) == 0);
	}
	CHECK(ptrace(PTRACE_CONT, pid, 0, 0) == 0);
	finish(pid);
}

static void caller(void *arg)
{
	unsigned int rounds = *(unsigned int *)arg;

	CHECK(ptrace(PTRACE_TRACEME, 0, 0, 0) == 0);
	raise(SIGSTOP);
	for (unsigned int i = 0; i < rounds; i++)
		CHECK(syscall(SYS_getppid) == 4711); /* what the tracer puts there */
}

void ptrace_syscalls(unsigned int iterations)
{
	unsigned int seen = 0;
	unsigned long regs[18];
	pid_t pid = start(caller, &iterations);
	int status;

	stop_at(pid, SIGSTOP);
	CHECK(ptrace(PTRACE_SETOPTIONS, pid, 0, PTRACE_O_TRACESYSGOOD) == 0);
	for (;;) {
		CHECK(ptrace(PTRACE_SYSCALL, pid, 0, 0) == 0);
		CHECK(waitpid(pid, &status, 0) == pid);
		if (WIFEXITED(status))
			break;
		CHECK(WIFSTOPPED(status) && WSTOPSIG(status) == (SIGTRAP | 0x80));
		CHECK(ptrace(PTRACE_GETREGS, pid, 0, regs) == 0);
		if (regs[7] != SYS_getppid || regs[12] != 1)
			continue; /* ip: 0 at entry, 1 at exit */
		regs[0] = 4711;
		CHECK(ptrace(PTRACE_SETREGS, pid, 0, regs) == 0);
		seen++;
	}
	CHECK(WEXITSTATUS(status) == 0);
	CHECK(seen == iterations);
}
