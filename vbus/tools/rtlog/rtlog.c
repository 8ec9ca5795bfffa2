// SPDX-License-Identifier: BSD-3-Clause
/* rtlog: the RTOS's log, from Linux. Protocol: rtmux/vbus_log.h. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rtmux/vbus_log.h>

#include "../common/tool.h"

#define BATCH 64 /* lines asked for at a time */
#define IDLE_MS 200

static const char usage_text[] = "usage: rtlog [-f]     print the lines that the RTOS has kept; -f: and go on with new ones\n";

static struct port *port;
static uint32_t clock_hz, owed; /* lines that may still come */

static void ask(void)
{
	struct vbus_log_request request = {.lines = BATCH};

	if (port_send(port, &request, sizeof(request), ANSWER_TIMEOUT_MS))
		die("%s", strerror(errno));
	owed = BATCH;
}

static void print(const struct vbus_log_line *line, const char *text, size_t length)
{
	static uint32_t next;
	static bool any;
	uint64_t us = clock_hz ? line->timestamp * 1000000 / clock_hz : 0;

	if (any && line->number != next)
		printf("-- %" PRIu32 " lines were dropped\n", line->number - next);
	else if (!any && line->number)
		printf("-- %" PRIu32 " lines before are not kept\n", line->number);
	any = true;
	next = line->number + 1;
	printf("[%5" PRIu64 ".%06" PRIu64 "] %.*s\n", us / 1000000, us % 1000000, (int)length, text);
	fflush(stdout);
}

/* False: no line came in time, or the channel was reset. */
static bool one(int timeout)
{
	static union {
		struct vbus_log_line line;
		char bytes[MAX_RECORD];
	} record;
	ssize_t length = port_recv(port, &record, sizeof(record), timeout);

	if (length < 0 && errno == ETIMEDOUT)
		return false;
	if (length < 0 && errno == EPIPE)
		die("the channel was reset");
	if (length < (ssize_t)sizeof(record.line))
		die("%s", length < 0 ? strerror(errno) : "a line without its head");
	print(&record.line, record.bytes + sizeof(record.line), length - sizeof(record.line));
	if (--owed < BATCH / 2)
		ask();
	return true;
}

int main(int count, char **arguments)
{
	bool follow = count == 2 && !strcmp(arguments[1], "-f");
	struct service service;
	char hz[32];

	if (count != 1 && !follow) {
		fputs(usage_text, count == 2 && !strcmp(arguments[1], "--help") ? stdout : stderr);
		return 2;
	}
	if (!find_service(VBUS_LOG_SERVICE, &service))
		die("the RTOS offers no log; see: vbus list");
	read_line(hz, sizeof(hz), "/sys/class/vbus/%s/clock_hz", service.channel);
	clock_hz = strtoul(hz, NULL, 10);
	port = port_open(VBUS_LOG_SERVICE);
	ask();
	while (one(follow ? -1 : IDLE_MS))
		;
	return 0;
}
