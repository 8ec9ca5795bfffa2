/* SPDX-License-Identifier: BSD-3-Clause */
/* What sender and receiver of a V-Bus ring know of it: docs/vbus.md, "Records". */
#ifndef VBUS_RECORD_H
#define VBUS_RECORD_H

#include "end.h"

static inline uint32_t vbus_record_size(uint32_t length)
{
	return (length + 7u + 16u) & ~7u;
}

static inline uint32_t vbus_max_length(uint32_t ring_size)
{
	/* With a skip it takes at most half the ring, so it fits wherever it falls. */
	return ring_size / 4u;
}

/* Did an index that went from before to after pass event? Modulo 2^32. */
static inline bool vbus_passed(uint32_t event, uint32_t before, uint32_t after)
{
	return event - before < after - before;
}

static inline uint32_t vbus_gap(uint32_t index, uint32_t ring_size)
{
	return ring_size - (index & (ring_size - 1));
}

#endif /* VBUS_RECORD_H */
