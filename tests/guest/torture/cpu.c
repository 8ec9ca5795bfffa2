// SPDX-License-Identifier: GPL-2.0-only
/* State of the processor that a guest's switches must keep: TLS, VFP and NEON
 * registers, endianness, IT block, exclusive monitor; code made at run time.
 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "torture.h"

#define ARM __attribute__((target("arm"), noinline))
#define THUMB __attribute__((target("thumb"), noinline))

static __thread uint32_t own;
static __thread uint32_t *own_address;

static void *tls_thread(void *arg)
{
	unsigned int rounds = *(unsigned int *)arg;
	uint32_t *mine = &own;
	unsigned long register_now, register_first;

	asm volatile("mrc p15, 0, %0, c13, c0, 3" : "=r"(register_first));
	own_address = mine;
	for (unsigned int i = 0; i < rounds; i++) {
		own = (uint32_t)register_first + i;
		sched_yield();
		asm volatile("mrc p15, 0, %0, c13, c0, 3" : "=r"(register_now));
		if (register_now != register_first || own != register_first + i || own_address != &own)
			fail("thread pointer %lx became %lx", register_first, register_now);
	}
	return NULL;
}

void tls_threads(unsigned int iterations)
{
	pthread_t thread[16];

	for (unsigned int i = 0; i < 16; i++)
		CHECK(pthread_create(&thread[i], NULL, tls_thread, &iterations) == 0);
	for (unsigned int i = 0; i < 16; i++)
		CHECK(pthread_join(thread[i], NULL) == 0);
}

/* All 32 double registers and FPSCR around a system call: 0 if kept */
static ARM uint32_t vfp_around(uint32_t pattern, long nr, long a0, long a1)
{
	uint32_t in[64], out[64]; /* of this call: a handler may call it within another */
	uint32_t fpscr_in = (pattern & 3) << 22 | (pattern & 1) << 24, fpscr_out, changed = 0;
	register long r0 asm("r0") = a0;
	register long r1 asm("r1") = a1;
	register long r7 asm("r7") = nr;

	for (unsigned int i = 0; i < 64; i++)
		in[i] = pattern + i * 0x01010101;
	asm volatile("vmsr	fpscr, %[fpscr_in]\n"
		     "mov	r2, %[in]\n"
		     "vldm	r2!, {d0-d15}\n"
		     "vldm	r2, {d16-d31}\n"
		     "svc	#0\n"
		     "mov	r2, %[out]\n"
		     "vstm	r2!, {d0-d15}\n"
		     "vstm	r2, {d16-d31}\n"
		     "vmrs	%[fpscr_out], fpscr\n"
		     "mov	r2, #0\n"
		     "vmsr	fpscr, r2\n"
		     : "+r"(r0), [fpscr_out] "=&r"(fpscr_out)
		     : "r"(r1), "r"(r7), [fpscr_in] "r"(fpscr_in), [in] "r"(in), [out] "r"(out)
		     : "r2", "memory", "d0", "d1", "d2", "d3", "d4", "d5", "d6", "d7", "d8", "d9", "d10", "d11",
		       "d12", "d13", "d14", "d15", "d16", "d17", "d18", "d19", "d20", "d21", "d22", "d23", "d24",
		       "d25", "d26", "d27", "d28", "d29", "d30", "d31");
	for (unsigned int i = 0; i < 64; i++)
		changed |= in[i] ^ out[i];
	return changed | (fpscr_in ^ fpscr_out);
}

static void vfp_loop(void *arg)
{
	for (unsigned int i = 0; i < *(unsigned int *)arg; i++)
		if (vfp_around(random_below(0x7fffffff), SYS_sched_yield, 0, 0))
			fail("VFP registers changed across sched_yield, round %u", i);
}

void vfp_switches(unsigned int iterations)
{
	pid_t pid[5];

	for (unsigned int i = 0; i < 5; i++) {
		random_seed(i + 7);
		pid[i] = start(vfp_loop, &iterations);
	}
	for (unsigned int i = 0; i < 5; i++)
		finish(pid[i]);
}

static volatile sig_atomic_t handled;

static void clobber(int signo)
{
	(void)signo;
	vfp_around(0x55aa0000u + (uint32_t)handled, SYS_getppid, 0, 0);
	handled++;
}

void vfp_signals(unsigned int iterations)
{
	struct sigaction act = { .sa_handler = clobber };

	sigaction(SIGUSR1, &act, NULL);
	for (unsigned int i = 0; i < iterations; i++)
		if (vfp_around(random_below(0x7fffffff), SYS_kill, getpid(), SIGUSR1))
			fail("VFP registers changed across a signal, round %u", i);
	CHECK((unsigned int)handled == iterations);
}

/* Functions written at random places, some over a page boundary, some through
 * another mapping of the same page.
 */
void jit(unsigned int iterations)
{
	int fd = memfd_create("jit", 0);
	char *writable, *executable;

	CHECK(fd >= 0 && ftruncate(fd, 16384) == 0);
	writable = mmap(NULL, 16384, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	executable = mmap(NULL, 16384, PROT_READ | PROT_EXEC, MAP_SHARED, fd, 0);
	CHECK(writable != MAP_FAILED && executable != MAP_FAILED);
	for (unsigned int i = 0; i < iterations; i++) {
		unsigned int at = i % 3 == 0 ? 4092 : random_below(16384 / 4 - 2) * 4, value = random_below(65536);
		uint32_t code[2] = { 0xe3000000 | (value & 0xf000) << 4 | (value & 0xfff), 0xe12fff1e };
		int fresh = i % 50 == 49;
		char *page = fresh ? pages(4, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE) : executable;

		memcpy((fresh ? page : writable) + at, code, 8); /* movw r0, value; bx lr */
		__builtin___clear_cache(page + at, page + at + 8);
		CHECK(((unsigned int (*)(void))(page + at))() == value);
		if (fresh)
			CHECK(munmap(page, 16384) == 0);
	}
}

static void make_accessible(int signo, siginfo_t *info, void *ucontext)
{
	(void)signo, (void)ucontext;
	if (mprotect((void *)((uintptr_t)info->si_addr & ~0xfffu), 4096, PROT_READ | PROT_WRITE) != 0)
		fail("fault at %p", info->si_addr);
}

static void on_segv_make_accessible(void)
{
	struct sigaction act = { .sa_sigaction = make_accessible, .sa_flags = SA_SIGINFO };

	sigaction(SIGSEGV, &act, NULL);
}

static THUMB uint32_t it_load(uint32_t *eq, uint32_t *ne)
{
	uint32_t r = 0, word = 0;

	asm volatile("cmp	%2, %2\n"
		     "itete	eq\n"
		     "ldreq	%1, [%2]\n"
		     "ldrne	%1, [%3]\n"
		     "addeq	%0, #1\n"
		     "addne	%0, #2\n"
		     "itee	ne\n"
		     "strne	%1, [%3]\n"
		     "streq	%0, [%2, #4]\n"
		     "addeq	%0, #4\n"
		     : "+r"(r), "+r"(word)
		     : "r"(eq), "r"(ne)
		     : "cc", "memory");
	return r;
}

/* Faults that Linux hides, faults it delivers, in an IT block */
void it_block(unsigned int iterations)
{
	on_segv_make_accessible();
	for (unsigned int i = 0; i < iterations; i++) {
		uint32_t *page = pages(2, i & 1 ? PROT_NONE : PROT_READ | PROT_WRITE, MAP_PRIVATE);

		CHECK(it_load(page, (uint32_t *)8) == 5);
		CHECK(page[1] == 1);
		CHECK(munmap(page, 8192) == 0);
	}
}

static ARM uint32_t big_endian(uint32_t *page, long nr)
{
	register long r0 asm("r0") = 0;
	register long r7 asm("r7") = nr;
	uint32_t cpsr;

	asm volatile("setend	be\n"
		     "str	%3, [%2]\n" /* may fault */
		     "svc	#0\n"
		     "ldr	%3, [%2]\n"
		     "str	%3, [%2, #4]\n"
		     "mrs	%1, cpsr\n"
		     "setend	le\n"
		     : "+r"(r0), "=&r"(cpsr)
		     : "r"(page), "r"(0x01020304), "r"(r7)
		     : "memory");
	return cpsr >> 9 & 1;
}

void setend(unsigned int iterations)
{
	on_segv_make_accessible();
	for (unsigned int i = 0; i < iterations; i++) {
		uint32_t *page = pages(1, i & 1 ? PROT_NONE : PROT_READ | PROT_WRITE, MAP_PRIVATE);

		CHECK(big_endian(page, i & 2 ? SYS_sched_yield : SYS_getppid) == 1);
		CHECK(page[0] == 0x04030201 && page[1] == 0x04030201);
		CHECK(munmap(page, 4096) == 0);
	}
}

/* What the hardware does not do unaligned, Linux does: values, and pages that
 * are touched for the first time by the fix-up.
 */
void unaligned(unsigned int iterations)
{
	for (unsigned int i = 0; i < iterations; i++) {
		unsigned char *page = pages(2, PROT_READ | PROT_WRITE, MAP_PRIVATE);
		unsigned char *at = page + 4096 - 1 - random_below(i & 1 ? 16 : 2000);
		register uint32_t a asm("r2") = random_below(0x7fffffff);
		register uint32_t b asm("r3") = random_below(0x7fffffff);
		register uint32_t c asm("r4"), d asm("r5");
		uint32_t word[2];

		if (((uintptr_t)at & 3) == 0)
			at--;
		if (i & 2)
			asm volatile("stmia %2, {r2, r3}" : : "r"(a), "r"(b), "r"(at) : "memory");
		else
			asm volatile("strd r2, r3, [%2]" : : "r"(a), "r"(b), "r"(at) : "memory");
		memcpy(word, at, 8);
		CHECK(word[0] == a && word[1] == b);
		if (i & 4)
			asm volatile("ldmia %2, {r4, r5}" : "=r"(c), "=r"(d) : "r"(at) : "memory");
		else
			asm volatile("ldrd r4, r5, [%2]" : "=r"(c), "=r"(d) : "r"(at) : "memory");
		CHECK(c == word[0] && d == word[1]);
		CHECK(munmap(page, 8192) == 0);
	}
}
