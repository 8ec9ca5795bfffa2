/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The service on channel "demo", and the real-time thread's measurement that
 * it reports.  Ticks are those of the RT clock (24 MHz on both boards).
 */
#ifndef RTMUX_MEASUREMENT_H
#define RTMUX_MEASUREMENT_H

#include <rtmux/latency.h>
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

static inline void rtmux_measurement_reset(struct rtmux_measurement *m, uint32_t clock_hz, uint32_t period)
{
	m->version = RTMUX_MEASUREMENT_VERSION;
	m->size = sizeof(*m);
	m->clock_hz = clock_hz;
	m->period = period;
	m->periods = m->missed = 0;
	rtmux_latency_reset(&m->isr);
	rtmux_latency_reset(&m->thread);
}

#ifdef __cplusplus
static_assert(sizeof(rtmux_measurement) == 32 + 2 * sizeof(rtmux_latency));
#endif
#endif /* RTMUX_MEASUREMENT_H */
