/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Functions that run at the start, in the main thread before main(), by level and within a level in
 * the order of linking. Level 1, "board", runs there as well: the kernel runs already.
 */
#ifndef RT_INIT_H__
#define RT_INIT_H__

#include <rttypes.h>

typedef int (*init_fn_t)(void);

#define INIT_EXPORT(fn, level) \
	rt_used const init_fn_t __rt_init_##fn rt_section(".rti_fn." level) = fn

#define INIT_BOARD_EXPORT(fn) INIT_EXPORT(fn, "1")
#define INIT_PREV_EXPORT(fn) INIT_EXPORT(fn, "2")
#define INIT_DEVICE_EXPORT(fn) INIT_EXPORT(fn, "3")
#define INIT_COMPONENT_EXPORT(fn) INIT_EXPORT(fn, "4")
#define INIT_ENV_EXPORT(fn) INIT_EXPORT(fn, "5")
#define INIT_APP_EXPORT(fn) INIT_EXPORT(fn, "6")

#endif
