/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Channel "rtlat" of kind mmap: Linux asks the RT application rtlat for runs of its latency
 * measurement, and has its samples. A record's type is an enum rtlat_type. Every request is answered by one
 * report; records of samples come between them. Times are ticks of the RT clock.
 */
#ifndef RTMUX_RTLAT_H
#define RTMUX_RTLAT_H

#include <rtmux/measurement.h>
#include <stdint.h>

#define RTLAT_CHANNEL "rtlat"
#define RTLAT_VERSION 1u

enum rtlat_type {
	RTLAT_START = 1,  /* struct rtlat_request: forget the last run, begin this one */
	RTLAT_STOP = 2,   /* struct rtlat_request without a run: end what is on */
	RTLAT_REPORT = 3, /* the same; and struct rtlat_report, the answer to all */
	RTLAT_SAMPLES = 4 /* struct rtlat_samples, from the RT side */
};

struct rtlat_run {
	uint32_t interval_us; /* of the timer */
	uint32_t priority;    /* of the thread; 0 is the most urgent */
	uint32_t samples;     /* the run's end; 0: until it is stopped */
	uint32_t reserved;
};

struct rtlat_request {
	uint32_t version; /* RTLAT_VERSION */
	uint32_t serial;  /* comes back with the answer */
	struct rtlat_run run;
};

enum rtlat_result {
	RTLAT_OK,
	RTLAT_UNKNOWN,      /* a version, type or length that this RT side does not know */
	RTLAT_BAD_INTERVAL, /* not within the report's limits */
	RTLAT_BAD_PRIORITY,
	RTLAT_BUSY,         /* a run is on */
	RTLAT_NO_MEMORY     /* for the thread */
};

enum rtlat_state {
	RTLAT_NONE, /* there was no run yet */
	RTLAT_RUNNING,
	RTLAT_COMPLETE, /* it has all its samples */
	RTLAT_STOPPED
};

struct rtlat_sample {
	uint32_t number; /* in its run, from 0 */
	uint32_t isr;    /* from the timer's expiry to the ISR */
	uint32_t thread; /* and to the thread */
};

/* The slowest sample, and what the guest was doing: struct rtmux_guest_context of rtmux/abi/rtos.h */
struct rtlat_worst {
	struct rtlat_sample sample;
	uint32_t guest_state;    /* RTMUX_GUEST_*; the rest is 0 unless it is RUNNING */
	uint32_t user_mode;
	uint32_t irqs_off;
	uint32_t pc, lr, sp, cpsr;
	uint32_t exit;           /* RTMUX_EXIT_* */
	uint32_t hypercall;
	uint32_t last_hypercall; /* what was last, long ago perhaps */
	uint32_t last_status, last_address;
	uint32_t reserved;
};

struct rtlat_report {
	uint32_t version; /* RTLAT_VERSION */
	uint32_t size;    /* sizeof(struct rtlat_report) */
	uint32_t serial;  /* of the request */
	uint32_t result;  /* enum rtlat_result */
	uint32_t least_interval_us, most_interval_us, worst_priority; /* limits of a run */
	uint32_t state;      /* enum rtlat_state */
	uint32_t number;     /* of the run since boot, from 1 */
	struct rtlat_run run;
	uint32_t streamed;   /* samples of it sent so far, in records before this one; modulo 2^32 */
	uint32_t dropped;    /* and those that found no room, or no reader */
	uint32_t reserved;
	struct rtlat_worst worst;
	struct rtmux_measurement measured; /* of all samples, dropped ones too */
};

struct rtlat_samples {
	uint32_t run; /* its number */
	uint32_t count;
	/* then so many struct rtlat_sample, in order; numbers that are left out were dropped */
};

#ifdef __cplusplus
static_assert(sizeof(rtlat_request) == 24 && sizeof(rtlat_sample) == 12 && sizeof(rtlat_worst) == 64);
static_assert(sizeof(rtlat_report) == 128 + sizeof(rtmux_measurement));
#endif
#endif /* RTMUX_RTLAT_H */
