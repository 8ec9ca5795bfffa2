/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The executive's trace, version 2: the last RTMUX_TRACE_RECORDS events, in a
 * ring that an executive built with RTMUX_TRACE writes. The RTOS has its address
 * from rtmux_exec::trace, a debugger by its symbol, trace_ring. The tool takes the events'
 * names from here, so an event is added in one place.
 */
#ifndef RTMUX_ABI_TRACE_H
#define RTMUX_ABI_TRACE_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RTMUX_TRACE_MAGIC 0x43525452u /* "RTRC" */
#define RTMUX_TRACE_VERSION 2u
#define RTMUX_TRACE_RECORDS 8192u /* a power of two */

/* What the words a and b of a record are */
#define RTMUX_TRACE_TO_RT 1        /* world switch: the guest is left for a thread */
#define RTMUX_TRACE_TO_GUEST 2     /* world switch: nothing but the guest is ready */
#define RTMUX_TRACE_RT_IRQ 3       /* line: its ISR begins */
#define RTMUX_TRACE_RT_IRQ_END 4   /* line */
#define RTMUX_TRACE_GUEST_IRQ 5    /* line: a device of the guest's */
#define RTMUX_TRACE_DELIVER 6      /* pc that the guest takes a virtual interrupt at */
#define RTMUX_TRACE_EXIT 7         /* reason (guest/vcpu_offsets.h), pc */
#define RTMUX_TRACE_ENTER 8        /* pc */
#define RTMUX_TRACE_HYPERCALL 9    /* number, first argument */
#define RTMUX_TRACE_FAULT 10       /* address, DFSR or IFSR */
#define RTMUX_TRACE_DOORBELL 11    /* channel: the guest rang */
#define RTMUX_TRACE_NOTIFY 12      /* the RTOS rang */
#define RTMUX_TRACE_GUEST_STATE 13 /* RTMUX_GUEST_* */
#define RTMUX_TRACE_EXEC_IRQ 14    /* line: of the executive's, the console */
#define RTMUX_TRACE_RT_FAULT 15    /* RTMUX_FAULT_*, DFSR or IFSR: in the RTOS, or its first use of FP registers */
#define RTMUX_TRACE_LOST 16        /* how many: put there by whoever copies, for events overwritten before */

struct rtmux_trace_record {
	uint32_t time;  /* of the RT clock, low 32 bits */
	uint32_t event; /* bits 0-7: RTMUX_TRACE_*; the rest: the record's number, modulo 2^24. Written last: with
			   another number the record is an older one, or not complete */
	uint32_t a, b;
};

struct rtmux_trace {
	uint32_t magic;
	uint32_t version;
	uint32_t clock_hz;
	uint32_t enabled; /* may be written at any time; 0: nothing is recorded */
	uint32_t next;    /* records begun so far; number n is at n modulo RTMUX_TRACE_RECORDS */
	uint32_t reserved[3];
	struct rtmux_trace_record record[RTMUX_TRACE_RECORDS];
};

#ifdef __cplusplus
}
static_assert(sizeof(rtmux_trace_record) == 16);
static_assert(offsetof(rtmux_trace, record) == 32);
#endif
#endif /* RTMUX_ABI_TRACE_H */
