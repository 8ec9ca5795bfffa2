/* SPDX-License-Identifier: BSD-3-Clause */
/* The receiving half of ring.h. */
#ifndef VBUS_RECEIVE_H
#define VBUS_RECEIVE_H

#include "record.h"

struct vbus_message { /* a received record, in place */
	const void *payload;
	uint64_t timestamp;
	uint32_t length;
	uint16_t type, flags;
	uint32_t first;          /* where the batch starts: the tail then */
	uint32_t next;           /* where the one behind it starts */
	uint32_t records, bytes; /* of the batch so far, this one included */
	uint32_t generation;
};

/* Load the peer's head: it does not go back, nor beyond the ring. */
static inline enum vbus_result vbus_load_head(struct vbus_end *end)
{
	uint32_t head;
	enum vbus_result result = vbus_load_index(end, &end->peer->head, &head);

	if (result != VBUS_OK)
		return result;
	if (head - end->peer_head > end->tail + end->rx_size - end->peer_head || head % 8)
		return vbus_violation(end);
	end->peer_head = head;
	return VBUS_OK;
}

/* The record at position at, in place. */
static inline enum vbus_result vbus_rx_record(struct vbus_end *end, uint32_t at, struct vbus_message *message)
{
	uint32_t available = end->peer_head - at, offset = at & (end->rx_size - 1), gap = end->rx_size - offset;
	uint32_t length, size, word;

	length = vbus_load(&end->rx[offset / 4], RELAXED);
	if (length == VBUS_SKIP && gap < available && offset) {
		at += gap;
		available -= gap;
		offset = 0;
		gap = end->rx_size;
		length = vbus_load(&end->rx[0], RELAXED);
	}
	if (length > vbus_max_length(end->rx_size))
		return vbus_violation(end);
	size = vbus_record_size(length);
	if (size > available || size > gap)
		return vbus_violation(end);
	word = vbus_load(&end->rx[offset / 4 + 1], RELAXED);
	message->type = word & 0xffffu;
	message->flags = word >> 16;
	message->timestamp = vbus_load(&end->rx[offset / 4 + 3], RELAXED);
	message->timestamp = message->timestamp << 32 | vbus_load(&end->rx[offset / 4 + 2], RELAXED);
	message->length = length;
	message->payload = &end->rx[offset / 4 + 4];
	message->next = at + size;
	message->generation = end->generation;
	return VBUS_OK;
}

static inline enum vbus_result vbus_rx_at(struct vbus_end *end, uint32_t at, struct vbus_message *message)
{
	if (!end->up || at == end->peer_head) {
		enum vbus_result result = vbus_load_head(end);

		if (result != VBUS_OK)
			return result;
		if (at == end->peer_head)
			return VBUS_AGAIN;
	}
	return vbus_rx_record(end, at, message);
}

/* The next record, in place; again until it is released. */
static inline enum vbus_result vbus_rx_begin(struct vbus_end *end, struct vbus_message *message)
{
	enum vbus_result result = vbus_rx_at(end, end->tail, message);

	if (result == VBUS_OK) {
		message->first = end->tail;
		message->records = 1;
		message->bytes = message->length;
	}
	return result;
}

/*
 * *message becomes the record behind it; neither is released. VBUS_AGAIN: there is none, or somebody
 * else at this end has released *message meanwhile, and what is behind it may be no record any more.
 */
static inline enum vbus_result vbus_rx_next(struct vbus_end *end, struct vbus_message *message)
{
	enum vbus_result result;

	if (message->generation != end->generation)
		return VBUS_RESET;
	if (message->first != end->tail)
		return VBUS_AGAIN;
	result = vbus_rx_at(end, message->next, message);
	if (result == VBUS_OK) {
		message->records++;
		message->bytes += message->length;
	}
	return result;
}

/*
 * Give the sender the room of this record and of all before it. VBUS_AGAIN: somebody else at this
 * end has released it meanwhile, and what was read of it may have been something else.
 */
static inline enum vbus_result vbus_rx_release(struct vbus_end *end, const struct vbus_message *message)
{
	uint32_t before = end->tail;

	if (message->generation != end->generation)
		return VBUS_RESET;
	if (message->first != before)
		return VBUS_AGAIN;
	end->tail = message->next;
	vbus_store(&end->mine->tail, end->tail, SEQ_CST);
	if (vbus_passed(vbus_load(&end->peer->tail_event, SEQ_CST), before, end->tail))
		end->doorbell = true;
	else
		end->stats.doorbells_saved++;
	end->stats.rx_records += message->records;
	end->stats.rx_bytes += message->bytes;
	return VBUS_OK;
}

/* vbus_rx_begin, asking for a doorbell at the next record. VBUS_AGAIN: it will ring. */
static inline enum vbus_result vbus_rx_wait(struct vbus_end *end, struct vbus_message *message)
{
	vbus_store(&end->mine->head_event, end->tail, SEQ_CST);
	return vbus_rx_begin(end, message);
}

#endif /* VBUS_RECEIVE_H */
