/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef VBUS_RT_DEVICE_H
#define VBUS_RT_DEVICE_H

#include "vbus.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Register an open channel as a device of RT-Thread, named as the channel; so POSIX opens it as
 * /dev/NAME, with poll. A read takes one record, a write sends one; neither waits (0: not now), and after
 * a 0, not before, rx_indicate and tx_complete say when to try again. POSIX polls for room for a record of
 * any length. -RT_ERROR (POSIX: EPIPE): the channel was reset; told once to each direction. Takes on_arrival
 * and on_room of the channel. Once for each channel, thread context. 0, or an error number of RT-Thread.
 */
int vbus_register_device(struct vbus_handle *channel);

#ifdef __cplusplus
}
#endif
#endif /* VBUS_RT_DEVICE_H */
