/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * One end of a V-Bus channel: epochs, by which two ends that may restart at any
 * moment agree on where their rings begin.  Protocol: docs/vbus.md, "Epochs".
 *
 * Words that the peer writes are loaded once, atomically, into a local, and
 * checked. A value that no correct peer writes is a violation: counted, and the
 * channel is reset. The position that counts is always this end's own copy.
 */
#ifndef VBUS_END_H
#define VBUS_END_H

#include <rtmux/vbus.h>
#ifndef __KERNEL__
#include <stdbool.h>
#endif

/*
 * All accesses to words of the shared memory, with the order that they need: tests
 * put a hostile peer here, or a memory weaker than any processor's.
 */
#ifndef vbus_load
#define vbus_load(word, order) __atomic_load_n(word, __ATOMIC_##order)
#define vbus_store(word, value, order) __atomic_store_n(word, value, __ATOMIC_##order)
#endif

enum vbus_result {
	VBUS_OK,
	VBUS_AGAIN,    /* nothing to receive, or no room to send */
	VBUS_DOWN,     /* no peer at the other end yet */
	VBUS_RESET,    /* the channel was reset: what was under way may be lost */
	VBUS_TOO_LONG, /* longer than a quarter of the ring */
};

struct vbus_stats {
	uint64_t tx_records, tx_bytes, tx_full;
	uint64_t rx_records, rx_bytes;
	uint64_t doorbells, doorbells_saved; /* rung; not rung, as the peer had not asked */
	uint64_t resets, violations;
	uint64_t congestions; /* times that the ring filled to its high watermark, or had no room */
};

struct vbus_end {
	struct vbus_side *mine;
	const struct vbus_side *peer;
	uint32_t *tx;
	const uint32_t *rx;
	uint32_t tx_size, rx_size;
	uint32_t tx_high, tx_low; /* watermarks */
	uint32_t epoch, peer_epoch;
	uint32_t head;       /* of what has been put into the ring */
	uint32_t published;  /* of what the peer may see of it */
	uint32_t tail;
	uint32_t peer_head, peer_tail; /* as seen last: valid until the next rewind */
	uint32_t generation; /* changes when records may have been lost */
	bool up;             /* both ends have adopted each other's epoch */
	bool doorbell;       /* the peer is to be notified */
	bool congested;      /* from the high watermark down to the low one */
	struct vbus_stats stats;
};

static inline bool vbus_take_doorbell(struct vbus_end *end)
{
	bool doorbell = end->doorbell;

	end->doorbell = false;
	if (doorbell)
		end->stats.doorbells++;
	return doorbell;
}

/* Put both positions to 0. No peer looks at them until the epochs agree again. */
static inline void vbus_rewind(struct vbus_end *end)
{
	if (end->peer_epoch) { /* the peer may have sent, or received */
		end->generation++;
		end->stats.resets++;
	}
	end->up = end->congested = false;
	end->head = end->published = end->tail = end->peer_head = end->peer_tail = 0;
	/* Released: who sees a 0 sees the epoch word written before it too. */
	vbus_store(&end->mine->head, 0, RELEASE);
	vbus_store(&end->mine->tail, 0, RELEASE);
	vbus_store(&end->mine->head_event, 0, RELAXED);
	vbus_store(&end->mine->tail_event, ~0u, RELAXED);
	end->doorbell = true;
}

static inline void vbus_new_epoch(struct vbus_end *end, uint32_t epoch)
{
	vbus_store(&end->mine->epoch, 0, RELEASE);
	vbus_rewind(end);
	end->epoch = epoch;
	vbus_store(&end->mine->peer_epoch, end->peer_epoch, RELEASE);
	vbus_store(&end->mine->epoch, epoch, RELEASE);
}

/* Discard everything in both directions; the peer follows. */
static inline void vbus_end_reset(struct vbus_end *end)
{
	uint32_t epoch = end->epoch + 1;

	vbus_new_epoch(end, epoch ? epoch : 1);
}

/*
 * Attach to a channel whose geometry has been checked. The epoch is one that
 * the peer has not adopted, and that it is not about to adopt from a former
 * life of this end.
 */
static inline void vbus_end_open(struct vbus_end *end)
{
	uint32_t before = vbus_load(&end->mine->epoch, RELAXED);
	uint32_t adopted = vbus_load(&end->peer->peer_epoch, RELAXED);
	uint32_t epoch = adopted + 1;

	while (epoch == 0 || epoch == before)
		epoch++;
	end->peer_epoch = 0;
	vbus_new_epoch(end, epoch);
}

/* Leave: the peer sees the channel down until somebody opens it again. */
static inline void vbus_end_close(struct vbus_end *end)
{
	vbus_new_epoch(end, 0);
}

static inline enum vbus_result vbus_violation(struct vbus_end *end)
{
	end->stats.violations++;
	vbus_end_reset(end);
	return VBUS_RESET;
}

/*
 * Load one index of the peer if it belongs to the current epochs. The order of
 * the loads is the proof: the peer writes peer_epoch after it rewound to adopt
 * our epoch, and takes epoch back before it rewinds to reset.  The index is
 * loaded sequentially consistent for the sake of vbus_rx_wait and vbus_tx_wait.
 */
static inline enum vbus_result vbus_load_index(struct vbus_end *end, const uint32_t *word, uint32_t *index)
{
	uint32_t generation = end->generation;
	int attempt;

	for (attempt = 0; attempt < 2; attempt++) {
		uint32_t adopted = vbus_load(&end->peer->peer_epoch, ACQUIRE);
		uint32_t value = vbus_load(word, SEQ_CST);
		uint32_t epoch = vbus_load(&end->peer->epoch, ACQUIRE);

		if (epoch != end->peer_epoch) {
			vbus_rewind(end);
			end->peer_epoch = epoch;
			vbus_store(&end->mine->peer_epoch, epoch, RELEASE);
			continue;
		}
		if (epoch == 0 || end->epoch == 0)
			break;
		if (adopted != end->epoch) {
			/* It cannot take an adoption back, nor speak for us. */
			if (end->up || vbus_load(&end->mine->epoch, RELAXED) != end->epoch ||
			    vbus_load(&end->mine->peer_epoch, RELAXED) != end->peer_epoch)
				return vbus_violation(end);
			break;
		}
		end->up = true;
		*index = value;
		return generation == end->generation ? VBUS_OK : VBUS_RESET;
	}
	return generation == end->generation ? VBUS_DOWN : VBUS_RESET;
}

/* Adopt what the peer did to its epoch. To be called when its doorbell rings. */
static inline enum vbus_result vbus_poll_peer(struct vbus_end *end)
{
	uint32_t head;

	return vbus_load_index(end, &end->peer->head, &head);
}

#endif /* VBUS_END_H */
