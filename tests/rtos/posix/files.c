/* SPDX-License-Identifier: GPL-2.0-only */
/* Descriptors of the console; devices.c has those of devices. */
#include "check.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <unistd.h>

static void descriptors(void)
{
	struct stat s;
	char c;

	FAILS(open("/dev/none", O_RDWR), ENOENT);
	FAILS(open("/dev/console", O_ACCMODE), EINVAL);
	FAILS(creat("file", 0600), ENOENT);
	CHECK(fopen("file", "r") == NULL && errno == ENOENT);
	FILE *const stream = fopen("/dev/console", "w");
	CHECK(stream && fputs("posix: by a stream\n", stream) >= 0 && fclose(stream) == 0);
	const int in = open("/dev/console", O_RDONLY | O_NONBLOCK), out = open("/dev/console", O_WRONLY);
	CHECK(in >= 3 && out == in + 1);
	FAILS(write(in, "x", 1), EBADF);
	FAILS(read(out, &c, 1), EBADF);
	FAILS(read(in, &c, 1), EAGAIN);
	EQUAL(write(out, "posix: written\n", 15), 15);
	EQUAL(write(out, "", 0), 0);
	EQUAL(fcntl(in, F_GETFL), O_RDONLY | O_NONBLOCK);
	OK(fcntl(in, F_SETFL, 0));
	EQUAL(fcntl(in, F_GETFL), O_RDONLY);
	FAILS(fcntl(in, 77), EINVAL);
	EQUAL(isatty(out), 1);
	EQUAL(isatty(-1), 0);
	EQUAL(errno, EBADF);
	OK(fstat(out, &s));
	CHECK(S_ISCHR(s.st_mode));
	OK(stat("/dev/console", &s));
	FAILS(stat("/dev/none", &s), ENOENT);
	OK(access("/dev/console", R_OK));
	FAILS(lseek(out, 0, SEEK_SET), ESPIPE);
	FAILS(lseek(out, 0, 77), EINVAL);
	OK(fsync(out));
	FAILS(fsync(99), EBADF);

	const int copy = dup(out);
	EQUAL(copy, out + 1);
	OK(close(out));
	EQUAL(write(copy, "", 0), 0);
	FAILS(write(out, "", 0), EBADF);
	EQUAL(dup2(copy, out), out);
	EQUAL(dup2(copy, copy), copy);
	FAILS(dup2(copy, OPEN_MAX), EBADF);
	FAILS(dup2(99, out), EBADF);
	FAILS(dup(99), EBADF);
	EQUAL(fcntl(copy, F_DUPFD, 20), 20);
	FAILS(fcntl(copy, F_DUPFD, OPEN_MAX), EINVAL);
	OK(close(20));
	OK(close(out));
	OK(close(copy));
	OK(close(in));
	FAILS(close(in), EBADF);
	FAILS(read(in, &c, 1), EBADF);
	FAILS(ioctl(in, 1, NULL), EBADF);
	FAILS(ioctl(STDOUT_FILENO, 12345, NULL), ENOTTY);
	int available = -1;
	OK(ioctl(STDIN_FILENO, FIONREAD, &available));
	EQUAL(available, 0);

	int n = 0, all[OPEN_MAX];
	while (n < OPEN_MAX && (all[n] = open("/dev/console", O_RDWR)) >= 0)
		++n;
	EQUAL(n, OPEN_MAX - 3);
	FAILS(open("/dev/console", O_RDWR), EMFILE);
	while (n > 0)
		OK(close(all[--n]));
}

static void polling(void)
{
	struct timespec begin;
	struct pollfd fds[] = {{.fd = STDOUT_FILENO, .events = POLLOUT},
			       {.fd = STDIN_FILENO, .events = POLLIN},
			       {.fd = 99, .events = POLLIN}};
	fd_set reads, writes;

	EQUAL(poll(fds, 1, -1), 1);
	EQUAL(fds[0].revents, POLLOUT);
	OK(clock_gettime(CLOCK_MONOTONIC, &begin));
	EQUAL(poll(fds + 1, 1, 10), 0);
	EQUAL(elapsed_ms(CLOCK_MONOTONIC, &begin), 10);
	EQUAL(poll(fds + 1, 1, 0), 0);
	EQUAL(poll(fds, 3, 10), 2);
	EQUAL(fds[2].revents, POLLNVAL);
	fds[2].fd = -1;
	EQUAL(poll(fds, 3, 10), 1);
	EQUAL(fds[2].revents, 0);
	FAILS(poll(fds, 1000, 0), EINVAL);

	FD_ZERO(&reads);
	FD_ZERO(&writes);
	FD_SET(STDIN_FILENO, &reads);
	FD_SET(STDOUT_FILENO, &writes);
	EQUAL(select(2, &reads, &writes, NULL, NULL), 1);
	CHECK(FD_ISSET(STDOUT_FILENO, &writes) && !FD_ISSET(STDIN_FILENO, &reads));
	FD_SET(STDIN_FILENO, &reads);
	OK(clock_gettime(CLOCK_MONOTONIC, &begin));
	EQUAL(select(1, &reads, NULL, NULL, &(struct timeval){.tv_usec = 10000}), 0);
	EQUAL(elapsed_ms(CLOCK_MONOTONIC, &begin), 10);
	EQUAL(pselect(0, NULL, NULL, NULL, &(struct timespec){.tv_nsec = 1000000}, NULL), 0);
	FD_SET(30, &reads);
	FAILS(select(31, &reads, NULL, NULL, NULL), EBADF);
	FAILS(select(-1, NULL, NULL, NULL, NULL), EINVAL);
	FAILS(select(0, NULL, NULL, NULL, &(struct timeval){.tv_usec = -1}), EINVAL);
}

/* What tests/qemu/posix.py types when it reads this. */
static void typing(void)
{
	struct pollfd in = {.fd = STDIN_FILENO, .events = POLLIN};
	char c = 0;
	int available = 0;

	printf("posix: type\n");
	EQUAL(poll(&in, 1, -1), 1);
	EQUAL(in.revents, POLLIN);
	OK(ioctl(STDIN_FILENO, FIONREAD, &available));
	CHECK(available >= 1);
	EQUAL(read(STDIN_FILENO, &c, 1), 1);
	EQUAL(c, 'x');
	EQUAL(getchar(), '\n'); /* a carriage return, by stdio */
}

const struct test files_tests[] = {{"descriptors", descriptors}, {"polling", polling}, {"typing", typing}, {0, 0}};
