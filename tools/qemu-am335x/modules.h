/* SPDX-License-Identifier: GPL-2.0-only */
#ifndef HW_ARM_AM335X_MODULES_H
#define HW_ARM_AM335X_MODULES_H

#include "hw/qdev-core.h"

/* Create and map the modules that are not modelled. */
void am335x_add_modules(void);
/* Put the clock gates over all modules' windows. */
void am335x_add_gates(DeviceState *prcm);
/* What a register of such a module reads, when v is stored there. */
uint32_t am335x_fixed_bits(uint32_t address, uint32_t v);

#endif
