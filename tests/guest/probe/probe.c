// SPDX-License-Identifier: GPL-2.0-only
/* The runner: re-executes itself without address randomisation and with an
 * empty environment, so that two runs on two kernels see the same addresses.
 */
#define _GNU_SOURCE
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/wait.h>
#include <ucontext.h>
#include <unistd.h>

#include "probe.h"

struct result {
	int signo, code;
	uintptr_t addr;
	unsigned long error, trap, pc, cpsr;
	long value;
	bool done;
};

static struct result *result;

void probe_report(const siginfo_t *info, const void *ucontext)
{
	const mcontext_t *m = &((const ucontext_t *)ucontext)->uc_mcontext;

	result->signo = info->si_signo;
	result->code = info->si_code;
	result->addr = (uintptr_t)info->si_addr;
	result->error = m->error_code;
	result->trap = m->trap_no;
	result->pc = m->arm_pc;
	/* The flags of compiled code say nothing: state bits only */
	result->cpsr = m->arm_cpsr & 0x0600fe3f;
	result->done = true;
	_exit(0);
}

static void on_signal(int signo, siginfo_t *info, void *ucontext)
{
	(void)signo;
	probe_report(info, ucontext);
}

static const char *place(char *buf, size_t size, uintptr_t addr, uintptr_t base)
{
	uintptr_t distance = addr - base;

	if (distance < 0x10000)
		snprintf(buf, size, "+0x%lx", (unsigned long)distance);
	else
		snprintf(buf, size, "0x%08lx", (unsigned long)addr);
	return buf;
}

static void child(probe_body body, const void *arg)
{
	static const int signals[] = { SIGSEGV, SIGBUS, SIGILL, SIGTRAP, SIGFPE, SIGSYS };
	static char stack[32768];
	stack_t alternate = { .ss_sp = stack, .ss_size = sizeof(stack) };
	struct sigaction act = { .sa_sigaction = on_signal, .sa_flags = SA_SIGINFO | SA_ONSTACK };

	sigaltstack(&alternate, NULL);
	for (size_t i = 0; i < sizeof(signals) / sizeof(signals[0]); i++)
		sigaction(signals[i], &act, NULL);
	alarm(20);
	result->value = body(arg);
	result->done = true;
	_exit(0);
}

void probe(const char *name, probe_body body, const void *arg, uintptr_t base)
{
	char addr[32], pc[32];
	int status;
	pid_t pid;

	memset(result, 0, sizeof(*result));
	fflush(stdout);
	pid = fork();
	if (pid == 0)
		child(body, arg);
	if (pid < 0 || waitpid(pid, &status, 0) != pid) {
		perror(name);
		exit(2);
	}
	if (WIFSIGNALED(status))
		printf("%s killed %d\n", name, WTERMSIG(status));
	else if (!result->done)
		printf("%s exited %d\n", name, WEXITSTATUS(status));
	else if (result->signo == 0)
		printf("%s 0 - 0x%lx - - - -\n", name, result->value);
	else
		printf("%s %d %d %s 0x%lx %lu %s 0x%lx\n", name, result->signo, result->code,
		       place(addr, sizeof(addr), result->addr, base), result->error, result->trap,
		       place(pc, sizeof(pc), result->pc, base), result->cpsr);
}

void code_init(void)
{
	void *page = mmap(CODE, 4096, PROT_READ | PROT_WRITE | PROT_EXEC,
			  MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);

	if (page != CODE) {
		perror("code page");
		exit(2);
	}
}

void code_words(const uint32_t *words, unsigned int count)
{
	memcpy(CODE, words, count * sizeof(*words));
	__builtin___clear_cache((char *)CODE, (char *)(CODE + count));
}

long code_call(long r0, int thumb)
{
	long (*code)(long) = (long (*)(long))((uintptr_t)CODE | (thumb ? 1 : 0));

	return code(r0);
}

int main(int argc, char **argv)
{
	if (argc < 2 || strcmp(argv[1], "--same-addresses") != 0) {
		char *args[] = { "probe", "--same-addresses", argc > 1 ? argv[1] : NULL, NULL };
		char *env[] = { NULL };

		personality(personality(0xffffffff) | ADDR_NO_RANDOMIZE);
		execve("/proc/self/exe", args, env);
		perror("/proc/self/exe");
		return 2;
	}

	result = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (result == MAP_FAILED) {
		perror("mmap");
		return 2;
	}
	code_init();
	probe_memory();
	probe_instructions();
	probe_state();
	probe_syscalls();
	printf("probe: end\n");
	return 0;
}
