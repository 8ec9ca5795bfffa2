// SPDX-License-Identifier: BSD-3-Clause
#include "rtlat.h"

#include <inttypes.h>

#include <rtmux/abi/rtos.h>

static const struct {
	uint32_t of_100000;
	const char *name;
} percentiles[] = {{50000, "50"}, {90000, "90"}, {99000, "99"}, {99900, "99.9"}, {99990, "99.99"}, {99999, "99.999"}};

#define PERCENTILES (sizeof(percentiles) / sizeof(*percentiles))

static double ns(const struct rtlat_report *report, double ticks)
{
	return ticks * 1e9 / report->measured.clock_hz;
}

static double average(const struct rtmux_latency *latency)
{
	return latency->count ? (double)latency->sum / (double)latency->count : 0;
}

static uint32_t least(const struct rtmux_latency *latency)
{
	return latency->count ? latency->min : 0;
}

static const char *state_name(uint32_t state)
{
	static const char *const names[] = {"none", "running", "complete", "stopped"};

	return state < sizeof(names) / sizeof(*names) ? names[state] : "unknown";
}

static const char *exit_name(uint32_t reason)
{
	static const char *const names[] = {"svc", "undefined instruction", "prefetch abort", "data abort",
					    "virtual interrupt", "boot", "none", "idle"};

	return reason < sizeof(names) / sizeof(*names) ? names[reason] : "unknown";
}

static const char *guest_name(uint32_t state)
{
	static const char *const names[] = {"stopped", "running", "failed", "off"};

	return state < sizeof(names) / sizeof(*names) ? names[state] : "unknown";
}

const char *describe_result(const struct rtlat_report *report, char *text, size_t size)
{
	switch (report->result) {
	case RTLAT_BAD_INTERVAL:
		snprintf(text, size, "the interval must be from %" PRIu32 " to %" PRIu32 " us", report->least_interval_us,
			 report->most_interval_us);
		break;
	case RTLAT_BAD_PRIORITY:
		snprintf(text, size, "the priority must be from 0, the most urgent, to %" PRIu32, report->worst_priority);
		break;
	case RTLAT_BUSY:
		snprintf(text, size, "a run is on: rtlat --attach watches it, rtlat --stop ends it");
		break;
	case RTLAT_NO_MEMORY:
		snprintf(text, size, "the RT side has no memory for its thread");
		break;
	default:
		snprintf(text, size, "the RT side did not understand the request: result %" PRIu32, report->result);
	}
	return text;
}

/* One line, as cyclictest has it; Act is the last sample that has come. */
void print_line(FILE *to, const struct rtlat_report *report, const struct rtlat_sample *last)
{
	const struct rtmux_measurement *m = &report->measured;

	fprintf(to, "P:%2" PRIu32 " I:%" PRIu32 " C:%8" PRIu64 " Min:%6.0f Act:%6.0f Avg:%6.0f Max:%6.0f ns, ISR Max:%6.0f ns",
		report->run.priority, report->run.interval_us, m->periods, ns(report, least(&m->thread)),
		ns(report, last->thread), ns(report, average(&m->thread)), ns(report, m->thread.max),
		ns(report, m->isr.max));
	if (m->missed)
		fprintf(to, ", missed %" PRIu64, m->missed);
	if (report->dropped)
		fprintf(to, ", not streamed %" PRIu32, report->dropped);
	fputc('\n', to);
}

static void print_worst(FILE *to, const struct rtlat_report *report)
{
	const struct rtlat_worst *worst = &report->worst;

	fprintf(to, "worst: sample %" PRIu32 ", ISR after %.0f ns, thread after %.0f ns; Linux ", worst->sample.number,
		ns(report, worst->sample.isr), ns(report, worst->sample.thread));
	if (worst->guest_state != RTMUX_GUEST_RUNNING) {
		fprintf(to, "was not running\n");
		return;
	}
	if (worst->exit == RTMUX_EXIT_IDLE)
		fprintf(to, "was idle");
	else if (worst->exit == RTMUX_EXIT_NONE)
		fprintf(to, "was in %s mode", worst->user_mode ? "user" : "kernel");
	else
		fprintf(to, "had left %s mode: %s", worst->user_mode ? "user" : "kernel", exit_name(worst->exit));
	if (worst->exit == RTMUX_EXIT_SVC && !worst->user_mode)
		fprintf(to, worst->hypercall ? ", hypercall %" PRIu32 : ", return from an exception", worst->hypercall);
	fprintf(to, ", pc %08" PRIx32 ", virtual interrupts %s;\n       its last hypercall was %" PRIu32
		", its last fault at %08" PRIx32 " with status %03" PRIx32 "\n",
		worst->pc, worst->irqs_off ? "masked" : "open", worst->last_hypercall, worst->last_address,
		worst->last_status);
}

static void print_histogram(FILE *to, const struct rtlat_report *report, const struct rtmux_latency *latency)
{
	for (uint32_t bin = 0; bin < RTMUX_HISTOGRAM_BINS; bin++)
		if (latency->histogram[bin])
			fprintf(to, "%8.0f ns %10" PRIu32 "\n", ns(report, bin), latency->histogram[bin]);
	if (latency->overflow)
		fprintf(to, "%8.0f ns and more %" PRIu32 "\n", ns(report, RTMUX_HISTOGRAM_BINS), latency->overflow);
}

static void print_row(FILE *to, const struct rtlat_report *report, const char *name, const struct rtmux_latency *latency)
{
	fprintf(to, "%-8s%8.0f%8.0f", name, ns(report, least(latency)), ns(report, average(latency)));
	for (size_t i = 0; i < PERCENTILES; i++)
		fprintf(to, "%8.0f", ns(report, rtmux_latency_percentile(latency, percentiles[i].of_100000)));
	fprintf(to, "%8.0f\n", ns(report, latency->max));
}

void print_summary(FILE *to, const struct rtlat_report *report, bool histogram)
{
	const struct rtmux_measurement *m = &report->measured;

	fprintf(to, "\n%" PRIu64 " samples every %" PRIu32 " us at priority %" PRIu32 ", %" PRIu64 " missed; run %" PRIu32
		" is %s. A tick is %.1f ns.\n\nns      ", m->periods, report->run.interval_us, report->run.priority,
		m->missed, report->number, state_name(report->state), ns(report, 1));
	fprintf(to, "%8s%8s", "min", "avg");
	for (size_t i = 0; i < PERCENTILES; i++)
		fprintf(to, "%7s%%", percentiles[i].name);
	fprintf(to, "%8s\n", "max");
	print_row(to, report, "ISR", &m->isr);
	print_row(to, report, "thread", &m->thread);
	if (m->periods)
		print_worst(to, report);
	if (histogram) {
		fputs("\ntimer expiry to ISR\n", to);
		print_histogram(to, report, &m->isr);
		fputs("\ntimer expiry to thread\n", to);
		print_histogram(to, report, &m->thread);
	}
}

static void json_latency(FILE *to, const struct rtlat_report *report, const char *name, const struct rtmux_latency *latency)
{
	const char *comma = "";

	fprintf(to, "  \"%s\": {\n    \"count\": %" PRIu64 ", \"sum_ticks\": %" PRIu64 ", \"min_ns\": %.1f, \"avg_ns\": %.1f, "
		"\"max_ns\": %.1f, \"overflow\": %" PRIu32 ",\n    \"percentiles_ns\": {", name, latency->count, latency->sum,
		ns(report, least(latency)), ns(report, average(latency)), ns(report, latency->max), latency->overflow);
	for (size_t i = 0; i < PERCENTILES; i++)
		fprintf(to, "%s\"%s\": %.1f", i ? ", " : "", percentiles[i].name,
			ns(report, rtmux_latency_percentile(latency, percentiles[i].of_100000)));
	fputs("},\n    \"histogram_ticks\": [", to);
	for (uint32_t bin = 0; bin < RTMUX_HISTOGRAM_BINS; bin++) {
		if (latency->histogram[bin]) {
			fprintf(to, "%s[%" PRIu32 ", %" PRIu32 "]", comma, bin, latency->histogram[bin]);
			comma = ", ";
		}
	}
	fputs("]\n  },\n", to);
}

static const char *truth(uint32_t value)
{
	return value ? "true" : "false";
}

/* Schema: docs/latency.md, "rtlat". */
void write_json(FILE *to, const struct rtlat_report *report, uint32_t samples_received)
{
	const struct rtmux_measurement *m = &report->measured;
	const struct rtlat_worst *w = &report->worst;

	fprintf(to, "{\n  \"rtlat\": %u,\n  \"clock_hz\": %" PRIu32 ",\n  \"interval_us\": %" PRIu32 ",\n  \"priority\": %" PRIu32
		",\n  \"requested\": %" PRIu32 ",\n  \"state\": \"%s\",\n  \"samples\": %" PRIu64 ",\n  \"missed\": %" PRIu64
		",\n  \"streamed\": %" PRIu32 ",\n  \"received\": %" PRIu32 ",\n  \"dropped\": %" PRIu32 ",\n", RTLAT_VERSION,
		m->clock_hz, report->run.interval_us, report->run.priority, report->run.samples, state_name(report->state),
		m->periods, m->missed, report->streamed, samples_received, report->dropped);
	json_latency(to, report, "isr", &m->isr);
	json_latency(to, report, "thread", &m->thread);
	fprintf(to, "  \"worst\": {\n    \"sample\": %" PRIu32 ", \"isr_ns\": %.1f, \"thread_ns\": %.1f,\n    \"guest\": \"%s\", "
		"\"user_mode\": %s, \"irqs_off\": %s, \"exit\": \"%s\", \"hypercall\": %" PRIu32 ",\n", w->sample.number,
		ns(report, w->sample.isr), ns(report, w->sample.thread), guest_name(w->guest_state), truth(w->user_mode),
		truth(w->irqs_off), exit_name(w->exit), w->hypercall);
	fprintf(to, "    \"pc\": \"%08" PRIx32 "\", \"lr\": \"%08" PRIx32 "\", \"sp\": \"%08" PRIx32 "\", \"cpsr\": \"%08" PRIx32
		"\",\n    \"last_hypercall\": %" PRIu32 ", \"last_fault_status\": \"%03" PRIx32 "\", \"last_fault_address\": \"%08"
		PRIx32 "\"\n  }\n}\n", w->pc, w->lr, w->sp, w->cpsr, w->last_hypercall, w->last_status, w->last_address);
}
