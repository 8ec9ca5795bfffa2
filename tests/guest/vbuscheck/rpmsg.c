// SPDX-License-Identifier: GPL-2.0-only
/* The rpmsg bus through its own devices, as a program written for OpenAMP uses them. */
#include "check.h"

#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <linux/rpmsg.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/time.h>
#include <unistd.h>

#include <rtmux/measurement.h>

#define MAX_SIZE 0x10000

static uint8_t out[MAX_SIZE], in[MAX_SIZE];

static bool read_text(const char *path, char *text, size_t size)
{
	FILE *file = fopen(path, "r");
	bool there = file && fgets(text, size, file);

	if (file)
		fclose(file);
	if (there)
		text[strcspn(text, "\n")] = 0;
	return there;
}

/* The first path that matches, whose file says text; false if none does. */
static bool find(const char *pattern, const char *text, char *path, size_t size)
{
	char line[64];
	bool found = false;
	glob_t paths;

	if (glob(pattern, 0, NULL, &paths))
		return false;
	for (size_t i = 0; i < paths.gl_pathc && !found; i++) {
		if (text && (!read_text(paths.gl_pathv[i], line, sizeof(line)) || strcmp(line, text)))
			continue;
		snprintf(path, size, "%s", paths.gl_pathv[i]);
		found = true;
	}
	globfree(&paths);
	return found;
}

static int open_control(void)
{
	char path[128];

	return find("/dev/rpmsg_ctrl*", NULL, path, sizeof(path)) ? open(path, O_RDWR) : -1;
}

static bool service_address(const char *service, uint32_t *address)
{
	char path[256], line[64];

	if (!find("/sys/bus/rpmsg/devices/*/name", service, path, sizeof(path)))
		return false;
	strcpy(strrchr(path, '/'), "/dst");
	if (!read_text(path, line, sizeof(line)))
		return false;
	*address = strtoul(line, NULL, 0);
	return true;
}

int make_endpoint(const char *service, int flags)
{
	static unsigned int serial;
	struct rpmsg_endpoint_info info = {.src = 0xffffffff};
	char path[256], device[128];
	int control, error;

	if (!service_address(service, &info.dst))
		return -1;
	control = open_control();
	if (control < 0)
		return -1;
	snprintf(info.name, sizeof(info.name), "check-%d-%u", (int)getpid(), serial++);
	error = ioctl(control, RPMSG_CREATE_EPT_IOCTL, &info);
	close(control);
	if (error || !find("/sys/class/rpmsg/rpmsg*/name", info.name, path, sizeof(path)))
		return -1;
	*strrchr(path, '/') = 0;
	snprintf(device, sizeof(device), "/dev/%s", strrchr(path, '/') + 1);
	return open(device, O_RDWR | flags);
}

int open_service(const char *service, int flags)
{
	char path[256], pattern[300], device[128];

	if (!find("/sys/bus/rpmsg/devices/*/name", service, path, sizeof(path)))
		return -1;
	*strrchr(path, '/') = 0;
	snprintf(pattern, sizeof(pattern), "%s/rpmsg/rpmsg*", path);
	if (!find(pattern, NULL, path, sizeof(path)))
		return -1;
	snprintf(device, sizeof(device), "/dev/%s", strrchr(path, '/') + 1);
	return open(device, O_RDWR | flags);
}

void destroy_endpoint(int fd)
{
	if (fd >= 0) {
		(void)ioctl(fd, RPMSG_DESTROY_EPT_IOCTL);
		close(fd);
	}
}

static void expect_answer(int fd, size_t size, uint32_t seed)
{
	ssize_t got = read(fd, in, sizeof(in));

	expect(got == (ssize_t)size, "%zd bytes of %zu came back, errno %d", got, size, errno);
	expect(filled(in, size, seed), "%zu bytes came back changed", size);
}

static void send_filled(int fd, size_t size, uint32_t seed)
{
	ssize_t sent;

	fill(out, size, seed);
	sent = write(fd, out, size);
	expect(sent == (ssize_t)size, "write of %zu bytes: %zd, errno %d", size, sent, errno);
}

static short events(int fd, short wanted, int timeout)
{
	struct pollfd poll_fd = {.fd = fd, .events = wanted};

	expect(poll(&poll_fd, 1, timeout) >= 0, "poll: errno %d", errno);
	return poll_fd.revents;
}

/* The longest message is what the ring allows; all shorter ones pass. */
static void check_sizes(int fd)
{
	size_t longest = 1;

	for (size_t size = 1; size < MAX_SIZE; size *= 2)
		if (write(fd, out, size) == (ssize_t)size)
			expect(read(fd, in, sizeof(in)) == (ssize_t)(longest = size), "no answer of %zu bytes", size);
	expect(longest >= 8192, "%zu bytes are the longest message", longest);
	expect_error(write(fd, out, MAX_SIZE), EMSGSIZE);
	for (size_t size = 0; size <= longest; size += size < 70 ? 1 : size / 3) {
		send_filled(fd, size, size);
		expect_answer(fd, size, size);
	}
	/* A short buffer gets the message's beginning, the next read the next message. */
	send_filled(fd, 100, 1);
	send_filled(fd, 50, 2);
	expect(read(fd, in, 10) == 10 && filled(in, 10, 1), "not the beginning of the message");
	expect_answer(fd, 50, 2);
}

static void check_endpoints(void)
{
	int fds[8];

	for (int i = 0; i < 8; i++)
		expect((fds[i] = make_endpoint(ECHO_SERVICE, 0)) >= 0, "endpoint %d: errno %d", i, errno);
	for (int round = 0; round < 20; round++) {
		for (int i = 0; i < 8; i++)
			send_filled(fds[i], 64 + i, round * 8 + i);
		for (int i = 7; i >= 0; i--)
			expect_answer(fds[i], 64 + i, round * 8 + i);
	}
	for (int i = 0; i < 8; i++)
		destroy_endpoint(fds[i]);
}

static void on_alarm(int number)
{
	(void)number;
}

static void check_blocking(int fd)
{
	struct sigaction action = {.sa_handler = on_alarm};
	struct itimerval soon = {.it_value = {.tv_usec = 20000}};
	int nonblocking = fcntl(fd, F_GETFL) | O_NONBLOCK;

	expect(events(fd, POLLIN | POLLOUT, 0) == POLLOUT, "an idle endpoint is not writable, or is readable");
	expect(events(fd, POLLIN, 50) == 0, "an idle endpoint is readable");
	sigaction(SIGALRM, &action, NULL);
	setitimer(ITIMER_REAL, &soon, NULL);
	expect_error(read(fd, in, sizeof(in)), EINTR);
	fcntl(fd, F_SETFL, nonblocking);
	expect_error(read(fd, in, sizeof(in)), EAGAIN);
	send_filled(fd, 64, 3);
	expect(events(fd, POLLIN, 5000) == POLLIN, "no answer within 5 s");
	expect_answer(fd, 64, 3);
	fcntl(fd, F_SETFL, nonblocking & ~O_NONBLOCK);
}

/* The RT side is asked to send to our service, and does. */
static void check_called(int server)
{
	struct {
		struct rtmux_demo_head head;
		char text[8];
	} call = {.head = {.type = RTMUX_DEMO_CALL}, .text = "call me"};
	int demo = make_endpoint(RTMUX_DEMO_SERVICE, 0);

	expect(demo >= 0, "no endpoint for the demo: errno %d", errno);
	expect(write(demo, &call, sizeof(call)) == sizeof(call), "write: errno %d", errno);
	expect(read(demo, in, sizeof(in)) == sizeof(call.head), "no answer to the call");
	expect(events(server, POLLIN, 5000) == POLLIN, "the RT side does not know the service");
	expect(read(server, in, sizeof(in)) == sizeof(call.text) && !memcmp(in, call.text, sizeof(call.text)),
	       "the RT side sent something else");
	destroy_endpoint(demo);
}

/* Devices of our own: a server here, announced to the RT side, and its end. */
static void check_server(void)
{
	struct rpmsg_endpoint_info info = {.name = "rpmsg-raw", .src = 77, .dst = 0xffffffff};
	char path[256], device[64];
	int control = open_control(), server;

	expect(control >= 0, "no control device: errno %d", errno);
	expect(ioctl(control, RPMSG_CREATE_DEV_IOCTL, &info) == 0, "no device: errno %d", errno);
	expect(find("/sys/bus/rpmsg/devices/*/src", "0x4d", path, sizeof(path)), "the device is not on the bus");
	expect_error(ioctl(control, RPMSG_CREATE_DEV_IOCTL, &info), ENXIO);
	expect(find("/sys/bus/rpmsg/devices/*.77.-1/rpmsg/rpmsg*", NULL, path, sizeof(path)), "the server has no device");
	snprintf(device, sizeof(device), "/dev/%s", strrchr(path, '/') + 1);
	server = open(device, O_RDWR);
	expect(server >= 0, "%s: errno %d", device, errno);
	check_called(server);
	close(server);
	expect(ioctl(control, RPMSG_RELEASE_DEV_IOCTL, &info) == 0, "not released: errno %d", errno);
	expect_error(ioctl(control, RPMSG_RELEASE_DEV_IOCTL, &info), EINVAL);
	close(control);
}

int check_rpmsg(int count, char **arguments)
{
	int fd = make_endpoint(ECHO_SERVICE, 0), other;
	char path[64];

	(void)count, (void)arguments;
	expect(fd >= 0, "no endpoint: errno %d", errno);
	check_sizes(fd);
	check_blocking(fd);
	snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	other = open(path, O_RDWR);
	expect(other < 0 && errno == EBUSY, "opened twice: errno %d", errno);
	check_endpoints();
	check_server();
	expect(ioctl(fd, RPMSG_DESTROY_EPT_IOCTL) == 0, "not destroyed: errno %d", errno);
	expect_error(read(fd, in, sizeof(in)), EPIPE);
	expect_error(write(fd, out, 1), EPIPE);
	expect(events(fd, POLLIN, 0) & POLLERR, "poll does not tell that the endpoint has gone");
	return 0;
}

int check_epipe(int count, char **arguments)
{
	int fd = make_endpoint(ECHO_SERVICE, 0);
	const char *how = count > 1 ? arguments[1] : "read";

	expect(fd >= 0, "no endpoint: errno %d", errno);
	puts("waiting");
	if (!strcmp(how, "read")) {
		expect_error(read(fd, in, sizeof(in)), EPIPE);
	} else if (!strcmp(how, "poll")) {
		expect(events(fd, POLLIN, 30000) & POLLERR, "no POLLERR");
	} else {
		while (write(fd, out, 8192) == 8192)
			; /* nobody reads the answers: at some time all is full */
		expect(errno == EPIPE, "errno %d", errno);
	}
	expect_error(write(fd, out, 1), EPIPE);
	while (read(fd, in, sizeof(in)) >= 0)
		; /* what had come before */
	expect(errno == EPIPE, "read: errno %d", errno);
	puts("EPIPE");
	return 0;
}
