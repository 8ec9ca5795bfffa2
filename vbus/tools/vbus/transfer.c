// SPDX-License-Identifier: BSD-3-Clause
/* send, recv: records from and to the standard streams. */
#include "commands.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static uint8_t record[MAX_RECORD];

/* A text is a record; without one, each line of the input is. */
int command_send(int count, char **arguments)
{
	char *line = NULL;
	struct port *port;
	ssize_t length;
	size_t size = 0;

	if (count != 2 && count != 3)
		usage();
	port = port_open(arguments[1]);
	if (count == 3) {
		if (port_send(port, arguments[2], strlen(arguments[2]), ANSWER_TIMEOUT_MS))
			die("send to %s: %s", arguments[1], strerror(errno));
		return 0;
	}
	while ((length = getline(&line, &size, stdin)) > 0)
		if (port_send(port, line, length, -1))
			die("send to %s: %s", arguments[1], strerror(errno));
	free(line);
	return 0;
}

/* Each record as it is, -x in hexadecimal on a line; -n COUNT, -t SECONDS without one end it. */
int command_recv(int count, char **arguments)
{
	unsigned long records = 0, most = 0;
	bool hexadecimal = false;
	int option, timeout = -1;
	struct port *port;

	while ((option = getopt(count, arguments, "n:t:x")) != -1) {
		if (option == 'n')
			most = number(optarg, 1, 1000000000);
		else if (option == 't')
			timeout = number(optarg, 0, 1000000) * 1000;
		else if (option == 'x')
			hexadecimal = true;
		else
			usage();
	}
	if (optind != count - 1)
		usage();
	port = port_open(arguments[optind]);
	while (most == 0 || records < most) {
		ssize_t length = port_recv(port, record, sizeof(record), timeout);

		if (length < 0 && errno == EPIPE)
			die("the channel was reset; records may be lost");
		if (length < 0 && errno == ETIMEDOUT)
			return 1;
		if (length < 0)
			die("receive from %s: %s", arguments[optind], strerror(errno));
		records++;
		if (hexadecimal) {
			for (ssize_t i = 0; i < length; i++)
				printf("%02x", record[i]);
			putchar('\n');
		} else {
			fwrite(record, 1, length, stdout);
		}
		fflush(stdout);
	}
	return 0;
}
