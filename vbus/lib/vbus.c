// SPDX-License-Identifier: BSD-3-Clause
/* libvbus: the ring of vbus/ring on memory that /dev/vbus/<channel> maps. */
#include "vbus.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include <region.h>
#include <rtmux/vbus_user.h>

struct vbus {
	int fd;
	uint8_t *base; /* of all areas, at the offsets of info.channel */
	struct vbus_user_info info;
	struct vbus_end end;
	uint32_t told; /* the generation that the caller knows of */
	struct vbus_slot slot;
	struct vbus_message message;
	bool reserved, looking; /* slot, message are the caller's */
};

static bool map_area(struct vbus *bus, uint32_t offset, uint32_t size, int protection)
{
	size = (size + VBUS_PAGE - 1) & ~(VBUS_PAGE - 1);
	return mmap(bus->base + offset, size, protection, MAP_SHARED | MAP_FIXED, bus->fd, offset) != MAP_FAILED;
}

/* The areas lie side by side as the device has them, each with its own protection. */
static bool map_areas(struct vbus *bus)
{
	const struct vbus_channel *at = &bus->info.channel;

	bus->base = mmap(NULL, bus->info.size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (bus->base == MAP_FAILED) {
		bus->base = NULL;
		return false;
	}
	return map_area(bus, at->control, VBUS_PAGE, PROT_READ) &&
	       map_area(bus, at->guest_control, VBUS_PAGE, PROT_READ | PROT_WRITE) &&
	       map_area(bus, at->to_guest.offset, at->to_guest.size, PROT_READ) &&
	       map_area(bus, at->to_rt.offset, at->to_rt.size, PROT_READ | PROT_WRITE);
}

/* Where sysfs finds them; not after each record, which would cost as much as the record. */
static void show_stats(struct vbus *bus)
{
	memcpy(bus->base + bus->info.channel.guest_control + VBUS_USER_STATS, &bus->end.stats, sizeof(bus->end.stats));
}

static void ring(struct vbus *bus)
{
	if (vbus_take_doorbell(&bus->end)) {
		show_stats(bus);
		(void)ioctl(bus->fd, VBUS_IOC_DOORBELL);
	}
}

struct vbus *vbus_open(const char *channel)
{
	char path[sizeof("/dev/vbus/") + VBUS_NAME_SIZE];
	struct vbus *bus;
	int error;

	if (!vbus_valid_name(channel)) {
		errno = EINVAL;
		return NULL;
	}
	bus = calloc(1, sizeof(*bus));
	if (!bus)
		return NULL;
	snprintf(path, sizeof(path), "/dev/vbus/%s", channel);
	bus->fd = open(path, O_RDWR | O_CLOEXEC);
	if (bus->fd >= 0 && ioctl(bus->fd, VBUS_IOC_INFO, &bus->info) == 0 && map_areas(bus)) {
		vbus_open_channel(&bus->end, bus->base, &bus->info.channel, VBUS_GUEST);
		(void)vbus_poll_peer(&bus->end);
		bus->told = bus->end.generation;
		ring(bus);
		return bus;
	}
	error = errno;
	if (bus->base)
		munmap(bus->base, bus->info.size);
	if (bus->fd >= 0)
		close(bus->fd);
	free(bus);
	errno = error;
	return NULL;
}

void vbus_close(struct vbus *bus)
{
	if (!bus)
		return;
	vbus_end_close(&bus->end);
	ring(bus);
	munmap(bus->base, bus->info.size);
	close(bus->fd);
	free(bus);
}

/* What a result means to the caller: 0, or -1 and errno. A reset comes first, and is told once. */
static int outcome(struct vbus *bus, enum vbus_result result)
{
	ring(bus);
	if (bus->end.generation != bus->told) {
		bus->told = bus->end.generation;
		bus->reserved = bus->looking = false;
		errno = EPIPE;
		return -1;
	}
	switch (result) {
	case VBUS_OK:
		return 0;
	case VBUS_AGAIN:
		errno = EAGAIN;
		return -1;
	case VBUS_DOWN:
		errno = ENOTCONN;
		return -1;
	case VBUS_TOO_LONG:
		errno = EMSGSIZE;
		return -1;
	default:
		errno = EPIPE;
		return -1;
	}
}

int vbus_wait(struct vbus *bus, short events, int timeout)
{
	struct pollfd poll_fd = {.fd = bus->fd, .events = events};
	int ready;

	show_stats(bus);
	ready = poll(&poll_fd, 1, timeout);
	if (ready > 0 && poll_fd.revents & (POLLHUP | POLLERR | POLLNVAL)) {
		errno = ENODEV;
		return -1;
	}
	return ready > 0 ? poll_fd.revents : ready;
}

static int64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/*
 * After a try that failed: is there to be another one? Waits for the event first.
 * *deadline is 0 at the first call. False leaves the errno of the try.
 */
static bool try_again(struct vbus *bus, short event, int timeout, int64_t *deadline)
{
	int error = errno, left = timeout, ready;

	if ((error != EAGAIN && error != ENOTCONN) || timeout == 0)
		return false;
	if (timeout > 0) {
		int64_t now = now_ms();

		if (*deadline == 0)
			*deadline = now + timeout;
		if (now >= *deadline)
			return false;
		left = *deadline - now;
	}
	ready = vbus_wait(bus, event, left);
	if (ready < 0)
		return false;
	errno = error;
	return ready > 0;
}

void *vbus_reserve(struct vbus *bus, size_t length, int timeout)
{
	int64_t deadline = 0;
	enum vbus_result result;

	do {
		result = length > UINT32_MAX ? VBUS_TOO_LONG : vbus_tx_begin(&bus->end, length, &bus->slot);
		if (result == VBUS_AGAIN) {
			vbus_tx_publish(&bus->end); /* or the RT side would never make room */
			if (timeout)
				result = vbus_tx_begin(&bus->end, length, &bus->slot);
		}
		if (outcome(bus, result) == 0) {
			bus->reserved = true;
			return bus->slot.payload;
		}
	} while (try_again(bus, POLLOUT, timeout, &deadline));
	return NULL;
}

int vbus_put(struct vbus *bus, size_t length, const struct vbus_note *note)
{
	static const struct vbus_note none;

	if (!bus->reserved || length > bus->slot.length) {
		errno = EINVAL;
		return -1;
	}
	if (!note)
		note = &none;
	bus->reserved = false;
	bus->slot.length = length;
	return outcome(bus, vbus_tx_put(&bus->end, &bus->slot, note->type, note->flags, note->timestamp));
}

int vbus_flush(struct vbus *bus)
{
	vbus_tx_publish(&bus->end);
	return outcome(bus, VBUS_OK);
}

int vbus_send(struct vbus *bus, const void *data, size_t length, const struct vbus_note *note, int timeout)
{
	void *room = vbus_reserve(bus, length, timeout);

	if (!room)
		return -1;
	if (length)
		memcpy(room, data, length);
	return vbus_put(bus, length, note) ? -1 : vbus_flush(bus);
}

static const void *looked(struct vbus *bus, size_t *length, struct vbus_note *note)
{
	bus->looking = true;
	*length = bus->message.length;
	if (note)
		*note = (struct vbus_note){bus->message.type, bus->message.flags, bus->message.timestamp};
	return bus->message.payload;
}

const void *vbus_peek(struct vbus *bus, size_t *length, struct vbus_note *note, int timeout)
{
	int64_t deadline = 0;

	do {
		if (outcome(bus, vbus_rx_begin(&bus->end, &bus->message)) == 0)
			return looked(bus, length, note);
	} while (try_again(bus, POLLIN, timeout, &deadline));
	return NULL;
}

const void *vbus_next(struct vbus *bus, size_t *length, struct vbus_note *note)
{
	struct vbus_message next = bus->message;

	if (!bus->looking)
		return vbus_peek(bus, length, note, 0);
	if (outcome(bus, vbus_rx_next(&bus->end, &next)))
		return NULL; /* what was looked at can still be released */
	bus->message = next;
	return looked(bus, length, note);
}

int vbus_release(struct vbus *bus)
{
	if (!bus->looking) {
		errno = EINVAL;
		return -1;
	}
	bus->looking = false;
	return outcome(bus, vbus_rx_release(&bus->end, &bus->message));
}

ssize_t vbus_recv(struct vbus *bus, void *buffer, size_t size, struct vbus_note *note, int timeout)
{
	size_t length;
	const void *payload = vbus_peek(bus, &length, note, timeout);

	if (!payload)
		return -1;
	if (length > size) {
		bus->looking = false;
		errno = EMSGSIZE;
		return -1;
	}
	memcpy(buffer, payload, length);
	return vbus_release(bus) ? -1 : (ssize_t)length;
}

int vbus_fd(const struct vbus *bus)
{
	return bus->fd;
}

size_t vbus_max(const struct vbus *bus)
{
	return vbus_max_length(bus->end.tx_size);
}

uint32_t vbus_clock(const struct vbus *bus)
{
	return bus->info.clock_hz;
}

void vbus_count(const struct vbus *bus, struct vbus_counters *counters)
{
	const struct vbus_stats *stats = &bus->end.stats;

	*counters = (struct vbus_counters){
		.tx_records = stats->tx_records, .tx_bytes = stats->tx_bytes, .tx_full = stats->tx_full,
		.rx_records = stats->rx_records, .rx_bytes = stats->rx_bytes,
		.doorbells = stats->doorbells, .doorbells_saved = stats->doorbells_saved,
		.resets = stats->resets, .violations = stats->violations,
	};
}
