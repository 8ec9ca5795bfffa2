/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * The ring twice, compiled as C and as C++: the tests run each against each.
 */
#ifndef RING_API_H
#define RING_API_H

#include <region.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ring_api {
	const char *language;
	void (*open)(struct vbus_end *end, void *base, const struct vbus_channel *channel, enum vbus_role role);
	void (*close)(struct vbus_end *end);
	void (*reset)(struct vbus_end *end);
	enum vbus_result (*poll_peer)(struct vbus_end *end);
	enum vbus_result (*tx_begin)(struct vbus_end *end, uint32_t length, struct vbus_slot *slot);
	enum vbus_result (*tx_commit)(struct vbus_end *end, const struct vbus_slot *slot, uint16_t type,
	                              uint16_t flags, uint64_t timestamp);
	enum vbus_result (*tx_wait)(struct vbus_end *end, uint32_t length);
	enum vbus_result (*rx_begin)(struct vbus_end *end, struct vbus_message *message);
	enum vbus_result (*rx_next)(struct vbus_end *end, struct vbus_message *message);
	enum vbus_result (*rx_release)(struct vbus_end *end, const struct vbus_message *message);
	enum vbus_result (*rx_wait)(struct vbus_end *end, struct vbus_message *message);
};

/* Designated order is that of the struct. */
#define RING_API(language)                                                                                   \
	{                                                                                                    \
		language, vbus_open_channel, vbus_end_close, vbus_end_reset, vbus_poll_peer, vbus_tx_begin,          \
			vbus_tx_commit, vbus_tx_wait, vbus_rx_begin, vbus_rx_next, vbus_rx_release,          \
			vbus_rx_wait                                                                 \
	}

extern const struct ring_api ring_c, ring_cpp;

#ifdef __cplusplus
}
#endif
#endif
