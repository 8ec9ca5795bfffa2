/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * The V-Bus region as a whole: formatting it (RT side), attaching to it (guest),
 * and making a channel's end out of a directory entry.  Protocol: docs/vbus.md.
 */
#ifndef VBUS_REGION_H
#define VBUS_REGION_H

#include "ring.h"

#ifdef __cplusplus
#define VBUS_AT(type, base, offset) reinterpret_cast<type *>(static_cast<uint8_t *>(base) + (offset))
#else
#define VBUS_AT(type, base, offset) ((type *)((uint8_t *)(base) + (offset)))
#endif

enum vbus_role { VBUS_RT, VBUS_GUEST };

enum vbus_attach {
	VBUS_ATTACHED,
	VBUS_NOT_READY,   /* not formatted, or the RT side is not there: try later */
	VBUS_BAD_VERSION, /* formatted by something newer or older */
	VBUS_BAD_REGION,  /* larger than the memory, or features without meaning */
};

static inline struct vbus_header *vbus_header_of(void *base)
{
	return VBUS_AT(struct vbus_header, base, 0);
}

/* One word of the header or directory, once. */
static inline uint32_t vbus_word(const uint32_t *word)
{
	return vbus_load(word, ACQUIRE);
}

static inline void vbus_set(uint32_t *word, uint32_t value)
{
	vbus_store(word, value, RELEASE);
}

/*
 * RT side: format the region. Whatever was in it gives way; the epoch is not 0
 * and not the one before. Constant cost, for it is called with IRQs masked too.
 */
static inline void vbus_format(void *base, uint32_t size, uint32_t clock_hz, uint32_t epoch)
{
	struct vbus_header *header = vbus_header_of(base);

	vbus_set(&header->magic, 0);
	header->version = VBUS_VERSION;
	header->size = size;
	header->epoch = epoch;
	header->channel_count = 0;
	header->clock_hz = clock_hz;
	header->guest.state = VBUS_STATE_RESET;
	header->guest.features = 0;
	header->rt.features = VBUS_FEATURES;
	header->rt.rung[0] = header->rt.rung[1] = 0;
	header->rt.epoch = epoch;
	header->rt.state = VBUS_STATE_READY;
	vbus_set(&header->magic, VBUS_MAGIC);
}

/* RT side: the epoch to format a region with that may have been one before. */
static inline uint32_t vbus_next_epoch(uint32_t before)
{
	return before + 1 ? before + 1 : 1;
}

/* Guest: is there a region to attach to? *epoch is the one to attach for. */
static inline enum vbus_attach vbus_check_region(void *base, uint32_t size, uint32_t *epoch)
{
	struct vbus_header *header = vbus_header_of(base);
	uint32_t state = vbus_word(&header->rt.state);

	if (size < VBUS_PAGE)
		return VBUS_BAD_REGION;
	*epoch = vbus_word(&header->epoch);
	if (vbus_word(&header->magic) != VBUS_MAGIC || *epoch == 0)
		return VBUS_NOT_READY;
	if (vbus_word(&header->version) != VBUS_VERSION)
		return VBUS_BAD_VERSION;
	if (vbus_word(&header->size) > size)
		return VBUS_BAD_REGION;
	if (state != VBUS_STATE_READY && state != VBUS_STATE_RUNNING)
		return VBUS_NOT_READY;
	return VBUS_ATTACHED;
}

static inline void vbus_set_guest(void *base, uint32_t epoch, enum vbus_state state)
{
	struct vbus_peer *guest = &vbus_header_of(base)->guest;

	vbus_set(&guest->epoch, epoch);
	vbus_set(&guest->state, state);
}

/* Guest: use of the features offered those of `wanted`; from now on vbus_take_rung() counts. */
static inline void vbus_accept_features(void *base, uint32_t wanted)
{
	struct vbus_header *header = vbus_header_of(base);
	uint32_t i;

	for (i = 0; i < 2; i++)
		vbus_set(&header->guest.seen[i], vbus_word(&header->rt.rung[i]));
	vbus_set(&header->guest.features, vbus_word(&header->rt.features) & wanted & VBUS_FEATURES);
}

/*
 * RT side, with VBUS_FEATURE_RUNG: mark a channel as rung for; rung[] is the RT side's own copy.
 * False: it was marked, and the guest, which has not answered yet, will look at the channel.
 */
static inline bool vbus_mark_rung(void *base, uint32_t rung[2], uint32_t channel)
{
	struct vbus_header *header = vbus_header_of(base);
	uint32_t word = channel / 32u % 2u, bit = 1u << channel % 32u;

	if (!(vbus_word(&header->guest.features) & VBUS_FEATURE_RUNG))
		return true;
	if ((rung[word] ^ vbus_load(&header->guest.seen[word], SEQ_CST)) & bit)
		return false;
	rung[word] ^= bit;
	vbus_store(&header->rt.rung[word], rung[word], SEQ_CST);
	return true;
}

/* Guest: the channels rung for since the last call, as bits; those of word 0 or 1. */
static inline uint32_t vbus_take_rung(void *base, uint32_t word)
{
	struct vbus_header *header = vbus_header_of(base);
	uint32_t rung = vbus_load(&header->rt.rung[word], SEQ_CST);
	uint32_t seen = vbus_load(&header->guest.seen[word], RELAXED);

	vbus_store(&header->guest.seen[word], rung, SEQ_CST);
	return rung ^ seen;
}

static inline bool vbus_valid_ring(const struct vbus_ring_place *ring, uint32_t region_size)
{
	return ring->size >= VBUS_MIN_RING && ring->size <= VBUS_MAX_RING && !(ring->size & (ring->size - 1)) &&
	       ring->offset % 64 == 0 && ring->offset >= VBUS_PAGE && ring->offset <= region_size &&
	       ring->size <= region_size - ring->offset && ring->low > 0 && ring->low <= ring->high &&
	       ring->high <= ring->size && ring->low % 8 == 0 && ring->high % 8 == 0;
}

/* The watermarks of a ring whose creator has no opinion. */
static inline struct vbus_ring_place vbus_ring_at(uint32_t offset, uint32_t size)
{
	struct vbus_ring_place ring;

	ring.offset = offset;
	ring.size = size;
	ring.high = size;
	ring.low = size / 2;
	return ring;
}

static inline bool vbus_valid_name(const char *name)
{
	uint32_t i;

	for (i = 0; i < VBUS_NAME_SIZE && name[i]; i++)
		if (!(name[i] >= 'a' && name[i] <= 'z') && !(name[i] >= '0' && name[i] <= '9') && name[i] != '-' &&
		    name[i] != '_')
			return false;
	return i > 0 && i < VBUS_NAME_SIZE;
}

static inline bool vbus_valid_line(uint32_t offset, uint32_t region_size)
{
	return offset % sizeof(struct vbus_side) == 0 && offset >= VBUS_PAGE && offset <= region_size &&
	       region_size - offset >= sizeof(struct vbus_side);
}

static inline bool vbus_valid_channel(const struct vbus_channel *channel, uint32_t region_size)
{
	return vbus_valid_name(channel->name) && channel->flags <= VBUS_CHANNEL_MMAP &&
	       vbus_valid_line(channel->control, region_size) && vbus_valid_line(channel->guest_control, region_size) &&
	       vbus_valid_ring(&channel->to_guest, region_size) && vbus_valid_ring(&channel->to_rt, region_size) &&
	       (channel->flags != VBUS_CHANNEL_MMAP ||
	        (channel->control | channel->guest_control | channel->to_guest.offset | channel->to_rt.offset) %
	                        VBUS_PAGE ==
	                0);
}

/* Copy entry `index` of the directory. False: it is not one that can be used. */
static inline bool vbus_read_channel(void *base, uint32_t size, uint32_t index, struct vbus_channel *channel)
{
	const uint32_t *from;
	void *copy = channel;
	uint32_t word;

	if (index >= VBUS_MAX_CHANNELS)
		return false;
	from = VBUS_AT(uint32_t, base, sizeof(struct vbus_header) + index * sizeof(struct vbus_channel));
	for (word = 0; word < sizeof(*channel) / 4; word++)
		VBUS_AT(uint32_t, copy, 0)[word] = vbus_word(&from[word]);
	return vbus_valid_channel(channel, size);
}

/* RT side: append a channel; the caller has checked that there is room. */
static inline void vbus_add_channel(void *base, uint32_t index, const struct vbus_channel *channel)
{
	uint32_t offset = sizeof(struct vbus_header) + index * sizeof(struct vbus_channel);

	*VBUS_AT(struct vbus_channel, base, offset) = *channel;
	vbus_set(&vbus_header_of(base)->channel_count, index + 1);
}

/* RT side, part of formatting: whoever was at the guest's end must open it again. */
static inline void vbus_clear_guest(void *base, const struct vbus_channel *channel)
{
	struct vbus_side *guest = VBUS_AT(struct vbus_side, base, channel->guest_control);

	vbus_set(&guest->epoch, 0);
	vbus_set(&guest->peer_epoch, 0);
}

/* Make *end, zeroed before, an end of a checked channel, and open it. */
static inline void vbus_open_channel(struct vbus_end *end, void *base, const struct vbus_channel *channel,
                                     enum vbus_role role)
{
	struct vbus_side *rt = VBUS_AT(struct vbus_side, base, channel->control);
	struct vbus_side *guest = VBUS_AT(struct vbus_side, base, channel->guest_control);
	const struct vbus_ring_place *tx = role == VBUS_RT ? &channel->to_guest : &channel->to_rt;
	const struct vbus_ring_place *rx = role == VBUS_RT ? &channel->to_rt : &channel->to_guest;

	end->mine = role == VBUS_RT ? rt : guest;
	end->peer = role == VBUS_RT ? guest : rt;
	end->tx = VBUS_AT(uint32_t, base, tx->offset);
	end->rx = VBUS_AT(uint32_t, base, rx->offset);
	end->tx_size = tx->size;
	end->rx_size = rx->size;
	end->tx_high = tx->high;
	end->tx_low = tx->low;
	vbus_end_open(end);
}

#endif /* VBUS_REGION_H */
