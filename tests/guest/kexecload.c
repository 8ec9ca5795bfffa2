// SPDX-License-Identifier: GPL-2.0-only
/* Asks Linux to load another kernel over itself; a guest's has no kexec. Exit status 0: refused. */
#include <errno.h>
#include <linux/kexec.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

int main(void)
{
	if (syscall(SYS_kexec_load, 0, 0, NULL, KEXEC_ARCH_ARM) == 0) {
		puts("kexec_load: taken");
		return 1;
	}
	printf("kexec_load: %s\n", strerror(errno));
	return errno == ENOSYS ? 0 : 1;
}
