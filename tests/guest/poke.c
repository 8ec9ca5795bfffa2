// SPDX-License-Identifier: GPL-2.0-only
/* poke ADDRESS [VALUE]: write a word of a device's register, through /dev/mem, and print what it holds then. */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>

/* RTMux carries out, or drops, a mediated store of ARM code alone. */
__attribute__((target("arm"), noinline)) static void store(volatile uint32_t *to, uint32_t value)
{
	*to = value;
}

int main(int argc, char **argv)
{
	const unsigned long address = argc > 1 ? strtoul(argv[1], NULL, 0) : 0;
	const int memory = open("/dev/mem", O_RDWR | O_SYNC);
	volatile uint32_t *page;

	if (argc < 2 || argc > 3 || address % 4) {
		fprintf(stderr, "usage: poke ADDRESS [VALUE]\n");
		return 2;
	}
	page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, memory, (off_t)(address & ~4095ul));
	if (page == MAP_FAILED) {
		perror("poke");
		return 1;
	}
	page += address % 4096 / 4;
	if (argc == 3)
		store(page, strtoul(argv[2], NULL, 0));
	printf("%#010x\n", *page);
	return 0;
}
