// SPDX-License-Identifier: BSD-3-Clause
/* The channel to the RT side, through libvbus. Every record is read once, into memory of our own, and then checked. */
#include "rtlat.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "../../lib/vbus.h"
#include "../common/tool.h"

#define ANSWER_MS 5000

struct received received;

static struct vbus *channel;
static uint32_t serial;

static void close_channel(void)
{
	vbus_close(channel);
}

void link_open(void)
{
	channel = vbus_open(RTLAT_CHANNEL);
	if (!channel && errno == EBUSY)
		die("another rtlat has the channel");
	if (!channel && (errno == ENOENT || errno == ENOTCONN))
		die("the RT side has no channel '%s': its application is not rtlat.elf. See: vbus list", RTLAT_CHANNEL);
	if (!channel)
		die("channel %s: %s", RTLAT_CHANNEL, strerror(errno));
	atexit(close_channel);
}

static void take_samples(const unsigned char *record, size_t length)
{
	struct rtlat_samples head;

	if (length < sizeof(head))
		die("a record of samples without its head");
	memcpy(&head, record, sizeof(head));
	if (head.count != (length - sizeof(head)) / sizeof(struct rtlat_sample))
		die("a record of %" PRIu32 " samples has %zu bytes", head.count, length);
	if (head.run != received.run) { /* what was left of an older one, or the first of a new one */
		if (head.run < received.run)
			return;
		received.run = head.run;
		received.samples = 0;
	}
	for (uint32_t i = 0; i < head.count; i++) {
		memcpy(&received.last, record + sizeof(head) + i * sizeof(received.last), sizeof(received.last));
		received.samples++;
		if (received.raw)
			fprintf(received.raw, "%" PRIu32 " %.0f %.0f\n", received.last.number,
				received.last.isr * received.tick_ns, received.last.thread * received.tick_ns);
	}
}

/* One record. The type of what came, 0: nothing in time, or a signal. */
static int receive(struct rtlat_report *report, int timeout)
{
	static unsigned char record[MAX_RECORD];
	struct vbus_note note;
	ssize_t length = vbus_recv(channel, record, sizeof(record), &note, timeout);

	if (length < 0) {
		if (errno == EAGAIN || errno == EINTR || errno == ENOTCONN)
			return 0;
		die("%s", errno == EPIPE ? "the channel was reset; rtlat --attach goes on with the run" : strerror(errno));
	}
	if (note.type == RTLAT_SAMPLES)
		take_samples(record, length);
	if (note.type == RTLAT_REPORT) {
		if (length != sizeof(*report))
			die("a report of %zd bytes, not %zu: RT side and rtlat are of different versions", length,
			    sizeof(*report));
		memcpy(report, record, sizeof(*report));
		if (report->version != RTLAT_VERSION)
			die("the RT side speaks version %" PRIu32 ", this is rtlat %u", report->version, RTLAT_VERSION);
		if (report->state != RTLAT_NONE &&
		    (report->measured.version != RTMUX_MEASUREMENT_VERSION || !report->measured.clock_hz))
			die("the RT side's measurement is of version %" PRIu32 ", not %u", report->measured.version,
			    RTMUX_MEASUREMENT_VERSION);
	}
	return note.type;
}

void link_ask(uint32_t type, const struct rtlat_run *run, struct rtlat_report *report)
{
	struct rtlat_request request = {.version = RTLAT_VERSION, .serial = ++serial};
	struct vbus_note note = {.type = type};
	double deadline = now_us() + ANSWER_MS * 1e3;

	if (run)
		request.run = *run;
	while (vbus_send(channel, &request, sizeof(request), &note, ANSWER_MS))
		if (errno != EINTR && errno != EPIPE) /* of its own opening */
			die("the RT side takes no request: %s", strerror(errno));
	for (;;) {
		int left = (deadline - now_us()) / 1e3;

		int type = receive(report, left > 0 ? left : 0);

		if (type == RTLAT_REPORT && report->serial == serial)
			return;
		if (!type && now_us() > deadline) /* late is not never: where Linux is busy, we are what is late */
			die("the RT side gave no answer within %d s", ANSWER_MS / 1000);
	}
}

void link_listen(int milliseconds)
{
	struct rtlat_report ignored;
	double deadline = now_us() + milliseconds * 1e3;

	do {
		int left = (deadline - now_us()) / 1e3;

		if (receive(&ignored, left > 0 ? left : 0) == 0)
			return;
	} while (now_us() < deadline);
}
