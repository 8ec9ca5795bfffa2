/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The service on channel "demo", and the real-time thread's measurement that
 * it reports.  Ticks are those of the RT clock (24 MHz on both boards).
 */
#ifndef RTMUX_MEASUREMENT_H
#define RTMUX_MEASUREMENT_H

#include <stdint.h>

#define RTMUX_DEMO_CHANNEL "demo"
#define RTMUX_DEMO_SERVICE "rtmux-demo" /* on a RPMSG channel */

/* What each message to and from the service starts with, before the payload. */
struct rtmux_demo_head {
	uint16_t type;  /* enum rtmux_demo_type */
	uint16_t flags; /* RTMUX_DEMO_REPLY */
};

/* Types. A request's answer has its type and RTMUX_DEMO_REPLY. */
enum rtmux_demo_type {
	RTMUX_DEMO_UNKNOWN = 0, /* answer to a type that the service does not know */
	RTMUX_DEMO_ECHO = 1,    /* answered with the same payload */
	RTMUX_DEMO_STATS = 2,   /* no payload; answered with struct rtmux_measurement */
	RTMUX_DEMO_CALL = 3,    /* the payload goes to the guest's own service rpmsg-raw; answered empty */
};

/* Flags */
#define RTMUX_DEMO_REPLY 1u

#define RTMUX_MEASUREMENT_VERSION 1u
#define RTMUX_HISTOGRAM_BINS 64u

struct rtmux_latency {
	uint64_t count;    /* samples */
	uint64_t sum;      /* ticks of all; average = sum / count */
	uint32_t min;      /* 0xffffffff while count is 0 */
	uint32_t max;
	uint32_t overflow; /* samples of RTMUX_HISTOGRAM_BINS ticks and more */
	uint32_t reserved;
	uint32_t histogram[RTMUX_HISTOGRAM_BINS]; /* a bin is one tick wide */
};

struct rtmux_measurement {
	uint32_t version;  /* RTMUX_MEASUREMENT_VERSION */
	uint32_t size;     /* sizeof(struct rtmux_measurement) */
	uint32_t clock_hz; /* of the RT clock */
	uint32_t period;   /* ticks */
	uint64_t periods;  /* timer expiries served by the thread */
	uint64_t missed;   /* expiries that found the thread still at work, or were lost */
	struct rtmux_latency isr;    /* expiry to the interrupt handler */
	struct rtmux_latency thread; /* expiry to the thread */
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

#ifdef __cplusplus
static_assert(sizeof(rtmux_latency) == 32 + 4 * RTMUX_HISTOGRAM_BINS);
static_assert(sizeof(rtmux_measurement) == 32 + 2 * sizeof(rtmux_latency));
#endif
#endif /* RTMUX_MEASUREMENT_H */
