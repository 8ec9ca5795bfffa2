// SPDX-License-Identifier: GPL-2.0-only
/*
 * Checks of V-Bus from user space, against an RT side that echoes: service
 * rpmsg-raw, channel stream. Each says what is wrong and ends with 1, or is silent.
 *
 *   rpmsg             endpoints by RPMSG_CREATE_EPT_IOCTL: sizes, isolation, poll, O_NONBLOCK, errors
 *   epipe read|poll|write   waits that way; ends with 0 once the channel went away under it
 *   map               libvbus: sizes, batches, what can be mapped, one process at a time
 *   full              libvbus against a reader that sleeps: a full ring, and room again
 *   geometry CHANNEL  libvbus on a channel of any size: all lengths, as many records at once as fit
 *   traffic MS        numbered messages; each answer once and in order, or lost by a reset
 *   restarts COUNT MODULE   the same over COUNT restarts of the driver, every fifth of its module
 *   echo, sink, mapsink     for the RT side's measurements: peer.c
 */
#include "check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

void fail(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fputs("vbuscheck: ", stdout);
	vprintf(format, arguments);
	putchar('\n');
	exit(1);
}

double now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec + time.tv_nsec / 1e9;
}

void fill(uint8_t *data, size_t size, uint32_t seed)
{
	for (size_t i = 0; i < size; i++)
		data[i] = seed * 31 + i * 7 + (i >> 8);
}

bool filled(const uint8_t *data, size_t size, uint32_t seed)
{
	for (size_t i = 0; i < size; i++)
		if (data[i] != (uint8_t)(seed * 31 + i * 7 + (i >> 8)))
			return false;
	return true;
}

int main(int count, char **arguments)
{
	static const struct {
		const char *name;
		int (*run)(int count, char **arguments);
	} checks[] = {
		{"rpmsg", check_rpmsg}, {"epipe", check_epipe},     {"map", check_map},
		{"full", check_full},   {"traffic", check_traffic}, {"restarts", check_restarts},
		{"echo", peer_echo},    {"sink", peer_sink},        {"mapsink", peer_mapsink},
		{"geometry", check_geometry},
	};

	setlinebuf(stdout);
	for (size_t i = 0; count > 1 && i < sizeof(checks) / sizeof(*checks); i++)
		if (!strcmp(arguments[1], checks[i].name))
			return checks[i].run(count - 1, arguments + 1);
	fail("no such check");
}
