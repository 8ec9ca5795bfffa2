// SPDX-License-Identifier: GPL-2.0-only
/* Nanoseconds since power-on ("boot") and since Linux began ("linux_clock").
 * The board's free-running counter starts with the machine, so it counts the
 * executive's start too; Linux's own clock starts with Linux.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "board.h"

int main(void)
{
	int fd = open("/dev/mem", O_RDONLY | O_SYNC), readable = 0;
	struct timespec t;

	if (fd >= 0) {
		volatile uint32_t *sysreg = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, BOARD_SYSREG_BASE);

		if (sysreg != MAP_FAILED) {
			uint32_t count = sysreg[BOARD_COUNTER_OFFSET / 4];

			printf("boot %llu\n", (unsigned long long)count * 1000000000u / BOARD_COUNTER_HZ);
			readable = 1;
		}
	}
	if (!readable)
		perror("/dev/mem");
	clock_gettime(CLOCK_BOOTTIME, &t);
	printf("linux_clock %llu\n", (unsigned long long)t.tv_sec * 1000000000u + (unsigned long long)t.tv_nsec);
	return readable ? 0 : 1;
}
