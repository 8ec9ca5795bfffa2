/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * V-Bus, version 2: the memory that the RTOS and a guest share.
 * Specification: docs/vbus.md.  C11, C++20 and the Linux kernel; little endian.
 *
 *   region  +0x000  struct vbus_header     one page, written as its fields say
 *           +0x100  struct vbus_channel[]  the directory, written by the RT side
 *           of each channel: control       struct vbus_side, written by the RT side
 *                            guest_control struct vbus_side, written by the guest
 *                            to_guest, to_rt   the rings, each written by its sender
 *
 * All offsets are from the start of the region. Whoever reads a word that its
 * peer can write reads it once and checks it: the peer may be broken or hostile.
 */
#ifndef RTMUX_VBUS_H
#define RTMUX_VBUS_H

#ifdef __KERNEL__
#include <linux/stddef.h>
#include <linux/types.h>
#else
#include <stddef.h>
#include <stdint.h>
#endif

#ifdef __cplusplus
#define VBUS_ASSERT(condition) static_assert(condition, #condition)
#else
#define VBUS_ASSERT(condition) _Static_assert(condition, #condition)
#endif

#define VBUS_MAGIC 0x53554256u /* "VBUS" */
#define VBUS_VERSION 2u
#define VBUS_PAGE 4096u
#define VBUS_MAX_CHANNELS 60u
#define VBUS_NAME_SIZE 16u
#define VBUS_MIN_RING 64u
#define VBUS_MAX_RING 0x40000000u

/* Features: the RT side offers, the guest accepts some. */
#define VBUS_FEATURE_RUNG 1u /* the RT side marks what it rang for in rung, the guest answers in seen */
#define VBUS_FEATURES 1u     /* all that this version defines */

/* The channel that a guest names with its doorbell when it means the header. */
#define VBUS_DOORBELL_HEADER 0xffffffffu

/* A side of the region: the RT side formats it, the guest attaches to it. */
enum vbus_state {
	VBUS_STATE_RESET = 0,    /* what this side wrote is not valid */
	VBUS_STATE_READY = 1,    /* valid; has not seen the peer */
	VBUS_STATE_RUNNING = 2,  /* valid, and the peer was ready or running */
	VBUS_STATE_STOPPING = 3, /* is closing its channels */
};

struct vbus_peer {
	uint32_t state;    /* enum vbus_state */
	uint32_t epoch;    /* the region's epoch this state belongs to */
	uint32_t features; /* RT: offered; guest: accepted, a subset */
	uint32_t reserved;
	uint32_t rung[2]; /* RT: a bit for each channel, inverted by each doorbell */
	uint32_t seen[2]; /* guest: rung as it was when the guest looked last */
	uint32_t reserved2[8];
};

struct vbus_header {
	uint32_t magic;         /* 0x00: written last when the region is formatted */
	uint32_t version;       /* 0x04 */
	uint32_t size;          /* 0x08: of the region in bytes */
	uint32_t epoch;         /* 0x0c: changes whenever the region is formatted; not 0 */
	uint32_t channel_count; /* 0x10: valid entries of the directory, never shrinks */
	uint32_t clock_hz;      /* 0x14: of the RT clock, the unit of timestamps */
	uint32_t reserved[10];
	struct vbus_peer rt;    /* 0x40: written by the RT side */
	struct vbus_peer guest; /* 0x80: written by the guest */
	uint32_t reserved2[16];
};

struct vbus_ring_place {
	uint32_t offset; /* multiple of 64 */
	uint32_t size;   /* power of two, VBUS_MIN_RING to VBUS_MAX_RING */
	uint32_t high;   /* watermarks, bytes: 0 < low <= high <= size, multiples of 8 */
	uint32_t low;
};

/* Flags of a channel: one of these, or none */
#define VBUS_CHANNEL_RPMSG 1u /* its records are rpmsg messages: rtmux/vbus_rpmsg.h */
#define VBUS_CHANNEL_MMAP 2u  /* a process may have the guest's end: lines and rings are on pages of their own */
#define VBUS_CHANNEL_FLAGS 3u /* all that this version defines */

/* An entry of the directory; immutable while the region's epoch lasts. */
struct vbus_channel {
	char name[VBUS_NAME_SIZE]; /* 1 to 15 of [a-z0-9_-], padded with 0 */
	uint32_t priority;         /* 0 is the most urgent */
	uint32_t flags;            /* VBUS_CHANNEL_* */
	uint32_t control;          /* of the RT side's struct vbus_side, multiple of 64 */
	uint32_t guest_control;    /* of the guest's */
	struct vbus_ring_place to_guest;
	struct vbus_ring_place to_rt;
};

/* What one side says about one channel: a cache line that only it writes. */
struct vbus_side {
	uint32_t epoch;      /* 0x00: of this end; 0: closed */
	uint32_t peer_epoch; /* 0x04: the peer's epoch that this end has adopted */
	uint32_t head;       /* 0x08: bytes put into the ring this side sends on */
	uint32_t tail;       /* 0x0c: bytes taken from the ring it receives from */
	uint32_t head_event; /* 0x10: doorbell wanted when the peer's head passes this */
	uint32_t tail_event; /* 0x14: doorbell wanted when the peer's tail passes this */
	uint32_t reserved[10];
};

/* A record in a ring: this header, the payload, padding to a multiple of 8. */
struct vbus_record {
	uint32_t length; /* of the payload, at most a quarter of the ring */
	uint16_t type;   /* the application's */
	uint16_t flags;  /* the application's */
	uint64_t timestamp; /* RT clock, or what a sender without it wants to say */
};

/* A length that means: the ring goes on at its start. Only this word is there. */
#define VBUS_SKIP 0xffffffffu

VBUS_ASSERT(sizeof(struct vbus_peer) == 64);
VBUS_ASSERT(offsetof(struct vbus_peer, rung) == 0x10);
VBUS_ASSERT(offsetof(struct vbus_peer, seen) == 0x18);
VBUS_ASSERT(sizeof(struct vbus_header) == 0x100);
VBUS_ASSERT(offsetof(struct vbus_header, rt) == 0x40);
VBUS_ASSERT(offsetof(struct vbus_header, guest) == 0x80);
VBUS_ASSERT(sizeof(struct vbus_channel) == 64);
VBUS_ASSERT(offsetof(struct vbus_channel, to_guest) == 0x20);
VBUS_ASSERT(sizeof(struct vbus_ring_place) == 16);
VBUS_ASSERT(sizeof(struct vbus_header) + VBUS_MAX_CHANNELS * sizeof(struct vbus_channel) == VBUS_PAGE);
VBUS_ASSERT(VBUS_MAX_CHANNELS <= 64);
VBUS_ASSERT(sizeof(struct vbus_side) == 64);
VBUS_ASSERT(offsetof(struct vbus_side, tail_event) == 0x14);
VBUS_ASSERT(sizeof(struct vbus_record) == 16);
VBUS_ASSERT(offsetof(struct vbus_record, timestamp) == 8);

#endif /* RTMUX_VBUS_H */
