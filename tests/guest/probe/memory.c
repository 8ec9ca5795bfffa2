// SPDX-License-Identifier: GPL-2.0-only
/* Every region of the address space: read, write, execute, and what the
 * kernel says when it is given such an address.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "probe.h"

static long do_read(const void *arg)
{
	uintptr_t addr = *(const uintptr_t *)arg;
	unsigned long value;

	asm volatile("ldr %0, [%1]" : "=r"(value) : "r"(addr) : "memory");
	return 0;
}

static long do_write(const void *arg)
{
	uintptr_t addr = *(const uintptr_t *)arg;

	asm volatile("str %0, [%0]" : : "r"(addr) : "memory");
	return 0;
}

static long do_execute(const void *arg)
{
	uintptr_t addr = *(const uintptr_t *)arg;

	((void (*)(void))addr)();
	return 0;
}

static long do_copy_from(const void *arg)
{
	int fd[2];

	if (pipe(fd) != 0)
		return -1;
	return write(fd[1], (void *)*(const uintptr_t *)arg, 4) == 4 ? 0 : errno;
}

static long do_copy_to(const void *arg)
{
	int fd[2];

	if (pipe(fd) != 0 || write(fd[1], "abcd", 4) != 4)
		return -1;
	return read(fd[0], (void *)*(const uintptr_t *)arg, 4) == 4 ? 0 : errno;
}

enum { R = 1, W = 2, X = 4, COPY = 8, ALL = 15, NO_X = 11 };

static void region(const char *name, uintptr_t addr, int what)
{
	static const struct {
		const char *suffix;
		probe_body body;
		int bit;
	} access[] = {
		{ "r", do_read, R },	       { "w", do_write, W },	    { "x", do_execute, X },
		{ "in", do_copy_from, COPY }, { "out", do_copy_to, COPY },
	};
	char full[64];

	for (size_t i = 0; i < sizeof(access) / sizeof(access[0]); i++) {
		if (!(what & access[i].bit))
			continue;
		snprintf(full, sizeof(full), "%s.%s", name, access[i].suffix);
		probe(full, access[i].body, &addr, addr);
	}
}

static uintptr_t map(int prot, uint32_t word)
{
	uint32_t *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	if (page == MAP_FAILED)
		exit(2);
	page[0] = word;
	__builtin___clear_cache((char *)page, (char *)(page + 1));
	mprotect(page, 4096, prot);
	return (uintptr_t)page;
}

static uintptr_t past_end_of_file(void)
{
	int fd = memfd_create("probe", 0);
	void *page;

	if (fd < 0 || ftruncate(fd, 4096) != 0)
		return 0;
	page = mmap(NULL, 8192, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_SHARED, fd, 0);
	return page == MAP_FAILED ? 0 : (uintptr_t)page + 4096;
}

/* A mapped page of vmalloc space, if this kernel tells (root only) */
static uintptr_t mapped_vmalloc(void)
{
	unsigned long start = 0, end;
	char line[256];
	FILE *f = fopen("/proc/sys/kernel/kptr_restrict", "w");

	if (f) {
		fputs("1\n", f);
		fclose(f);
	}
	f = fopen("/proc/vmallocinfo", "r");
	while (f && fgets(line, sizeof(line), f)) {
		if (strstr(line, "ioremap") && sscanf(line, "0x%lx-0x%lx", &start, &end) == 2)
			break;
		start = 0;
	}
	if (f)
		fclose(f);
	return start;
}

/* A word that begins in one page and ends in the next: which one faults? */
static void crossings(void)
{
	static const struct {
		const char *name;
		uintptr_t addr;
	} at[] = { { "cross.task-size", 0xbeffffff }, { "cross.modules", 0xbffffffe },
		   { "cross.window", 0xfe7ffffe },    { "cross.shared-page", 0xfefffffe },
		   { "cross.kuser", 0xffff0fff },     { "cross.end", 0xfffffffe } };
	uintptr_t unmapped = map(PROT_READ | PROT_WRITE, 0) + 4094;

	munmap((void *)(unmapped + 2), 4096);
	for (size_t i = 0; i < sizeof(at) / sizeof(at[0]); i++)
		region(at[i].name, at[i].addr, R | W | COPY);
	region("cross.own-page", unmapped, R | W | COPY);
}

void probe_memory(void)
{
	static const uint32_t rodata[4] = { 0xe12fff1e };
	static uint32_t data[4] = { 0xe12fff1e };
	uint32_t *heap = malloc(4096);
	uint32_t stack[4] = { 0xe12fff1e };
	char name[32];

	region("null", 0, ALL);
	region("null-page-end", 0xffc, ALL);
	region("second-page", 0x1000, ALL);
	region("text", (uintptr_t)do_execute & ~3u, R | W | COPY);
	region("rodata", (uintptr_t)rodata, ALL);
	region("data", (uintptr_t)data, ALL);
	region("heap", (uintptr_t)heap & ~0xfffu, ALL);
	region("stack", (uintptr_t)stack, R | W | X);
	region("stack-grows", ((uintptr_t)stack & ~0xfffu) - 0x8000, NO_X);
	region("stack-limit", (uintptr_t)stack - (16u << 20), ALL);
	region("unmapped", 0x40000000, ALL);
	region("prot-none", map(PROT_NONE, 0), ALL);
	region("prot-read", map(PROT_READ, 0xe12fff1e), ALL);
	region("prot-write", map(PROT_READ | PROT_WRITE, 0xe12fff1e), ALL);
	region("prot-exec", map(PROT_READ | PROT_EXEC, 0xe12fff1e), ALL);
	region("past-eof", past_end_of_file(), ALL);
	region("task-size-1", 0xbeffffff, COPY);
	region("task-size-4", 0xbeffffff & ~3u, R | X | COPY);
	region("modules", 0xbf000000, ALL);
	region("modules-end", 0xbfdff000, ALL);
	region("pkmap", 0xbfe00000, ALL);

	/* lowmem, vmalloc, the window and all above, in VA order */
	static const uintptr_t kernel[] = {
		0xc0000000, 0xc0004000, 0xc0008000, 0xc0100000, 0xc0800000, 0xc4000000, 0xcc000000,
		0xf0000000, 0xfe700000, 0xfe800000, 0xfe801000, 0xfe9bf000, 0xfe9c0000, 0xfea00000,
		0xfeb00000, 0xfec00000, 0xfee00000, 0xfefff000, 0xff000000, 0xff000040, 0xff001000,
		0xff100000, 0xff101000, 0xff200000, 0xff300000, 0xff400000, 0xff7ff000, 0xff800000,
		0xff900000, 0xffa00000, 0xffbff000, 0xffc00000, 0xffc80000, 0xffe00000, 0xffeff000,
		0xfff00000, 0xfffe0000, 0xffff0000, 0xffff0ffc, 0xffff1000, 0xffff1ffc, 0xffff2000,
		0xffff4000, 0xffff7000, 0xfffff000,
	};
	for (size_t i = 0; i < sizeof(kernel) / sizeof(kernel[0]); i++) {
		snprintf(name, sizeof(name), "%08lx", (unsigned long)kernel[i]);
		/* What is executable in the vectors page is called in state.c */
		region(name, kernel[i], (kernel[i] & ~0xfffu) == 0xffff0000 ? NO_X : ALL);
	}
	if (mapped_vmalloc())
		region("vmalloc-mapped", mapped_vmalloc(), ALL);
	else
		printf("vmalloc-mapped skip\n");
	crossings();
}
