// SPDX-License-Identifier: BSD-3-Clause
/* rtlat: how late the RT side is, measured there, shown here. docs/latency.md, "rtlat". */
#include "rtlat.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "../common/tool.h"

static const char usage_text[] =
	"usage: rtlat [OPTION]...\n"
	"Measure on the RT side, for each expiry of a hardware timer, when its interrupt's handler and the\n"
	"thread that waits for it begin. Shows a line each second, and a summary at the end. ^C ends the run.\n"
	"\n"
	"  -i, --interval US    of the timer (100: 10 kHz)\n"
	"  -n, --samples N      end after so many (100000); 0: at ^C\n"
	"  -p, --priority P     of the RT thread, 0 is the most urgent (1)\n"
	"  -a, --attach         watch the run that is on, or show the last one's result\n"
	"  -s, --stop           end the run that is on, and show its result\n"
	"  -q, --quiet          no line each second\n"
	"  -H, --histogram      both histograms with the summary\n"
	"  -j, --json FILE      write the result as JSON; -: to the output, and nothing else\n"
	"  -r, --raw FILE       write each sample that comes: number, ns to the ISR, ns to the thread\n"
	"  -h, --help\n"
	"\n"
	"A run is the RT side's: it goes on when this program is killed. Exit status: 0, the run has all its\n"
	"samples, or was ended by ^C or --stop; 1, it could not be had; 2, a wrong option.\n"
	"To plot FILE on a host: tools/rtmux rtlat --plot FILE\n";

static const struct option options[] = {
	{"interval", required_argument, NULL, 'i'}, {"samples", required_argument, NULL, 'n'},
	{"priority", required_argument, NULL, 'p'}, {"attach", no_argument, NULL, 'a'},
	{"stop", no_argument, NULL, 's'},           {"quiet", no_argument, NULL, 'q'},
	{"histogram", no_argument, NULL, 'H'},      {"json", required_argument, NULL, 'j'},
	{"raw", required_argument, NULL, 'r'},      {"help", no_argument, NULL, 'h'},
	{NULL, 0, NULL, 0},
};

static struct {
	struct rtlat_run run;
	bool attach, stop, quiet, histogram;
	const char *json, *raw;
} chosen = {.run = {.interval_us = 100, .priority = 1, .samples = 100000}};

static volatile sig_atomic_t interrupted;

static void interrupt(int number)
{
	(void)number;
	interrupted = 1;
}

static void parse(int count, char **arguments)
{
	int option;

	while ((option = getopt_long(count, arguments, "i:n:p:asqHj:r:h", options, NULL)) != -1) {
		switch (option) {
		case 'i': chosen.run.interval_us = number(optarg, 0, UINT32_MAX); break;
		case 'n': chosen.run.samples = number(optarg, 0, UINT32_MAX); break;
		case 'p': chosen.run.priority = number(optarg, 0, UINT32_MAX); break;
		case 'a': chosen.attach = true; break;
		case 's': chosen.stop = true; break;
		case 'q': chosen.quiet = true; break;
		case 'H': chosen.histogram = true; break;
		case 'j': chosen.json = optarg; break;
		case 'r': chosen.raw = optarg; break;
		case 'h':
			fputs(usage_text, stdout);
			exit(0);
		default:
			fputs("rtlat --help lists the options\n", stderr);
			exit(2);
		}
	}
	if (optind != count || (chosen.attach && chosen.stop)) {
		fputs(optind != count ? "rtlat: takes no arguments but options; rtlat --help lists them\n" :
				       "rtlat: --attach and --stop exclude each other\n", stderr);
		exit(2);
	}
}

/* Before anything is measured: a file that cannot be written is known at once. */
static FILE *create(const char *path)
{
	FILE *file;

	if (!path)
		return NULL;
	file = strcmp(path, "-") ? fopen(path, "w") : stdout;
	if (!file)
		die("%s: %s", path, strerror(errno));
	return file;
}

static void finish(FILE *file, const char *path)
{
	if (file && (ferror(file) || fclose(file)))
		die("%s: %s", path, strerror(errno));
}

static void begin(struct rtlat_report *report)
{
	char text[160];

	link_ask(chosen.stop ? RTLAT_STOP : chosen.attach ? RTLAT_REPORT : RTLAT_START, &chosen.run, report);
	if (report->result != RTLAT_OK)
		die("%s", describe_result(report, text, sizeof(text)));
	if (report->state == RTLAT_NONE)
		die("there was no run yet");
	received.tick_ns = 1e9 / report->measured.clock_hz;
	if (received.run != report->number)
		received.samples = 0;
	received.run = report->number;
}

/* Until it ends, or a signal ends it. */
static void watch(struct rtlat_report *report, FILE *lines)
{
	while (report->state == RTLAT_RUNNING) {
		double deadline = now_us() + 1e6;

		while (!interrupted && now_us() < deadline)
			link_listen(100);
		link_ask(interrupted ? RTLAT_STOP : RTLAT_REPORT, NULL, report);
		if (lines)
			print_line(lines, report, &received.last);
	}
	/* What is on its way: the RT side has sent or dropped all of it once the numbers agree. */
	for (int tries = 0; report->streamed + report->dropped != (uint32_t)report->measured.periods && tries < 50; tries++) {
		link_listen(100);
		link_ask(RTLAT_REPORT, NULL, report);
	}
}

int main(int count, char **arguments)
{
	struct sigaction action = {.sa_handler = interrupt};
	static struct rtlat_report report;
	bool only_json;
	FILE *json;

	parse(count, arguments);
	only_json = chosen.json && !strcmp(chosen.json, "-");
	sigaction(SIGINT, &action, NULL);
	sigaction(SIGTERM, &action, NULL);
	link_open();
	json = create(chosen.json);
	received.raw = create(chosen.raw);
	begin(&report);
	watch(&report, chosen.quiet || only_json ? NULL : stdout);
	if (!only_json)
		print_summary(stdout, &report, chosen.histogram);
	if (json)
		write_json(json, &report, received.samples);
	finish(json, chosen.json);
	finish(received.raw, chosen.raw);
	return 0;
}
