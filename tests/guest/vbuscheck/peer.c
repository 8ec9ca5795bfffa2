// SPDX-License-Identifier: GPL-2.0-only
/*
 * The Linux ends of measurements that the RT side makes: echo SERVICE sends back what it
 * reads, sink SERVICE and mapsink CHANNEL take records as fast as they come. Each says
 * where it is with an empty message, and goes on until the channel goes.
 */
#include "check.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../../../vbus/lib/vbus.h"

static uint8_t data[0x10000];

static int open_named(int count, char **arguments)
{
	int fd;

	expect(count == 2, "whom with?");
	fd = make_endpoint(arguments[1], 0);
	expect(fd >= 0, "no endpoint for %s: errno %d", arguments[1], errno);
	expect(write(fd, data, 0) == 0, "write: errno %d", errno);
	return fd;
}

int peer_echo(int count, char **arguments)
{
	int fd = open_named(count, arguments);
	ssize_t length;

	while ((length = read(fd, data, sizeof(data))) >= 0)
		if (write(fd, data, length) != length)
			break;
	return 0;
}

int peer_sink(int count, char **arguments)
{
	int fd = open_named(count, arguments);

	while (read(fd, data, sizeof(data)) >= 0)
		;
	return 0;
}

/* Of each record the first and the last word is read. */
int peer_mapsink(int count, char **arguments)
{
	volatile uint32_t sum = 0;
	struct vbus *bus;
	size_t length;

	expect(count == 2, "which channel?");
	bus = vbus_open(arguments[1]);
	expect(bus, "channel %s: errno %d", arguments[1], errno);
	vbus_send(bus, data, 0, NULL, VBUS_FOREVER);
	for (;;) {
		const uint32_t *word = vbus_peek(bus, &length, NULL, VBUS_FOREVER);

		if (!word && errno == EPIPE)
			continue;
		if (!word)
			return 0;
		do
			if (length >= 4)
				sum += word[0] + word[length / 4 - 1];
		while ((word = vbus_next(bus, &length, NULL)));
		vbus_release(bus);
	}
}
