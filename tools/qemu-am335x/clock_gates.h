/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HW_ARM_AM335X_CLOCK_GATES_H
#define HW_ARM_AM335X_CLOCK_GATES_H

#include "exec/hwaddr.h"
#include "qom/object.h"

typedef struct ClockGate ClockGate;

/* Add to the list a gate over the window, ruled by the PRCM register at offset clkctrl. */
void clock_gate_add(ClockGate **gates, Object *owner, uint16_t clkctrl, hwaddr base, hwaddr size);
/* Open or close all gates that this register rules. */
void clock_gate_set(ClockGate *gates, uint16_t clkctrl, bool clock_on);

#endif
