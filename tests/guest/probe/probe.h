/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * One probe = one child process that does one thing. What becomes of it is
 * printed as one line that must be the same natively and as guest:
 *
 *	name signo si_code si_addr error_code trap_no pc cpsr
 *	name 0 - result - - - -			(no signal: what it returned)
 *
 * Addresses within 64 KiB of the probe's base are printed relative to it.
 */
#ifndef PROBE_H
#define PROBE_H

#include <signal.h>
#include <stdint.h>

typedef long (*probe_body)(const void *arg);

/* Run body(arg) in a child and print its line. */
void probe(const char *name, probe_body body, const void *arg, uintptr_t base);

/* In the child: what the line shall say; does not return. */
void probe_report(const siginfo_t *info, const void *ucontext) __attribute__((noreturn));

/* One RWX page at a fixed address; code_call() runs what is in it. */
#define CODE ((uint32_t *)0x20000000)
void code_init(void);
void code_words(const uint32_t *words, unsigned int count);
long code_call(long r0, int thumb);

void probe_memory(void);
void probe_instructions(void);
void probe_state(void);
void probe_syscalls(void);

#endif
