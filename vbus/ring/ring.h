/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sending and receiving on one end of a V-Bus channel: the only implementation,
 * for the RTOS, the Linux module, libvbus and the host tests.  Protocol: docs/vbus.md.
 *
 * Both are in two steps around the caller's copy, so that a payload is built or
 * used in place; and in batches, which the peer sees at once and hears of once:
 *
 *   vbus_tx_begin, write slot.payload, vbus_tx_put; ...; vbus_tx_publish
 *   vbus_rx_begin, read message.payload; vbus_rx_next, ...; vbus_rx_release the last one
 *
 * Every function has constant cost and no loop that the peer controls. They do
 * not lock: with several threads at one end, the caller runs each function (not
 * the copy between two) under one short lock, and lets one thread at a time
 * send; of several that receive the first to release has the record. After each,
 * vbus_take_doorbell() says whether the peer is to be notified. A reset between
 * the two steps makes the second one fail.
 *
 * The peer's indices are loaded when what was seen of them does not suffice. So
 * what the peer does to its epoch is seen then, or by vbus_poll_peer, which its
 * doorbell is a reason for.
 */
#ifndef VBUS_RING_H
#define VBUS_RING_H

#include "end.h"

struct vbus_slot { /* where a record goes that is being sent */
	void *payload;
	uint32_t length; /* may be made smaller before the commit */
	uint32_t start;
	uint32_t generation;
};

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

static inline uint32_t vbus_record_size(uint32_t length)
{
	return (length + 7u + 16u) & ~7u;
}

static inline uint32_t vbus_max_length(uint32_t ring_size)
{
	/* With a skip it takes at most half the ring, so it fits wherever it falls. */
	return ring_size / 4u;
}

/* Did an index that went from before to after pass event? Modulo 2^32. */
static inline bool vbus_passed(uint32_t event, uint32_t before, uint32_t after)
{
	return event - before < after - before;
}

static inline uint32_t vbus_gap(uint32_t index, uint32_t ring_size)
{
	return ring_size - (index & (ring_size - 1));
}

/* Bytes that a record of this length takes here: with the skip before it. */
static inline uint32_t vbus_tx_need(const struct vbus_end *end, uint32_t length)
{
	uint32_t size = vbus_record_size(length), gap = vbus_gap(end->head, end->tx_size);

	return gap < size ? gap + size : size;
}

/* Bytes that are put and not known to be taken; what is left of the ring is the credit. */
static inline uint32_t vbus_tx_used(const struct vbus_end *end)
{
	return end->head - end->peer_tail;
}

static inline void vbus_congest(struct vbus_end *end)
{
	end->stats.congestions += !end->congested;
	end->congested = true;
}

/* Load the peer's tail: it lies between what it was and what we have published. */
static inline enum vbus_result vbus_load_tail(struct vbus_end *end)
{
	uint32_t tail;
	enum vbus_result result = vbus_load_index(end, &end->peer->tail, &tail);

	if (result != VBUS_OK)
		return result;
	if (tail - end->peer_tail > end->published - end->peer_tail || tail % 8)
		return vbus_violation(end);
	end->peer_tail = tail;
	if (vbus_tx_used(end) <= end->tx_low)
		end->congested = false;
	return VBUS_OK;
}

static inline bool vbus_tx_fits(const struct vbus_end *end, uint32_t length)
{
	return vbus_tx_need(end, length) <= end->tx_size - vbus_tx_used(end);
}

static inline enum vbus_result vbus_tx_room(struct vbus_end *end, uint32_t length)
{
	enum vbus_result result;

	if (length > vbus_max_length(end->tx_size))
		return VBUS_TOO_LONG;
	if (end->up && vbus_tx_fits(end, length))
		return VBUS_OK;
	result = vbus_load_tail(end);
	if (result != VBUS_OK || vbus_tx_fits(end, length))
		return result;
	vbus_congest(end);
	return VBUS_AGAIN;
}

/* Room for a record of this length, behind those that have been put. */
static inline enum vbus_result vbus_tx_begin(struct vbus_end *end, uint32_t length, struct vbus_slot *slot)
{
	enum vbus_result result = vbus_tx_room(end, length);
	uint32_t offset = end->head & (end->tx_size - 1), gap = end->tx_size - offset;

	if (result != VBUS_OK) {
		if (result == VBUS_AGAIN)
			end->stats.tx_full++;
		return result;
	}
	slot->start = end->head;
	if (gap < vbus_record_size(length)) {
		vbus_store(&end->tx[offset / 4], VBUS_SKIP, RELAXED);
		slot->start += gap;
		offset = 0;
	}
	slot->payload = &end->tx[offset / 4 + 4];
	slot->length = length;
	slot->generation = end->generation;
	return VBUS_OK;
}

/* The record is complete; the peer sees it with the next vbus_tx_publish. */
static inline enum vbus_result vbus_tx_put(struct vbus_end *end, const struct vbus_slot *slot, uint16_t type,
                                           uint16_t flags, uint64_t timestamp)
{
	uint32_t *word = &end->tx[(slot->start & (end->tx_size - 1)) / 4];
	uint32_t kind = flags, low = timestamp & 0xffffffffu, high = timestamp >> 32;

	if (slot->generation != end->generation)
		return VBUS_RESET;
	vbus_store(&word[0], slot->length, RELAXED);
	vbus_store(&word[1], kind << 16 | type, RELAXED);
	vbus_store(&word[2], low, RELAXED);
	vbus_store(&word[3], high, RELAXED);
	end->head = slot->start + vbus_record_size(slot->length);
	end->stats.tx_records++;
	end->stats.tx_bytes += slot->length;
	if (vbus_tx_used(end) > end->tx_high)
		vbus_congest(end);
	return VBUS_OK;
}

/* Show the peer all that has been put; one doorbell, if it asked for any of it. */
static inline void vbus_tx_publish(struct vbus_end *end)
{
	uint32_t before = end->published;

	if (before == end->head)
		return;
	end->published = end->head;
	/* Sequentially consistent with vbus_rx_wait: one of us sees the other. */
	vbus_store(&end->mine->head, end->head, SEQ_CST);
	if (vbus_passed(vbus_load(&end->peer->head_event, SEQ_CST), before, end->head))
		end->doorbell = true;
	else
		end->stats.doorbells_saved++;
}

static inline enum vbus_result vbus_tx_commit(struct vbus_end *end, const struct vbus_slot *slot, uint16_t type,
                                              uint16_t flags, uint64_t timestamp)
{
	enum vbus_result result = vbus_tx_put(end, slot, type, flags, timestamp);

	if (result == VBUS_OK)
		vbus_tx_publish(end);
	return result;
}

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

/*
 * Should a sender that can wait do so? From the high watermark down to the low one: what is
 * above is left to those who cannot wait.
 */
static inline bool vbus_tx_congested(struct vbus_end *end)
{
	if (end->congested)
		(void)vbus_load_tail(end);
	return end->congested;
}

/*
 * For a sender that waits for room rather than fail: until a record of this length
 * fits, and, if the ring was congested, until it has drained to the low watermark.
 * VBUS_AGAIN: a doorbell will ring then.
 */
static inline enum vbus_result vbus_tx_wait(struct vbus_end *end, uint32_t length)
{
	uint32_t fits, low;
	enum vbus_result result;

	if (length > vbus_max_length(end->tx_size))
		return VBUS_TOO_LONG;
	vbus_tx_publish(end); /* or the peer would never make room */
	/* The tail to wait for is the later one of two that lie at most a ring behind head. */
	fits = end->tx_size - vbus_tx_need(end, length);
	low = end->congested && end->tx_low < fits ? end->tx_low : fits;
	vbus_store(&end->mine->tail_event, end->head - low - 1, SEQ_CST);
	result = vbus_load_tail(end);
	if (result == VBUS_OK && vbus_tx_used(end) > low)
		return VBUS_AGAIN;
	return result;
}

#endif /* VBUS_RING_H */
