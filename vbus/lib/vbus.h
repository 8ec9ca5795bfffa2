/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * libvbus: the guest's end of a V-Bus channel of kind mmap, in this process's own
 * memory. Records are sent and received without a system call; one is made to ring
 * the RT side when it sleeps, and to wait for it. See vbus(3).
 *
 * One thread at a time uses a channel. Functions that fail return -1, or NULL,
 * and set errno.
 */
#ifndef VBUS_LIB_H
#define VBUS_LIB_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

struct vbus;

/* What comes with the bytes of a record. */
struct vbus_note {
	uint16_t type, flags; /* the application's */
	uint64_t timestamp;   /* from the RT side: its clock when it sent; to it: carried unchanged */
};

/* Timeouts are milliseconds; 0: do not wait; VBUS_FOREVER: as long as it takes. */
#define VBUS_FOREVER (-1)

/* EBUSY: a process has it; ENOENT; ENOTCONN: the RT side does not offer it now. */
struct vbus *vbus_open(const char *channel);
void vbus_close(struct vbus *bus);

/*
 * Send and receive a record by copy. The note may be NULL.
 *   EAGAIN     no room, or nothing there, within the timeout
 *   EPIPE      the channel was reset: records under way may be lost, and this call did
 *              nothing. Told once: go on
 *   ENOTCONN   the RT side is not at its end (yet), within the timeout
 *   ENODEV     the device has gone: close and open again
 *   EMSGSIZE   longer than vbus_max(), or than the buffer: then the record stays
 *   EINTR      a signal came
 */
int vbus_send(struct vbus *bus, const void *data, size_t length, const struct vbus_note *note, int timeout);
ssize_t vbus_recv(struct vbus *bus, void *buffer, size_t size, struct vbus_note *note, int timeout);

/*
 * The same in place. vbus_reserve() gives room for a record, vbus_put() completes it,
 * perhaps shorter; vbus_flush() shows the RT side all that was put. vbus_peek() gives the
 * next record, vbus_next() the one behind it, and vbus_release() gives up all that were
 * looked at. The RT side can change what is not released yet: read it once.
 */
void *vbus_reserve(struct vbus *bus, size_t length, int timeout);
int vbus_put(struct vbus *bus, size_t length, const struct vbus_note *note);
int vbus_flush(struct vbus *bus);
const void *vbus_peek(struct vbus *bus, size_t *length, struct vbus_note *note, int timeout);
const void *vbus_next(struct vbus *bus, size_t *length, struct vbus_note *note);
int vbus_release(struct vbus *bus);

/* Wait for POLLIN, POLLOUT: the events that are there, 0 when the time is over. */
int vbus_wait(struct vbus *bus, short events, int timeout);
/* For poll and select in the program's own loop; level-triggered. */
int vbus_fd(const struct vbus *bus);
size_t vbus_max(const struct vbus *bus);    /* bytes of the longest record to send */
uint32_t vbus_clock(const struct vbus *bus); /* Hz of timestamps */

struct vbus_counters {
	uint64_t tx_records, tx_bytes, tx_full; /* full: tries without room */
	uint64_t rx_records, rx_bytes;
	uint64_t doorbells, doorbells_saved;
	uint64_t resets, violations;
};
void vbus_count(const struct vbus *bus, struct vbus_counters *counters);

#ifdef __cplusplus
}
#endif
#endif /* VBUS_LIB_H */
