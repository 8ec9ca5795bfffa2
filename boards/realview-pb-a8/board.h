/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * ARM RealView Platform Baseboard for Cortex-A8, as QEMU models it: the one
 * place for its addresses, lines and frequencies. Plain #defines of literals,
 * because assembly, linker scripts, C++ and tools/ (which parses them) read it.
 * Source: Arm DUI0417D (PB-A8 user guide), chapters 4.2 and 4.11.
 */
#ifndef BOARD_H
#define BOARD_H

#define BOARD_NAME "realview-pb-a8"

/* Of QEMU: the machine, and which of its serial ports is whose */
#define BOARD_QEMU_MACHINE "realview-pb-a8"
#define BOARD_QEMU_LINUX 0
#define BOARD_QEMU_LOG 1
#define BOARD_QEMU_RT_UART 3

/* Linux: its device tree, of the kernel's arch/arm/boot/dts, and its console, UART0 */
#define BOARD_DEVICE_TREE "arm/arm-realview-pba8"
#define BOARD_GUEST_BOOTARGS "earlycon console=ttyAMA0"

/* Memory: RTMux has the bottom, then the guest, then the image at the top */
#define BOARD_RAM_BASE 0x70000000
#define BOARD_RAM_SIZE 0x10000000
#define BOARD_RTMUX_SIZE 0x00400000

/* Interrupt controller: GIC (PL390); lines are GIC interrupt IDs */
#define BOARD_GIC_CPU_BASE 0x1e000000
#define BOARD_GIC_DIST_BASE 0x1e001000
#define BOARD_IRQ_LINES 96

/* System registers: LEDs, reset control, and the 24 MHz counter, the RT clock */
#define BOARD_SYSREG_BASE 0x10000000
#define BOARD_SYSCTL_BASE 0x10001000 /* SP810: clocks of the timers */
#define BOARD_COUNTER_OFFSET 0x5c
#define BOARD_COUNTER_HZ 24000000

/* The RTOS's timer: SP804 timer 2 and 3, clocked at 1 MHz */
#define BOARD_RT_TIMER_BASE 0x10012000
#define BOARD_RT_TIMER_HZ 1000000
#define BOARD_RT_TIMER_IRQ 37

/* Console of executive and RTOS: UART1 (PL011); Linux has UART0 */
#define BOARD_UART_BASE 0x1000a000
#define BOARD_UART_HZ 24000000
#define BOARD_UART_IRQ 45
/* Sent by software alone (DUI0417D table 4-49): text for the console waits */
#define BOARD_CONSOLE_IRQ 33

/* Devices for the RTOS's applications: UART3 (PL011), GPIO1 (PL061) */
#define BOARD_RT_UART_BASE 0x1000c000
#define BOARD_RT_UART_HZ 24000000
#define BOARD_RT_UART_IRQ 47
#define BOARD_RT_GPIO_BASE 0x10014000
#define BOARD_RT_GPIO_IRQ 39
#define BOARD_LED_PIN 0 /* of it; for want of an LED that is not in a page of Linux's */

/* A virtual line of the guest that no device has: the V-Bus doorbell */
#define BOARD_VBUS_IRQ 127
#define BOARD_VBUS_SIZE 0x00040000

#endif /* BOARD_H */
