/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * V-Bus on the RTOS, in C.  docs/vbus.md has the protocol; vbus.hpp says more of each function.
 *
 * Results: 0 or a length, or a negative error number of errno.h: -EAGAIN (no room, nothing there, without
 * a timeout), -ETIMEDOUT, -ENOTCONN (no guest is attached), -EPIPE (the channel was reset: records under way may be
 * lost, and this call did nothing; told to all who wait, and once to the next call of each direction), -EMSGSIZE,
 * -EBUSY (somebody else is between reserve and commit), -EINTR, -EDEADLK (may not wait here).
 * A timeout is in ns: 0 does not wait, and is allowed in any context, ISRs included; VBUS_FOREVER.
 */
#ifndef VBUS_H
#define VBUS_H

#include <ring.h>

#ifdef __cplusplus
extern "C" {
#endif

struct vbus_handle; /* an open channel */

#define VBUS_FOREVER INT64_MAX

struct vbus_options { /* of a channel that is made; 0: the usual */
	uint32_t priority; /* 0 is the most urgent */
	uint32_t flags;    /* VBUS_CHANNEL_* */
	uint32_t to_guest_bytes, to_guest_high, to_guest_low;
	uint32_t to_rt_bytes, to_rt_high, to_rt_low;
};

struct vbus_note { /* what comes with a record */
	uint64_t timestamp;
	uint16_t type, flags;
};

/* The channel of this name, made with these options if there is none; options NULL: not made. NULL: there is
 * none, or no room, or a bad name or geometry. It lasts. Thread context. */
struct vbus_handle *vbus_open(const char *name, const struct vbus_options *options);

/* Type and flags of note, or 0. */
int vbus_send(struct vbus_handle *channel, const void *data, uint32_t length, const struct vbus_note *note, int64_t timeout);
/* The record's length. -EMSGSIZE: longer than size, and dropped. note may be NULL. */
int vbus_recv(struct vbus_handle *channel, void *buffer, uint32_t size, struct vbus_note *note, int64_t timeout);

/* In place: slot->payload, slot->length may shrink; commit, or put several and publish, or cancel. */
int vbus_reserve(struct vbus_handle *channel, uint32_t length, struct vbus_slot *slot, int64_t timeout);
int vbus_commit(struct vbus_handle *channel, const struct vbus_slot *slot, const struct vbus_note *note);
int vbus_put(struct vbus_handle *channel, const struct vbus_slot *slot, const struct vbus_note *note);
void vbus_publish(struct vbus_handle *channel);
void vbus_cancel(struct vbus_handle *channel, const struct vbus_slot *slot);
/* message->payload; next: the record behind it, -EAGAIN if there is none; release the last one. */
int vbus_peek(struct vbus_handle *channel, struct vbus_message *message, int64_t timeout);
int vbus_next(struct vbus_handle *channel, struct vbus_message *message);
int vbus_release(struct vbus_handle *channel, const struct vbus_message *message);

/* In the doorbell's interrupt, IRQs masked; NULL: nobody. */
void vbus_on_arrival(struct vbus_handle *channel, void (*arrival)(void *argument, struct vbus_handle *channel), void *argument);

#ifdef __cplusplus
}
#endif
#endif /* VBUS_H */
