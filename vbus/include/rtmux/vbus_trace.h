/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rpmsg service "rtmux-trace": copies of the executive's trace (rtmux/abi/trace.h).
 *
 * Each request is answered by one message. The guest gets records and nothing else of the ring; it can
 * neither write it nor make the RT side read other memory.
 */
#ifndef RTMUX_VBUS_TRACE_H
#define RTMUX_VBUS_TRACE_H

#include <rtmux/vbus.h>

#define VBUS_TRACE_SERVICE "rtmux-trace"

enum vbus_trace_type {
	VBUS_TRACE_STATE, /* how it stands */
	VBUS_TRACE_ON,    /* record from now on, and read from here on */
	VBUS_TRACE_OFF,
	VBUS_TRACE_READ   /* the next records, the oldest first */
};

struct vbus_trace_request {
	uint32_t type; /* enum vbus_trace_type; another one is answered as STATE */
};

#define VBUS_TRACE_MAX_RECORDS 256u /* in an answer */

struct vbus_trace_answer {
	uint32_t type;     /* of the request */
	uint32_t version;  /* RTMUX_TRACE_VERSION; 0: this executive was built without a trace */
	uint32_t clock_hz; /* of the records' time */
	uint32_t enabled;
	uint32_t waiting; /* records that wait to be read, at most RTMUX_TRACE_RECORDS */
	uint32_t lost;    /* overwritten before they were read, since ON; modulo 2^32 */
	uint32_t count;   /* records that follow: struct rtmux_trace_record, event without its number */
	uint32_t reserved;
};

VBUS_ASSERT(sizeof(struct vbus_trace_answer) == 32);

#endif /* RTMUX_VBUS_TRACE_H */
