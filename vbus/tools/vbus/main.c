// SPDX-License-Identifier: BSD-3-Clause
/* vbus: talk to the RTOS over V-Bus, from Linux. docs/vbus.md, "Tools". */
#include "commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name;
	int (*run)(int count, char **arguments);
} commands[] = {
	{"list", command_list}, {"info", command_info}, {"send", command_send}, {"recv", command_recv},
	{"echo", command_echo}, {"stats", command_stats}, {"bench", command_bench},
};

static const char usage_text[] =
	"usage: vbus COMMAND        NAME is a service, or a channel of kind mmap\n"
	"  list                            channels, and services on them\n"
	"  info CHANNEL                    its state, counters and latency histogram\n"
	"  send NAME [TEXT]                send TEXT, or each line of the input, as a record\n"
	"  recv [-x] [-n COUNT] [-t SECONDS] NAME\n"
	"                                  print records, -x in hexadecimal; -t: end with 1 when none comes\n"
	"  echo TEXT                       send TEXT to the demo, print what comes back\n"
	"  echo [-n COUNT] [-s SIZE]       send COUNT records of SIZE bytes (1000 of 64), check each\n"
	"                                  answer; print the rate and the round trip\n"
	"  stats [--raw]                   the real-time thread's measurement; --raw: lines NAME VALUE\n"
	"  bench [-q] [-s SIZE] [-t SECONDS | -n COUNT] [NAME]\n"
	"                                  round trips through what echoes (3 s of 64 bytes, rpmsg-raw)\n";

void usage(void)
{
	fputs(usage_text, stderr);
	exit(2);
}

int main(int count, char **arguments)
{
	if (count < 2)
		usage();
	if (!strcmp(arguments[1], "--help") || !strcmp(arguments[1], "-h")) {
		fputs(usage_text, stdout);
		return 0;
	}
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		if (!strcmp(arguments[1], commands[i].name))
			return commands[i].run(count - 1, arguments + 1);
	usage();
}
