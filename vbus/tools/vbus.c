// SPDX-License-Identifier: BSD-3-Clause
/* vbus: talk to the RTOS over V-Bus, from Linux. docs/vbus.md, "The demo service". */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <glob.h>
#include <inttypes.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <rtmux/measurement.h>
#include <rtmux/vbus_user.h>

#define DEVICE "/dev/vbus-" RTMUX_DEMO_CHANNEL
#define MAX_PAYLOAD 65536
#define ANSWER_TIMEOUT_MS 5000

struct record {
	struct vbus_user_header header;
	uint8_t payload[MAX_PAYLOAD];
};

static const char usage_text[] =
	"usage: vbus COMMAND\n"
	"  list                            the channels and their counters\n"
	"  echo TEXT                       send TEXT to the RTOS, print what comes back\n"
	"  echo [-n COUNT] [-s SIZE]       send COUNT records of SIZE bytes (1000 of 64), check each\n"
	"                                  answer; print the rate and the round trip\n"
	"  stats [--raw]                   the real-time thread's measurement; --raw: lines NAME VALUE\n";

static void __attribute__((noreturn, format(printf, 1, 2))) die(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fputs("vbus: ", stderr);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	exit(1);
}

static void __attribute__((noreturn)) usage(void)
{
	fputs(usage_text, stderr);
	exit(2);
}

static unsigned long number(const char *text, unsigned long least, unsigned long most)
{
	char *end;
	unsigned long value;

	errno = 0;
	value = strtoul(text, &end, 0);
	if (errno || end == text || *end || *text == '-' || value < least || value > most)
		die("'%s' is not a number from %lu to %lu", text, least, most);
	return value;
}

/* Opened without O_NONBLOCK nothing could time out: a dead RTOS must not hang us. */
static int open_demo(void)
{
	static struct record old;
	int fd = open(DEVICE, O_RDWR | O_NONBLOCK);

	if (fd < 0 && errno == ENOENT)
		die("no %s: is the module rtmux_vbus loaded, and does the RTOS offer the channel?", DEVICE);
	if (fd < 0)
		die("%s: %s", DEVICE, strerror(errno));
	while (read(fd, &old, sizeof(old)) > 0)
		; /* answers to somebody who has left */
	return fd;
}

static void wait_for(int fd, short events, const char *what)
{
	struct pollfd poll_fd = {.fd = fd, .events = events};
	int ready = poll(&poll_fd, 1, ANSWER_TIMEOUT_MS);

	if (ready < 0)
		die("poll: %s", strerror(errno));
	if (ready == 0)
		die("the RTOS %s for %d s", what, ANSWER_TIMEOUT_MS / 1000);
}

static void check_io(const char *what)
{
	if (errno == EPIPE)
		die("the channel was reset; records under way are lost");
	if (errno != EAGAIN && errno != EINTR)
		die("%s %s: %s", what, DEVICE, strerror(errno));
}

static void send_record(int fd, const struct record *record, size_t length)
{
	while (write(fd, record, sizeof(record->header) + length) < 0) {
		check_io("write to");
		wait_for(fd, POLLOUT, "took no record");
	}
}

static size_t receive_record(int fd, struct record *record)
{
	ssize_t bytes;

	while ((bytes = read(fd, record, sizeof(*record))) < 0) {
		check_io("read from");
		wait_for(fd, POLLIN, "gave no answer");
	}
	return bytes - sizeof(record->header);
}

/* Sends a request and returns the length of the answer in *answer. */
static size_t ask(int fd, const struct record *request, size_t length, struct record *answer)
{
	size_t got;

	send_record(fd, request, length);
	got = receive_record(fd, answer);
	if (answer->header.type == RTMUX_DEMO_UNKNOWN)
		die("the RTOS does not know requests of type %" PRIu32, request->header.type);
	if (answer->header.type != request->header.type || !(answer->header.flags & RTMUX_DEMO_REPLY))
		die("answer of type %" PRIu32 ", flags %" PRIu32 " to a request of type %" PRIu32,
		    answer->header.type, answer->header.flags, request->header.type);
	return got;
}

static struct record request, answer;

static void ask_echo(int fd, size_t length)
{
	size_t got;

	request.header = (struct vbus_user_header){.type = RTMUX_DEMO_ECHO};
	got = ask(fd, &request, length, &answer);
	if (got != length || memcmp(request.payload, answer.payload, length))
		die("the answer differs: %zu bytes to %zu", got, length);
}

static double now_us(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

static int echo_many(unsigned long count, size_t size)
{
	double start, least = 1e300, most = 0, sum = 0, total;
	uint32_t random = 1;
	int fd = open_demo();

	start = now_us();
	for (unsigned long i = 0; i < count; i++) {
		double before, trip;

		for (size_t byte = 0; byte < size; byte++) {
			random = random * 1664525 + 1013904223; /* Numerical Recipes' LCG */
			request.payload[byte] = random >> 24;
		}
		before = now_us();
		ask_echo(fd, size);
		trip = now_us() - before;
		least = trip < least ? trip : least;
		most = trip > most ? trip : most;
		sum += trip;
	}
	total = now_us() - start;
	printf("%lu records of %zu bytes echoed, all as sent\n", count, size);
	printf("%.0f records/s; round trip min %.1f avg %.1f max %.1f us\n", count / total * 1e6, least,
	       sum / count, most);
	return 0;
}

static int echo_text(const char *text)
{
	size_t length = strlen(text);

	if (length > MAX_PAYLOAD)
		die("the text is longer than %d bytes", MAX_PAYLOAD);
	memcpy(request.payload, text, length);
	ask_echo(open_demo(), length);
	printf("%.*s\n", (int)length, (const char *)answer.payload);
	return 0;
}

static int echo(int count, char **arguments)
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

static int stats(bool raw)
{
	struct rtmux_measurement m;
	double tick_ns;
	size_t length;

	request.header = (struct vbus_user_header){.type = RTMUX_DEMO_STATS};
	length = ask(open_demo(), &request, 0, &answer);
	memcpy(&m, answer.payload, sizeof(m));
	if (length != sizeof(m) || m.size != sizeof(m) || m.version != RTMUX_MEASUREMENT_VERSION || !m.clock_hz)
		die("the RTOS's measurement is of version %" PRIu32 " and %zu bytes, not %u and %zu", m.version,
		    length, RTMUX_MEASUREMENT_VERSION, sizeof(m));
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

static void print_attribute(const char *folder, const char *name)
{
	char path[256], value[64] = "?\n";
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	file = fopen(path, "r");
	if (file) {
		if (!fgets(value, sizeof(value), file))
			strcpy(value, "?\n");
		fclose(file);
	}
	printf("  %-16s %s", name, value);
}

static int list(void)
{
	static const char *const attributes[] = {
		"up", "tx_ring_size", "rx_ring_size", "tx_records", "tx_bytes", "tx_full", "rx_records",
		"rx_bytes", "doorbells", "doorbells_saved", "resets", "violations",
	};
	glob_t found;

	if (glob("/sys/class/misc/vbus-*", 0, NULL, &found))
		die("no channels: is the module rtmux_vbus loaded?");
	for (size_t i = 0; i < found.gl_pathc; i++) {
		puts(strrchr(found.gl_pathv[i], '/') + strlen("/vbus-"));
		for (size_t a = 0; a < sizeof(attributes) / sizeof(*attributes); a++)
			print_attribute(found.gl_pathv[i], attributes[a]);
	}
	globfree(&found);
	return 0;
}

int main(int count, char **arguments)
{
	const char *command = count > 1 ? arguments[1] : "";

	if (!strcmp(command, "echo"))
		return echo(count - 1, arguments + 1);
	if (!strcmp(command, "list") && count == 2)
		return list();
	if (!strcmp(command, "stats") && (count == 2 || (count == 3 && !strcmp(arguments[2], "--raw"))))
		return stats(count == 3);
	if (!strcmp(command, "--help") || !strcmp(command, "-h")) {
		fputs(usage_text, stdout);
		return 0;
	}
	usage();
}
