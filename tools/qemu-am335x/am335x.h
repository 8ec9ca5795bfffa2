/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * TI AM335x devices. Registers bear the names of the Technical Reference Manual (SPRUH73), and are named in comments
 * only where the manual's name does not say it.
 *
 * No device can be migrated: machines of tests live in one process.
 */
#ifndef HW_ARM_AM335X_H
#define HW_ARM_AM335X_H

#include "hw/sysbus.h"
#include "hw/registerfields.h"
#include "qemu/log.h"
#include "target/arm/cpu-qom.h"

#define TYPE_AM335X_INTC "am335x-intc"       /* gpio in: 128 lines; irq 0: to the processor */
#define TYPE_AM335X_DMTIMER "am335x-dmtimer" /* property "1ms": the register layout of DMTIMER1 */
#define TYPE_AM335X_UART "am335x-uart"
#define TYPE_AM335X_PRCM "am335x-prcm"
#define TYPE_AM335X_CONTROL "am335x-control"
#define TYPE_AM335X_HSMMC "am335x-hsmmc"     /* gpio out "dma-tx", "dma-rx": pulses; "card-absent": a level */
#define TYPE_AM335X_EDMA "am335x-edma"       /* gpio in: 64 events; irq 0: completion, 1: error */
#define TYPE_AM335X_I2C "am335x-i2c"
#define TYPE_AM335X_GPIO "am335x-gpio"       /* gpio in: 32 pins; gpio out: 32 pins; irq 0, 1: the module's two */
#define TYPE_AM335X_WDT "am335x-wdt"
#define TYPE_AM335X_ADC "am335x-adc"
#define TYPE_AM335X_MODULE "am335x-module"
#define TYPE_TPS65217 "tps65217"             /* I2C: the BeagleBone's power management */
#define TYPE_BEAGLEBONE_EEPROM "beaglebone-eeprom" /* I2C: its identity */

#define AM335X_M_OSC_HZ 24000000u
#define AM335X_32K_HZ 32768u

enum { AM335X_INTC_LINES = 128, AM335X_TIMERS = 8 };

#define am335x_guest_error(...) qemu_log_mask(LOG_GUEST_ERROR, "am335x: " __VA_ARGS__)
#define am335x_unimplemented(...) qemu_log_mask(LOG_UNIMP, "am335x: " __VA_ARGS__)

/* DMTIMER: the rate of its functional clock, 0 when that clock is none that the model has. */
void am335x_dmtimer_set_clock(DeviceState *timer, uint32_t hz);

/* PRCM: accesses to the window end in an external abort unless CLKCTRL register clkctrl enables the module. */
void am335x_prcm_add_gate(DeviceState *prcm, uint16_t clkctrl, hwaddr base, hwaddr size);
/* PRCM: the CLKSEL register of DMTIMERn rules this timer. */
void am335x_prcm_add_timer(DeviceState *prcm, unsigned n, DeviceState *timer);
/* PRCM: reset the chip; cause is the bit of PRM_RSTST that software will find set. */
void am335x_prcm_reset(DeviceState *prcm, uint32_t cause);
enum { AM335X_RST_COLD = 1 << 0, AM335X_RST_WARM_SW = 1 << 1, AM335X_RST_WDT1 = 1 << 4 };

/* Boot ROM: load MLO from a card and set the processor to start it. False: no card, or no valid MLO on it. */
bool am335x_rom_boot(ARMCPU *cpu, BlockBackend *card);

#endif
