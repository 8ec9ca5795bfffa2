/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef TORTURE_H
#define TORTURE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdnoreturn.h>
#include <sys/types.h>

/* A subtest ends by returning (passed) or through fail(). */
struct subtest {
	const char *name;
	void (*run)(unsigned int iterations);
	unsigned int iterations; /* if the command line does not say */
};

/* From the subtest's process or any child it forked; the first one counts. */
noreturn void fail(const char *format, ...) __attribute__((format(printf, 1, 2)));
#define CHECK(condition)                                                                           \
	do {                                                                                       \
		if (!(condition))                                                                  \
			fail("%s:%d: %s", __FILE__, __LINE__, #condition);                         \
	} while (0)

/* Deterministic; the seed is TORTURE_SEED, and the same for every subtest. */
uint32_t random_below(uint32_t limit);
void random_seed(uint32_t seed);

/* Fork a child that runs body(arg) and exits; it fails the subtest if it does not end well. */
pid_t start(void (*body)(void *), void *arg);
void finish(pid_t pid);

void *pages(unsigned int count, int prot, int flags);
/* The r-th access faults: what the SIGSEGV said; code 0 if none came. */
struct access {
	int code;
	uintptr_t addr;
	uint32_t value;
};
struct access try_read(const volatile uint32_t *at);
struct access try_write(volatile uint32_t *at, uint32_t value);

void vm_random(unsigned int iterations);
void vm_cow_chain(unsigned int iterations);
void many_processes(unsigned int iterations);
void exec_storm(unsigned int iterations);
void pipe_storm(unsigned int iterations);
void tls_threads(unsigned int iterations);
void vfp_switches(unsigned int iterations);
void vfp_signals(unsigned int iterations);
void jit(unsigned int iterations);
void it_block(unsigned int iterations);
void setend(unsigned int iterations);
void unaligned(unsigned int iterations);
void exclusive_counter(unsigned int iterations);
void exclusive_cow(unsigned int iterations);
void signals_nested(unsigned int iterations);
void signals_queued(unsigned int iterations);
void itimer(unsigned int iterations);
void ptrace_breakpoints(unsigned int iterations);
void ptrace_syscalls(unsigned int iterations);

/* What exec_storm() executes: the program again, with this first argument */
#define EXEC_STORM_ARGUMENT "--exec-storm"
int exec_storm_child(int argc, char **argv);

#endif
