// SPDX-License-Identifier: BSD-3-Clause
/* bench: round trips through a service or channel that sends back what it gets. */
#include "commands.h"

#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TRIPS 65536 /* of the newest the times are kept */

static uint8_t sent[MAX_RECORD], got[MAX_RECORD];
static float trips[TRIPS];

static int by_time(const void *a, const void *b)
{
	float left = *(const float *)a, right = *(const float *)b;

	return (left > right) - (left < right);
}

static void progress(double done, double elapsed, unsigned long count, size_t size)
{
	char bar[21];

	memset(bar, '.', 20);
	memset(bar, '#', done < 1 ? done * 20 : 20);
	bar[20] = 0;
	fprintf(stderr, "\r[%s] %4.1f s  %8.0f trips/s  %8.1f KiB/s ", bar, elapsed / 1e6, count / elapsed * 1e6,
		2.0 * count * size / elapsed * 1e6 / 1024);
}

static void report(unsigned long count, size_t size, double elapsed)
{
	size_t kept = count < TRIPS ? count : TRIPS;

	qsort(trips, kept, sizeof(*trips), by_time);
	printf("%lu round trips of %zu bytes in %.2f s: %.0f trips/s, %.1f KiB/s both ways\n", count, size,
	       elapsed / 1e6, count / elapsed * 1e6, 2.0 * count * size / elapsed * 1e6 / 1024);
	printf("round trip us: min %.1f median %.1f 99%% %.1f max %.1f\n", trips[0], trips[kept / 2],
	       trips[kept - 1 - kept / 100], trips[kept - 1]);
}

int command_bench(int count, char **arguments)
{
	const char *name = "rpmsg-raw";
	unsigned long size = 64, trip = 0, most = 0;
	double all = 3e6, start, now, shown;
	bool quiet = !isatty(STDERR_FILENO);
	struct port *port;
	int option;

	while ((option = getopt(count, arguments, "n:qs:t:")) != -1) {
		if (option == 's')
			size = number(optarg, 1, MAX_RECORD);
		else if (option == 't')
			all = number(optarg, 1, 100000) * 1e6;
		else if (option == 'n')
			most = number(optarg, 1, 1000000000);
		else if (option == 'q')
			quiet = true;
		else
			usage();
	}
	if (optind < count - 1)
		usage();
	if (optind == count - 1)
		name = arguments[optind];
	port = port_open(name);
	for (size_t i = 0; i < size; i++)
		sent[i] = i;
	start = shown = now = now_us();
	do {
		double before = now;
		ssize_t length;

		memcpy(sent, &trip, size < sizeof(trip) ? size : sizeof(trip));
		if (port_send(port, sent, size, ANSWER_TIMEOUT_MS))
			die("send to %s: %s", name, strerror(errno));
		length = port_recv(port, got, sizeof(got), ANSWER_TIMEOUT_MS);
		if (length < 0)
			die("receive from %s: %s", name, strerror(errno));
		if ((size_t)length != size || memcmp(sent, got, size))
			die("%s sent back something else: %zd bytes to %lu", name, length, size);
		now = now_us();
		trips[trip++ % TRIPS] = now - before;
		if (!quiet && now - shown > 250000) {
			progress(most ? (double)trip / most : (now - start) / all, now - start, trip, size);
			shown = now;
		}
	} while (most ? trip < most : now - start < all);
	if (!quiet)
		fprintf(stderr, "\r%70s\r", "");
	report(trip, size, now - start);
	return 0;
}
