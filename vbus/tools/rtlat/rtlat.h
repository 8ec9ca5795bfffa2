/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef RTLAT_TOOL_H
#define RTLAT_TOOL_H

#include <stdbool.h>
#include <stdio.h>

#include <rtmux/rtlat.h>

/* report.c: what a report says, for people and for programs. The caller has checked version and clock. */
void print_line(FILE *to, const struct rtlat_report *report, const struct rtlat_sample *last);
void print_summary(FILE *to, const struct rtlat_report *report, bool histogram);
void write_json(FILE *to, const struct rtlat_report *report, uint32_t samples_received);
const char *describe_result(const struct rtlat_report *report, char *text, size_t size);

/* link.c: the RT side. All of it ends the program with a message when the RT side does not do its part. */
void link_open(void);
/* Send a request, take in samples until its answer is there. */
void link_ask(uint32_t type, const struct rtlat_run *run, struct rtlat_report *report);
/* Take in samples for so long, or until a signal comes. */
void link_listen(int milliseconds);
/* What came of that run so far, and the last of them; raw, if not NULL, gets a line for each. */
struct received {
	uint32_t run, samples;
	struct rtlat_sample last;
	FILE *raw;
	double tick_ns;
};
extern struct received received;

#endif
