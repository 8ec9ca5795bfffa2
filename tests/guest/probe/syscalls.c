// SPDX-License-Identifier: GPL-2.0-only
/* A system call must never be taken for a hypercall, whatever is in ip, and
 * must keep every register but r0.
 */
#include <errno.h>
#include <stdio.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "probe.h"

struct call {
	uint32_t ip, nr, immediate, thumb;
};

/* Result: a bit per register kept (11 is ip), and the low half of r0 */
static long call(const void *arg)
{
	const struct call *c = arg;
	uint32_t regs[12], after[12];
	uint32_t code[] = {
		0xe92d4ff0,			 /* push {r4-r11, lr} */
		0xe1a0b001,			 /* mov r11, r1 */
		0xe1a0e000,			 /* mov lr, r0 */
		0xe89e17ff,			 /* ldm lr, {r0-r10, ip} */
		0xef000000 | (c->immediate & 0xffffff), /* svc */
		0xe88b17ff,			 /* stm r11, {r0-r10, ip} */
		0xe8bd8ff0,			 /* pop {r4-r11, pc} */
	};
	long kept = 0;

	for (unsigned int i = 0; i < 12; i++)
		regs[i] = 0x10000001 * i;
	regs[0] = c->nr == SYS_write ? 0xffffffff : 0;
	regs[7] = c->nr;
	regs[11] = c->ip; /* the twelfth of the ldm */
	code_words(code, sizeof(code) / sizeof(code[0]));
	((void (*)(uint32_t *, uint32_t *))CODE)(regs, after);
	for (unsigned int i = 1; i < 12; i++)
		kept |= (long)(after[i] == regs[i]) << i;
	if (c->nr == SYS_getppid)
		return kept << 16 | (after[0] == (uint32_t)getppid());
	return kept << 16 | (after[0] & 0xffff);
}

static long set_registers(const void *arg)
{
	unsigned long regs[18];
	int status;
	pid_t pid = fork();
	long r;

	if (pid == 0) {
		ptrace(PTRACE_TRACEME, 0, 0, 0);
		kill(getpid(), SIGSTOP);
		_exit(0);
	}
	waitpid(pid, &status, 0);
	ptrace(PTRACE_GETREGS, pid, 0, regs);
	regs[16] = (regs[16] & ~0x1dful) | *(const unsigned long *)arg;
	r = ptrace(PTRACE_SETREGS, pid, 0, regs) ? errno : 0;
	ptrace(PTRACE_GETREGS, pid, 0, regs);
	kill(pid, SIGKILL);
	waitpid(pid, &status, 0);
	return r << 16 | (long)(regs[16] & 0x1df);
}

void probe_syscalls(void)
{
	static const uint32_t nr[] = { SYS_getppid, SYS_write, 0xffff };
	static const char *const kind[] = { "getppid", "write", "nosys" };
	static const uint32_t immediate[] = { 0, 1, 0x900000, 0x9f0002, 0xffffff };
	static const unsigned long cpsr[] = { 0x10, 0x13, 0x1f, 0x90, 0x1d0, 0x00, 0x16, 0x1a };
	char name[40];

	for (unsigned int n = 0; n < 3; n++)
		for (uint32_t ip = 0; ip <= 40; ip++) {
			struct call c = { .ip = ip, .nr = nr[n] };

			snprintf(name, sizeof(name), "svc-%s-ip-%u", kind[n], (unsigned int)ip);
			probe(name, call, &c, (uintptr_t)CODE);
		}
	for (unsigned int i = 0; i < sizeof(immediate) / sizeof(immediate[0]); i++) {
		struct call c = { .ip = 5, .nr = SYS_getppid, .immediate = immediate[i] };

		snprintf(name, sizeof(name), "svc-immediate-%06x", (unsigned int)immediate[i]);
		probe(name, call, &c, (uintptr_t)CODE);
	}
	for (unsigned int i = 0; i < sizeof(cpsr) / sizeof(cpsr[0]); i++) {
		snprintf(name, sizeof(name), "ptrace-cpsr-%03lx", cpsr[i]);
		probe(name, set_registers, &cpsr[i], (uintptr_t)CODE);
	}
}
