// SPDX-License-Identifier: GPL-2.0-only
/* A mapped channel of any size that echoes: records of all lengths, as many at once as fit. */
#include "check.h"

#include <errno.h>
#include <stdlib.h>

#include "../../../vbus/lib/vbus.h"

#define RECORDS 5000
#define ANSWER_MS 5000

static uint8_t out[0x10000], in[0x10000];

/* Each length of a small channel; of a large one many, and often the longest. */
static size_t length_of(uint32_t number, size_t longest)
{
	return number % 16 ? number * 1009u % (longest + 1) : longest;
}

int check_geometry(int count, char **arguments)
{
	struct vbus *bus = vbus_open(count > 1 ? arguments[1] : "");
	struct vbus_counters counters;
	uint32_t sent = 0, got = 0, together = 0;
	size_t longest;

	expect(bus, "no channel: errno %d", errno);
	longest = vbus_max(bus);
	expect(longest <= sizeof(out), "%zu bytes are too long for this program", longest);
	expect_error(vbus_send(bus, out, longest + 1, NULL, 0), EMSGSIZE);
	while (got < RECORDS) {
		size_t length = length_of(sent, longest);
		ssize_t back;

		fill(out, length, sent);
		if (sent < RECORDS && vbus_send(bus, out, length, NULL, sent == got ? ANSWER_MS : 0) == 0) {
			sent++;
			if (together < sent - got)
				together = sent - got;
			continue;
		}
		expect(sent > got, "not sent: errno %d", errno);
		back = vbus_recv(bus, in, sizeof(in), NULL, ANSWER_MS);
		length = length_of(got, longest);
		expect(back == (ssize_t)length && filled(in, length, got), "record %u of %zu bytes: %zd, errno %d", got, length,
		       back, errno);
		got++;
	}
	vbus_count(bus, &counters);
	expect(!counters.resets && !counters.violations && counters.tx_full, "the counters say something else");
	expect(together > 1, "one record at a time");
	vbus_close(bus);
	return 0;
}
