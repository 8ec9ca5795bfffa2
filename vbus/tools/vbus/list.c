// SPDX-License-Identifier: BSD-3-Clause
/* list: channels and services. info: all that sysfs and debugfs say of a channel. */
#include "commands.h"

#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void column(const char *channel, const char *attribute, int width)
{
	char text[64];

	read_line(text, sizeof(text), "/sys/class/vbus/%s/%s", channel, attribute);
	printf(" %*s", width, *text ? text : "?");
}

int command_list(int count, char **arguments)
{
	static struct service services[256];
	size_t found;
	glob_t paths;

	(void)arguments;
	if (count != 1)
		usage();
	if (glob("/sys/class/vbus/*", 0, NULL, &paths))
		die("no channels: is the module rtmux_vbus loaded?");
	printf("%-15s %5s %2s %9s %9s %10s %10s %7s\n", "channel", "kind", "up", "to rt", "to linux", "sent", "received",
	       "resets");
	for (size_t i = 0; i < paths.gl_pathc; i++) {
		const char *channel = strrchr(paths.gl_pathv[i], '/') + 1;

		printf("%-15s", channel);
		column(channel, "kind", 5);
		column(channel, "up", 2);
		column(channel, "tx_ring_size", 9);
		column(channel, "rx_ring_size", 9);
		column(channel, "tx_records", 10);
		column(channel, "rx_records", 10);
		column(channel, "resets", 7);
		putchar('\n');
	}
	globfree(&paths);
	found = find_services(services, sizeof(services) / sizeof(*services));
	if (found)
		printf("\n%-31s %-15s %7s %s\n", "service", "channel", "address", "device");
	for (size_t i = 0; i < found; i++)
		printf("%-31s %-15s %7u %s\n", services[i].name, services[i].channel, (unsigned)services[i].address,
		       *services[i].device ? services[i].device : "-");
	return 0;
}

int command_info(int count, char **arguments)
{
	static const char *const attributes[] = {
		"kind", "priority", "clock_hz", "up", "tx_ring_size", "rx_ring_size", "tx_depth", "rx_depth", "tx_records", "tx_bytes",
		"tx_full", "rx_records", "rx_bytes", "rx_dropped", "interrupts", "doorbells", "doorbells_saved",
		"congestions", "resets", "violations",
	};
	char path[128], line[128];
	FILE *latency;

	if (count != 2)
		usage();
	snprintf(path, sizeof(path), "/sys/class/vbus/%s", arguments[1]);
	if (access(path, F_OK))
		die("no channel %s; see: vbus list", arguments[1]);
	for (size_t i = 0; i < sizeof(attributes) / sizeof(*attributes); i++) {
		read_line(line, sizeof(line), "%s/%s", path, attributes[i]);
		printf("%-16s %s\n", attributes[i], *line ? line : "?");
	}
	snprintf(path, sizeof(path), "/sys/kernel/debug/vbus/%s/latency", arguments[1]);
	latency = fopen(path, "r");
	if (!latency)
		return 0;
	puts("\nfrom the RT side's send to the endpoint, less than ns: records");
	while (fgets(line, sizeof(line), latency))
		printf("%s", line);
	fclose(latency);
	return 0;
}
