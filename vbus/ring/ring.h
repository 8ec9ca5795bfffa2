/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Sending and receiving on one end of a V-Bus channel: the only implementation,
 * for the RTOS, the Linux module and the host tests.  Protocol: docs/vbus.md.
 *
 * Both are in two steps around the caller's copy, so that a payload is built or
 * used in place:
 *
 *   vbus_tx_begin, write slot.payload, vbus_tx_commit
 *   vbus_rx_begin, read message.payload, vbus_rx_release
 *
 * Every function has constant cost and no loop that the peer controls. They do
 * not lock: with several threads at one end, the caller runs each function (not
 * the copy between two) under one short lock, and lets one thread at a time
 * send and one receive. After each, vbus_take_doorbell() says whether the peer
 * is to be notified. A reset between the two steps makes the second one fail.
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
	uint32_t next;
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

static inline enum vbus_result vbus_tx_room(struct vbus_end *end, uint32_t length)
{
	uint32_t tail, used;
	enum vbus_result result;

	if (length > vbus_max_length(end->tx_size))
		return VBUS_TOO_LONG;
	result = vbus_load_index(end, &end->peer->tail, &tail);
	if (result != VBUS_OK)
		return result;
	used = end->head - tail;
	if (used > end->tx_size || used % 8)
		return vbus_violation(end);
	return vbus_tx_need(end, length) > end->tx_size - used ? VBUS_AGAIN : VBUS_OK;
}

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

static inline enum vbus_result vbus_tx_commit(struct vbus_end *end, const struct vbus_slot *slot, uint16_t type,
                                              uint16_t flags, uint64_t timestamp)
{
	uint32_t before = end->head, kind = flags;
	uint32_t *word = &end->tx[(slot->start & (end->tx_size - 1)) / 4];

	if (slot->generation != end->generation)
		return VBUS_RESET;
	word[0] = slot->length;
	word[1] = kind << 16 | type;
	word[2] = timestamp & 0xffffffffu;
	word[3] = timestamp >> 32;
	end->head = slot->start + vbus_record_size(slot->length);
	/* Sequentially consistent with vbus_rx_wait: one of us sees the other. */
	vbus_store(&end->mine->head, end->head, SEQ_CST);
	if (vbus_passed(vbus_load(&end->peer->head_event, SEQ_CST), before, end->head))
		end->doorbell = true;
	else
		end->stats.doorbells_saved++;
	end->stats.tx_records++;
	end->stats.tx_bytes += slot->length;
	return VBUS_OK;
}

/* The next record, in place; again until it is released. */
static inline enum vbus_result vbus_rx_begin(struct vbus_end *end, struct vbus_message *message)
{
	uint32_t head, available, offset, gap, length, size, word;
	enum vbus_result result = vbus_load_index(end, &end->peer->head, &head);

	if (result != VBUS_OK)
		return result;
	available = head - end->tail;
	if (available > end->rx_size || available % 8)
		return vbus_violation(end);
	if (available == 0)
		return VBUS_AGAIN;
	message->next = end->tail;
	offset = end->tail & (end->rx_size - 1);
	gap = end->rx_size - offset;
	length = vbus_load(&end->rx[offset / 4], RELAXED);
	if (length == VBUS_SKIP && gap < available) { /* never at offset 0: the gap is the ring then */
		message->next += gap;
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
	message->next += size;
	message->generation = end->generation;
	return VBUS_OK;
}

static inline enum vbus_result vbus_rx_release(struct vbus_end *end, const struct vbus_message *message)
{
	uint32_t before = end->tail;

	if (message->generation != end->generation)
		return VBUS_RESET;
	end->tail = message->next;
	vbus_store(&end->mine->tail, end->tail, SEQ_CST);
	if (vbus_passed(vbus_load(&end->peer->tail_event, SEQ_CST), before, end->tail))
		end->doorbell = true;
	end->stats.rx_records++;
	end->stats.rx_bytes += message->length;
	return VBUS_OK;
}

/* vbus_rx_begin, asking for a doorbell at the next record. VBUS_AGAIN: it will ring. */
static inline enum vbus_result vbus_rx_wait(struct vbus_end *end, struct vbus_message *message)
{
	vbus_store(&end->mine->head_event, end->tail, SEQ_CST);
	return vbus_rx_begin(end, message);
}

/* Ask for a doorbell when a record of this length fits. VBUS_AGAIN: it will ring. */
static inline enum vbus_result vbus_tx_wait(struct vbus_end *end, uint32_t length)
{
	uint32_t wanted_tail;

	if (length > vbus_max_length(end->tx_size))
		return VBUS_TOO_LONG;
	wanted_tail = end->head + vbus_tx_need(end, length) - end->tx_size;
	vbus_store(&end->mine->tail_event, wanted_tail - 1, SEQ_CST);
	return vbus_tx_room(end, length);
}

#endif /* VBUS_RING_H */
