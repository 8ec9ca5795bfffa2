// SPDX-License-Identifier: BSD-3-Clause
/* One interface to the two kinds of channels. */
#include "tool.h"

#include <errno.h>
#include <linux/rpmsg.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "../../lib/vbus.h"

struct port {
	struct vbus *bus; /* of a MMAP channel */
	int fd;           /* of an endpoint */
};

static struct port the_port; /* a process uses one */

static void close_at_exit(void)
{
	port_close(&the_port);
}

struct port *port_open(const char *name)
{
	struct port *port = &the_port;
	struct service service;
	char kind[16];

	read_line(kind, sizeof(kind), "/sys/class/vbus/%s/kind", name);
	port->fd = -1;
	if (!strcmp(kind, "mmap")) {
		port->bus = vbus_open(name);
		if (!port->bus)
			die("channel %s: %s", name, strerror(errno));
	} else if (find_service(name, &service)) {
		port->fd = open_endpoint(&service);
	} else {
		die("no service or mmap channel named %s; see: vbus list", name);
	}
	atexit(close_at_exit);
	return port;
}

void port_close(struct port *port)
{
	vbus_close(port->bus);
	port->bus = NULL;
	if (port->fd >= 0) {
		(void)ioctl(port->fd, RPMSG_DESTROY_EPT_IOCTL);
		close(port->fd);
		port->fd = -1;
	}
}

/* After EAGAIN. False, and errno: do not try again. */
static bool wait_for(int fd, short events, int timeout)
{
	struct pollfd poll_fd = {.fd = fd, .events = events};
	int ready;

	if (errno != EAGAIN)
		return false;
	ready = poll(&poll_fd, 1, timeout);
	if (ready == 0)
		errno = ETIMEDOUT;
	return ready > 0;
}

int port_send(struct port *port, const void *data, size_t length, int timeout)
{
	if (port->bus) {
		if (vbus_send(port->bus, data, length, NULL, timeout) == 0)
			return 0;
		if (errno == EAGAIN || errno == ENOTCONN)
			errno = ETIMEDOUT;
		return -1;
	}
	while (write(port->fd, data, length) < 0)
		if (!wait_for(port->fd, POLLOUT, timeout))
			return -1;
	return 0;
}

ssize_t port_recv(struct port *port, void *data, size_t size, int timeout)
{
	ssize_t length;

	if (port->bus) {
		length = vbus_recv(port->bus, data, size, NULL, timeout);
		if (length < 0 && (errno == EAGAIN || errno == ENOTCONN))
			errno = ETIMEDOUT;
		return length;
	}
	while ((length = read(port->fd, data, size)) < 0)
		if (!wait_for(port->fd, POLLIN, timeout))
			return -1;
	return length;
}
