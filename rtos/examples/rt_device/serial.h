/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef SERIAL_H
#define SERIAL_H

#include <rtthread.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Command of the device "uart": characters lost so far, to an rt_uint32_t. */
#define SERIAL_GET_LOST 0x101

int serial_register(void);

#ifdef __cplusplus
}
#endif

#endif
