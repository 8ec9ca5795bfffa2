// SPDX-License-Identifier: GPL-2.0-only
/* torture NAME|all [iterations]: each subtest in a process of its own, bounded in time. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "torture.h"

#define LIMIT_SECONDS 600

static const struct subtest subtests[] = {
	{ "vm-random", vm_random, 2500 },
	{ "vm-cow-chain", vm_cow_chain, 20 },
	{ "many-processes", many_processes, 10 },
	{ "exec-storm", exec_storm, 40 },
	{ "pipe-storm", pipe_storm, 40 },
	{ "tls-threads", tls_threads, 300 },
	{ "vfp-switches", vfp_switches, 300 },
	{ "vfp-signals", vfp_signals, 500 },
	{ "jit", jit, 2000 },
	{ "it-block", it_block, 500 },
	{ "setend", setend, 500 },
	{ "unaligned", unaligned, 500 },
	{ "exclusive-counter", exclusive_counter, 3000 },
	{ "exclusive-cow", exclusive_cow, 300 },
	{ "signals-nested", signals_nested, 300 },
	{ "signals-queued", signals_queued, 500 },
	{ "itimer", itimer, 30 },
	{ "ptrace-breakpoints", ptrace_breakpoints, 200 },
	{ "ptrace-syscalls", ptrace_syscalls, 200 },
};
#define SUBTESTS (sizeof(subtests) / sizeof(subtests[0]))

static char *why; /* shared by all processes of a run */
static uint32_t random_state = 1;

noreturn void fail(const char *format, ...)
{
	va_list args;

	if (!why[0]) {
		va_start(args, format);
		vsnprintf(why, 512, format, args);
		va_end(args);
	}
	_exit(1);
}

void random_seed(uint32_t seed)
{
	random_state = seed ? seed : 1;
}

uint32_t random_below(uint32_t limit)
{
	random_state ^= random_state << 13; /* Marsaglia's xorshift32 */
	random_state ^= random_state >> 17;
	random_state ^= random_state << 5;
	return random_state % limit;
}

pid_t start(void (*body)(void *), void *arg)
{
	pid_t pid = fork();

	if (pid < 0)
		fail("fork: %m");
	if (pid == 0) {
		alarm(LIMIT_SECONDS); /* not inherited */
		body(arg);
		_exit(0);
	}
	return pid;
}

void finish(pid_t pid)
{
	int status;

	if (waitpid(pid, &status, 0) != pid)
		fail("waitpid: %m");
	if (WIFSIGNALED(status))
		fail("a child was killed by signal %d", WTERMSIG(status));
	if (status != 0)
		fail("a child ended with status %d", WEXITSTATUS(status));
}

void *pages(unsigned int count, int prot, int flags)
{
	void *at = mmap(NULL, count * 4096u, prot, flags | MAP_ANONYMOUS, -1, 0);

	if (at == MAP_FAILED)
		fail("mmap: %m");
	return at;
}

static sigjmp_buf faulted;
static struct access access_seen;

static void on_fault(int signo, siginfo_t *info, void *ucontext)
{
	(void)signo, (void)ucontext;
	access_seen.code = info->si_code;
	access_seen.addr = (uintptr_t)info->si_addr;
	siglongjmp(faulted, 1);
}

static void catch_faults(void)
{
	struct sigaction act = { .sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_NODEFER };

	sigaction(SIGSEGV, &act, NULL);
	access_seen = (struct access){ 0, 0, 0 };
}

/* The mask is not saved (SA_NODEFER): a system call per access less */
struct access try_read(const volatile uint32_t *at)
{
	catch_faults();
	if (sigsetjmp(faulted, 0) == 0)
		access_seen.value = *at;
	return access_seen;
}

struct access try_write(volatile uint32_t *at, uint32_t value)
{
	catch_faults();
	if (sigsetjmp(faulted, 0) == 0)
		*at = value;
	return access_seen;
}

static bool run(const struct subtest *test, unsigned int iterations)
{
	const char *seed = getenv("TORTURE_SEED");
	int status;
	pid_t pid;

	why[0] = 0;
	fflush(stdout);
	pid = fork();
	if (pid == 0) {
		setpgid(0, 0);
		random_seed(seed ? (uint32_t)strtoul(seed, NULL, 0) : 1);
		alarm(LIMIT_SECONDS);
		test->run(iterations ? iterations : test->iterations);
		_exit(0);
	}
	if (pid < 0 || waitpid(pid, &status, 0) != pid)
		snprintf(why, 512, "cannot fork or wait");
	else if (WIFSIGNALED(status) && !why[0])
		snprintf(why, 512, "killed by signal %d", WTERMSIG(status));
	else if (status != 0 && !why[0])
		snprintf(why, 512, "exit status %d", WEXITSTATUS(status));
	if (pid > 0)
		kill(-pid, SIGKILL); /* what it left behind */
	if (why[0])
		printf("FAIL %s %s\n", test->name, why);
	else
		printf("ok %s\n", test->name);
	return !why[0];
}

int main(int argc, char **argv)
{
	bool all = argc > 1 && strcmp(argv[1], "all") == 0, found = false, passed = true;
	unsigned int iterations = argc > 2 ? (unsigned int)strtoul(argv[2], NULL, 0) : 0;

	if (argc > 1 && strcmp(argv[1], EXEC_STORM_ARGUMENT) == 0)
		return exec_storm_child(argc, argv);

	why = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (why == MAP_FAILED)
		return 2;
	for (size_t i = 0; argc > 1 && i < SUBTESTS; i++) {
		if (!all && strcmp(argv[1], subtests[i].name) != 0)
			continue;
		found = true;
		passed = run(&subtests[i], iterations) && passed;
	}
	if (!found) {
		fprintf(stderr, "usage: torture NAME|all [iterations]   seed: TORTURE_SEED\nNAME:");
		for (size_t i = 0; i < SUBTESTS; i++)
			fprintf(stderr, " %s", subtests[i].name);
		fprintf(stderr, "\n");
		return 2;
	}
	return passed ? 0 : 1;
}
