// SPDX-License-Identifier: GPL-2.0-only
/* memwrite MIB ROUNDS: write a buffer from end to end, again and again; it leaves nothing else in the caches. */
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	size_t words = argc == 3 ? strtoul(argv[1], NULL, 0) * (1024 * 1024 / sizeof(unsigned)) : 0;
	unsigned long rounds = argc == 3 ? strtoul(argv[2], NULL, 0) : 0;
	volatile unsigned *buffer = words ? malloc(words * sizeof(*buffer)) : NULL;

	if (!buffer) {
		fprintf(stderr, words ? "memwrite: no memory\n" : "usage: memwrite MIB ROUNDS\n");
		return 2;
	}
	for (unsigned long round = 0; round < rounds; round++)
		for (size_t i = 0; i < words; i++)
			buffer[i] = round;
	return 0;
}
