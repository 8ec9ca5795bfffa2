// SPDX-License-Identifier: GPL-2.0-only
/*
 * Numbered messages through an echo, over resets of the channel. In one life of an
 * endpoint, from its making to EPIPE, the answers are the numbers sent, from the first
 * one on, each once and in order. What is missing at its end, the reset reported.
 */
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

struct message {
	uint32_t life, number;
	uint8_t rest[120];
};

static struct {
	uint64_t sent, answered, lost;
	uint32_t lives;
} total;

static volatile sig_atomic_t ended;
static unsigned int pause_us; /* between two windows of messages */

static void on_end(int number)
{
	(void)number;
	ended = 1;
}

/* True: the life goes on. False: EPIPE, or what comes of a device that has gone. */
static bool receive(int fd, uint32_t life, uint32_t sent, uint32_t *next)
{
	struct message message;
	ssize_t length;

	while ((length = read(fd, &message, sizeof(message))) == sizeof(message)) {
		expect(message.life == life, "an answer of life %u in life %u", message.life, life);
		expect(message.number == *next, "answer %u after %u", message.number, *next - 1);
		expect(message.number < sent, "an answer to what was not sent");
		expect(filled(message.rest, sizeof(message.rest), message.number), "answer %u is changed", message.number);
		++*next;
	}
	expect(length < 0, "an answer of %zd bytes", length);
	expect(errno == EAGAIN || errno == EPIPE || errno == EINTR, "read: errno %d", errno);
	return errno != EPIPE;
}

static void live(int fd, uint32_t life)
{
	struct message message = {.life = life};
	uint32_t next = 0, window = 32;
	bool alive = true;

	while (alive && !(ended && next == message.number)) {
		while (alive && !ended && message.number - next < window) {
			fill(message.rest, sizeof(message.rest), message.number);
			if (write(fd, &message, sizeof(message)) == sizeof(message)) {
				message.number++;
			} else {
				expect(errno == EAGAIN || errno == EPIPE || errno == EINTR, "write: errno %d", errno);
				alive = errno != EPIPE;
				break;
			}
		}
		if (alive) {
			struct pollfd poll_fd = {.fd = fd, .events = POLLIN};

			expect(poll(&poll_fd, 1, 5000) != 0, "no answer for 5 s: %u sent, %u answered", message.number, next);
			alive = receive(fd, life, message.number, &next);
			if (pause_us && next == message.number)
				usleep(pause_us);
		}
	}
	/* What had come before the reset can still be read, unless the device is gone for this file. */
	total.sent += message.number;
	total.answered += next;
	total.lost += message.number - next;
	total.lives += message.number > 0;
}

static void run(void)
{
	double last = now();

	for (uint32_t life = 1; !ended; life++) {
		int fd = open_service(ECHO_SERVICE, O_NONBLOCK);

		if (fd >= 0) {
			live(fd, life);
			close(fd);
			last = now();
		} else {
			expect(now() - last < 20, "no service for 20 s");
			usleep(1000);
		}
	}
	printf("%u lives: %llu sent, %llu answered, %llu lost by resets\n", total.lives, (unsigned long long)total.sent,
	       (unsigned long long)total.answered, (unsigned long long)total.lost);
}

int check_traffic(int count, char **arguments)
{
	struct sigaction action = {.sa_handler = on_end};
	unsigned int ms = count > 1 ? atoi(arguments[1]) : 100;
	struct itimerval end = {.it_value = {ms / 1000, ms % 1000 * 1000}};

	sigaction(SIGALRM, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	setitimer(ITIMER_REAL, &end, NULL);
	run();
	expect(total.answered > 0, "nothing was answered");
	return 0;
}

static void unload_and_load(const char *path)
{
	int fd;

	expect(syscall(SYS_delete_module, "rtmux_vbus", O_NONBLOCK) == 0, "unload: errno %d", errno);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	expect(fd >= 0, "%s: errno %d", path, errno);
	expect(syscall(SYS_finit_module, fd, "", 0) == 0, "load: errno %d", errno);
	close(fd);
}

static void write_text(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	expect(fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text), "%s: errno %d", path, errno);
	close(fd);
}

/* The same for the driver, which costs less than to load its module. */
static void unbind_and_bind(const char *device)
{
	write_text("/sys/bus/platform/drivers/rtmux-vbus/unbind", device);
	write_text("/sys/bus/platform/drivers/rtmux-vbus/bind", device);
}

/* The name of the platform device. */
static const char *device_name(void)
{
	static char path[256];
	glob_t paths;

	expect(glob("/sys/bus/platform/drivers/rtmux-vbus/*vbus*", 0, NULL, &paths) == 0, "the driver has no device");
	snprintf(path, sizeof(path), "%s", strrchr(paths.gl_pathv[0], '/') + 1);
	globfree(&paths);
	return path;
}

/* Each restart after some traffic: a wait of 0 to 7 ms by its number. Every fifth is of the module. */
int check_restarts(int count, char **arguments)
{
	const char *device = device_name();
	int restarts, status;
	pid_t child;

	expect(count == 3, "COUNT and MODULE are missing");
	restarts = atoi(arguments[1]);
	child = fork();
	if (child == 0) {
		char *arguments[] = {"traffic", "100000000"};

		pause_us = 1000;
		exit(check_traffic(2, arguments));
	}
	for (int i = 0; i < restarts; i++) {
		usleep(1000 * (i * 5 % 8));
		expect(waitpid(child, &status, WNOHANG) == 0, "the traffic ended before restart %d", i);
		if (i % 5)
			unbind_and_bind(device);
		else
			unload_and_load(arguments[2]);
	}
	usleep(20000);
	kill(child, SIGTERM);
	expect(waitpid(child, &status, 0) == child && status == 0, "the traffic ended with status %#x", status);
	return 0;
}
