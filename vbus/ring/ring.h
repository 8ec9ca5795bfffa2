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

#include "receive.h"
#include "send.h"

#endif /* VBUS_RING_H */
