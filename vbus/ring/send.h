/* SPDX-License-Identifier: BSD-3-Clause */
/* The sending half of ring.h. */
#ifndef VBUS_SEND_H
#define VBUS_SEND_H

#include "record.h"

struct vbus_slot { /* where a record goes that is being sent */
	void *payload;
	uint32_t length; /* may be made smaller before the commit */
	uint32_t start;
	uint32_t generation;
};

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

#endif /* VBUS_SEND_H */
