// SPDX-License-Identifier: BSD-3-Clause
/* echo, stats: requests to the service rtmux-demo. docs/vbus.md, "The demo service". */
#include "commands.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include <rtmux/measurement.h>

#define MAX_PAYLOAD 65536

static struct {
	struct rtmux_demo_head head;
	uint8_t payload[MAX_PAYLOAD];
} request, answer;

/* The length of the answer's payload. */
static size_t ask(struct port *port, uint16_t type, size_t length)
{
	ssize_t got;

	request.head = (struct rtmux_demo_head){.type = type};
	if (port_send(port, &request, sizeof(request.head) + length, ANSWER_TIMEOUT_MS))
		die("%s", errno == EMSGSIZE ? "the record is too long" : errno == ETIMEDOUT ? "the RTOS took no record" :
		    errno == EPIPE ? "the channel was reset; records under way are lost" : strerror(errno));
	got = port_recv(port, &answer, sizeof(answer), ANSWER_TIMEOUT_MS);
	if (got < 0)
		die("%s", errno == ETIMEDOUT ? "the RTOS gave no answer" :
		    errno == EPIPE ? "the channel was reset; records under way are lost" : strerror(errno));
	if (got < (ssize_t)sizeof(answer.head) || answer.head.type != type || !(answer.head.flags & RTMUX_DEMO_REPLY))
		die("an answer of type %u, flags %u, %zd bytes to a request of type %u", answer.head.type,
		    answer.head.flags, got, type);
	return got - sizeof(answer.head);
}

static void ask_echo(struct port *port, size_t length)
{
	size_t got = ask(port, RTMUX_DEMO_ECHO, length);

	if (got != length || memcmp(request.payload, answer.payload, length))
		die("the answer differs: %zu bytes to %zu", got, length);
}

static int echo_many(unsigned long count, size_t size)
{
	double start, least = 1e300, most = 0, sum = 0, total;
	struct port *port = port_open(RTMUX_DEMO_SERVICE);
	uint32_t random = 1;

	start = now_us();
	for (unsigned long i = 0; i < count; i++) {
		double before, trip;

		for (size_t byte = 0; byte < size; byte++) {
			random = random * 1664525 + 1013904223; /* Numerical Recipes' LCG */
			request.payload[byte] = random >> 24;
		}
		before = now_us();
		ask_echo(port, size);
		trip = now_us() - before;
		least = trip < least ? trip : least;
		most = trip > most ? trip : most;
		sum += trip;
	}
	total = now_us() - start;
	printf("%lu records of %zu bytes echoed, all as sent\n", count, size);
	printf("%.0f records/s; round trip min %.1f avg %.1f max %.1f us\n", count / total * 1e6, least, sum / count,
	       most);
	return 0;
}

static int echo_text(const char *text)
{
	size_t length = strlen(text);

	if (length > MAX_PAYLOAD)
		die("the text is longer than %d bytes", MAX_PAYLOAD);
	memcpy(request.payload, text, length);
	ask_echo(port_open(RTMUX_DEMO_SERVICE), length);
	printf("%.*s\n", (int)length, (const char *)answer.payload);
	return 0;
}

int command_echo(int count, char **arguments)
{
	unsigned long records = 1000, size = 64;
	int option;

	while ((option = getopt(count, arguments, "n:s:")) != -1) {
		if (option == 'n')
			records = number(optarg, 1, 1000000000);
		else if (option == 's')
			size = number(optarg, 0, MAX_PAYLOAD);
		else
			usage();
	}
	if (optind == count)
		return echo_many(records, size);
	if (optind != 1 || count != 2)
		usage();
	return echo_text(arguments[1]);
}

static void print_raw(const char *name, const struct rtmux_latency *latency)
{
	printf("%s.count %" PRIu64 "\n%s.sum %" PRIu64 "\n", name, latency->count, name, latency->sum);
	printf("%s.min %" PRIu32 "\n%s.max %" PRIu32 "\n", name, latency->min, name, latency->max);
	printf("%s.overflow %" PRIu32 "\n", name, latency->overflow);
	for (unsigned bin = 0; bin < RTMUX_HISTOGRAM_BINS; bin++)
		if (latency->histogram[bin])
			printf("%s.bin %u %" PRIu32 "\n", name, bin, latency->histogram[bin]);
}

static void print_latency(const char *what, const struct rtmux_latency *latency, double tick_ns)
{
	uint32_t top = latency->overflow;

	printf("\n%s, %" PRIu64 " samples", what, latency->count);
	if (!latency->count) {
		putchar('\n');
		return;
	}
	printf(": min %.0f avg %.0f max %.0f ns\n", latency->min * tick_ns,
	       latency->sum * tick_ns / latency->count, latency->max * tick_ns);
	for (unsigned bin = 0; bin < RTMUX_HISTOGRAM_BINS; bin++)
		top = latency->histogram[bin] > top ? latency->histogram[bin] : top;
	for (unsigned bin = 0; bin <= RTMUX_HISTOGRAM_BINS; bin++) {
		bool last = bin == RTMUX_HISTOGRAM_BINS;
		uint32_t samples = last ? latency->overflow : latency->histogram[bin];

		if (!samples)
			continue;
		printf("%s%6.0f ns %10" PRIu32 " ", last ? ">=" : "  ", bin * tick_ns, samples);
		for (uint64_t star = 0; star <= 40ull * samples / top; star++)
			putchar('#');
		putchar('\n');
	}
}

int command_stats(int count, char **arguments)
{
	struct rtmux_measurement m;
	double tick_ns;
	size_t length;
	bool raw = count == 2 && !strcmp(arguments[1], "--raw");

	if (count != 1 && !raw)
		usage();
	length = ask(port_open(RTMUX_DEMO_SERVICE), RTMUX_DEMO_STATS, 0);
	memcpy(&m, answer.payload, sizeof(m));
	if (length != sizeof(m) || m.size != sizeof(m) || m.version != RTMUX_MEASUREMENT_VERSION || !m.clock_hz)
		die("the RTOS's measurement is of version %" PRIu32 " and %zu bytes, not %u and %zu", m.version, length,
		    RTMUX_MEASUREMENT_VERSION, sizeof(m));
	if (raw) {
		printf("clock_hz %" PRIu32 "\nbins %u\nperiod %" PRIu32 "\n", m.clock_hz, RTMUX_HISTOGRAM_BINS,
		       m.period);
		printf("periods %" PRIu64 "\nmissed %" PRIu64 "\n", m.periods, m.missed);
		print_raw("isr", &m.isr);
		print_raw("thread", &m.thread);
		return 0;
	}
	tick_ns = 1e9 / m.clock_hz;
	printf("period %.1f us, %" PRIu64 " periods, %" PRIu64 " missed\n", m.period * tick_ns / 1e3, m.periods,
	       m.missed);
	print_latency("timer expiry to interrupt handler", &m.isr, tick_ns);
	print_latency("timer expiry to thread", &m.thread, tick_ns);
	return 0;
}
