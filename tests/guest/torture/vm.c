// SPDX-License-Identifier: GPL-2.0-only
/* Random changes of an address space against a model of it: contents, fault
 * addresses and codes, and what the kernel itself reads and writes.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "torture.h"

enum { PAGES = 600, WORDS = 1024 }; /* 2.3 MiB: several L2 tables */

static struct model {
	bool mapped;
	int prot;
	uint32_t first, last; /* words 0 and 1023 */
} model[PAGES];

static uint32_t *arena;
static int pipe_ends[2];

static uint32_t *at(unsigned int page)
{
	return arena + page * WORDS;
}

static void check_fault(struct access a, unsigned int page, const void *where)
{
	int expected = model[page].mapped ? SEGV_ACCERR : SEGV_MAPERR;

	if (a.code != expected || a.addr != (uintptr_t)where)
		fail("page %u: fault with code %d at %lx, expected %d at %p", page, a.code, (unsigned long)a.addr,
		     expected, where);
}

static void check_read(unsigned int page)
{
	bool allowed = model[page].mapped && model[page].prot != PROT_NONE;
	uint32_t *where = at(page) + (random_below(2) ? WORDS - 1 : 0);
	uint32_t expected = where == at(page) ? model[page].first : model[page].last;
	struct access a = try_read(where);

	if (!allowed)
		check_fault(a, page, where);
	else if (a.code != 0 || a.value != expected)
		fail("page %u: read code %d value %x, expected %x", page, a.code, (unsigned int)a.value,
		     (unsigned int)expected);
}

static void check_write(unsigned int page)
{
	bool allowed = model[page].mapped && (model[page].prot & PROT_WRITE);
	bool last = random_below(2);
	uint32_t value = random_below(0x7fffffff) + 1;
	uint32_t *where = at(page) + (last ? WORDS - 1 : 0);
	struct access a = try_write(where, value);

	if (!allowed)
		check_fault(a, page, where);
	else if (a.code != 0)
		fail("page %u: write faulted with code %d", page, a.code);
	else
		*(last ? &model[page].last : &model[page].first) = value;
}

/* copy_from_user and copy_to_user through a pipe */
static void check_kernel(unsigned int page)
{
	bool readable = model[page].mapped && model[page].prot != PROT_NONE;
	bool writable = model[page].mapped && (model[page].prot & PROT_WRITE);
	uint32_t value;
	ssize_t n = write(pipe_ends[1], at(page), 4);

	CHECK(readable ? n == 4 : n == -1 && errno == EFAULT);
	if (readable) {
		CHECK(read(pipe_ends[0], &value, 4) == 4);
		CHECK(value == model[page].first);
	}
	value = random_below(0x7fffffff) + 1;
	CHECK(write(pipe_ends[1], &value, 4) == 4);
	n = read(pipe_ends[0], at(page), 4);
	CHECK(writable ? n == 4 : n == -1 && errno == EFAULT);
	if (writable)
		model[page].first = value;
	else
		CHECK(read(pipe_ends[0], &value, 4) == 4); /* what EFAULT left in the pipe */
}

static int random_prot(void)
{
	static const int prot[] = { PROT_NONE, PROT_READ, PROT_READ | PROT_WRITE, PROT_READ | PROT_WRITE };

	return prot[random_below(4)];
}

static void change(unsigned int page, unsigned int count)
{
	int prot = random_prot();
	bool mapped = true;

	switch (random_below(5)) {
	case 0:
	case 1:
		CHECK(mmap(at(page), count * 4096u, prot, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) ==
		      at(page));
		for (unsigned int i = page; i < page + count; i++)
			model[i] = (struct model){ true, prot, 0, 0 };
		break;
	case 2:
		CHECK(munmap(at(page), count * 4096u) == 0);
		for (unsigned int i = page; i < page + count; i++)
			model[i].mapped = false;
		break;
	default:
		for (unsigned int i = page; i < page + count; i++)
			mapped = mapped && model[i].mapped;
		if (!mapped)
			break;
		if (random_below(3) == 0) {
			CHECK(madvise(at(page), count * 4096u, MADV_DONTNEED) == 0);
			for (unsigned int i = page; i < page + count; i++)
				model[i].first = model[i].last = 0;
			break;
		}
		CHECK(mprotect(at(page), count * 4096u, prot) == 0);
		for (unsigned int i = page; i < page + count; i++)
			model[i].prot = prot;
	}
}

/* Move one page over another: mremap wants a single mapping */
static void move(unsigned int from, unsigned int to)
{
	if (from == to || !model[from].mapped)
		return;
	CHECK(mremap(at(from), 4096, 4096, MREMAP_MAYMOVE | MREMAP_FIXED, at(to)) == at(to));
	model[to] = model[from];
	model[from].mapped = false;
}

static void child(void *arg)
{
	(void)arg;
	for (unsigned int i = 0; i < 40; i++)
		random_below(2) ? check_write(random_below(PAGES)) : check_read(random_below(PAGES));
	for (unsigned int i = 0; i < PAGES; i++)
		check_read(i);
}

void vm_random(unsigned int iterations)
{
	CHECK(pipe(pipe_ends) == 0);
	arena = pages(PAGES, PROT_NONE, MAP_PRIVATE);
	CHECK(munmap(arena, PAGES * 4096u) == 0);
	for (unsigned int n = 0; n < iterations; n++) {
		unsigned int page = random_below(PAGES), what = random_below(100), count;

		count = 1 + random_below(random_below(10) ? 8 : 200);
		if (count > PAGES - page)
			count = PAGES - page;
		if (what < 25)
			change(page, count);
		else if (what < 35)
			move(page, random_below(PAGES));
		else if (what < 55)
			check_read(page);
		else if (what < 85)
			check_write(page);
		else if (what < 98)
			check_kernel(page);
		else
			finish(start(child, NULL));
	}
	for (unsigned int i = 0; i < PAGES; i++)
		check_read(i);
}

/* Each generation changes its copy and forks the next; all look at their own
 * afterwards, youngest first.
 */
static void generation(void *arg)
{
	unsigned int left = (unsigned int)(uintptr_t)arg;
	uint32_t mine[16];

	for (unsigned int i = 0; i < 16; i++) {
		mine[i] = random_below(64);
		arena[mine[i] * WORDS + i] = left * 100 + i;
	}
	if (left > 0)
		finish(start(generation, (void *)(uintptr_t)(left - 1)));
	for (unsigned int i = 0; i < 16; i++)
		CHECK(arena[mine[i] * WORDS + i] == left * 100 + i);
}

void vm_cow_chain(unsigned int iterations)
{
	arena = pages(64, PROT_READ | PROT_WRITE, MAP_PRIVATE);
	for (unsigned int n = 0; n < iterations; n++)
		generation((void *)12);
}
