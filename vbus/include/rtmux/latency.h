/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * A record of latencies: the one histogram of RT side, Linux and tools. C11 and
 * C++20. Ticks are those of the RT clock, 24 MHz on both boards: a bin is 41.7 ns.
 */
#ifndef RTMUX_LATENCY_H
#define RTMUX_LATENCY_H

#include <stdint.h>

#define RTMUX_HISTOGRAM_BINS 512u /* up to 21.3 us */

struct rtmux_latency {
	uint64_t count;    /* samples */
	uint64_t sum;      /* ticks of all; average = sum / count */
	uint32_t min;      /* 0xffffffff while count is 0 */
	uint32_t max;
	uint32_t overflow; /* samples of RTMUX_HISTOGRAM_BINS ticks and more */
	uint32_t reserved;
	uint32_t histogram[RTMUX_HISTOGRAM_BINS]; /* a bin is one tick wide */
};

static inline void rtmux_latency_reset(struct rtmux_latency *latency)
{
	uint32_t bin;

	latency->count = latency->sum = 0;
	latency->min = 0xffffffffu;
	latency->max = latency->overflow = latency->reserved = 0;
	for (bin = 0; bin < RTMUX_HISTOGRAM_BINS; bin++)
		latency->histogram[bin] = 0;
}

static inline void rtmux_latency_add(struct rtmux_latency *latency, uint32_t ticks)
{
	latency->count++;
	latency->sum += ticks;
	if (ticks < latency->min)
		latency->min = ticks;
	if (ticks > latency->max)
		latency->max = ticks;
	if (ticks < RTMUX_HISTOGRAM_BINS)
		latency->histogram[ticks]++;
	else
		latency->overflow++;
}

/*
 * The percentile by nearest rank, in ticks: the least that so many of 100,000 samples do
 * not exceed (99,999 of them: 99.999 %). A bin is one tick, so it is exact; but one beyond the last
 * bin, of which only the largest is known, is given as the largest. 0 of no samples.
 */
static inline uint32_t rtmux_latency_percentile(const struct rtmux_latency *latency, uint32_t of_100000)
{
	/* In two parts, or a long run would not fit in between */
	uint64_t rank = latency->count / 100000 * of_100000 + (latency->count % 100000 * of_100000 + 99999) / 100000;
	uint64_t seen = 0;
	uint32_t bin;

	if (latency->count == 0)
		return 0;
	if (rank <= 1)
		return latency->min;
	for (bin = 0; bin < RTMUX_HISTOGRAM_BINS; bin++) {
		seen += latency->histogram[bin];
		if (seen >= rank)
			return bin;
	}
	return latency->max;
}

#ifdef __cplusplus
static_assert(sizeof(rtmux_latency) == 32 + 4 * RTMUX_HISTOGRAM_BINS);
#endif
#endif /* RTMUX_LATENCY_H */
