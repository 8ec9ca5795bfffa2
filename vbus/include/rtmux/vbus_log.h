/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The rpmsg service "rtmux-log": the RTOS's log, line by line.
 *
 * A reader sends struct vbus_log_request: so many lines may come, from the oldest
 * that is kept. Each line is one message, struct vbus_log_line and the text. Without
 * a reader, or when it asks for no more, the RTOS drops the oldest lines for new ones.
 */
#ifndef RTMUX_VBUS_LOG_H
#define RTMUX_VBUS_LOG_H

#include <rtmux/vbus.h>

#define VBUS_LOG_SERVICE "rtmux-log"

struct vbus_log_request {
	uint32_t lines; /* that may come from now on; replaces what an earlier request left */
};

struct vbus_log_line {
	uint64_t timestamp; /* RT clock, when the line was written */
	uint32_t number;    /* of lines since boot; a gap: so many were dropped */
	uint32_t reserved;
	/* the text, without a line feed, to the end of the message */
};

VBUS_ASSERT(sizeof(struct vbus_log_line) == 16);

#endif /* RTMUX_VBUS_LOG_H */
