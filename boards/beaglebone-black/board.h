/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * BeagleBone Black (AM335x): the one place for its addresses, lines and
 * frequencies. Plain #defines of literals, because assembly, linker scripts,
 * C++ and tools/ (which parses them) read it.
 * Source: AM335x TRM (TI SPRUH73), chapters 2, 6, 8, 19 and 20.
 */
#ifndef BOARD_H
#define BOARD_H

#define BOARD_NAME "beaglebone-black"
/* Of QEMU: the machine of tools/qemu-am335x, and which of its serial ports is whose */
#define BOARD_QEMU_MACHINE "beaglebone-black"
#define BOARD_QEMU_LOG 0
#define BOARD_QEMU_LINUX 1
#define BOARD_QEMU_RT_UART 4

/*
 * Linux: its device tree, of the kernel's arch/arm/boot/dts, and its parameters: console UART1 (guest.dts), but no
 * earlycon, for UART1 has no clock until the driver runs; and clocks that Linux does not know a user of stay on,
 * because those of others it could only try to turn off.
 */
#define BOARD_DEVICE_TREE "ti/omap/am335x-boneblack"
#define BOARD_GUEST_BOOTARGS "console=ttyS1,115200 clk_ignore_unused"

/* Memory: RTMux has the bottom, then the guest, then the image at the top */
#define BOARD_RAM_BASE 0x80000000
#define BOARD_RAM_SIZE 0x20000000
#define BOARD_RTMUX_SIZE 0x00400000

/* Interrupt controller: INTC */
#define BOARD_INTC_BASE 0x48200000
#define BOARD_IRQ_LINES 128

/* Clocks and reset: PRCM; pins, and the chip's configuration: control module */
#define BOARD_PRCM_BASE 0x44e00000
#define BOARD_CONTROL_BASE 0x44e10000

/* The watchdog that the boot loader leaves running: WDT1; and DMTIMER6, whose interrupt feeds it */
#define BOARD_WATCHDOG_BASE 0x44e35000
#define BOARD_WATCHDOG_SECONDS 10
#define BOARD_WATCHDOG_TIMER_BASE 0x48048000
#define BOARD_WATCHDOG_IRQ 94

/* The RT clock: DMTIMER5, free-running on the 24 MHz crystal */
#define BOARD_COUNTER_BASE 0x48046000
#define BOARD_COUNTER_HZ 24000000

/* The RTOS's timer: DMTIMER4 on the same clock */
#define BOARD_RT_TIMER_BASE 0x48044000
#define BOARD_RT_TIMER_HZ 24000000
#define BOARD_RT_TIMER_IRQ 92

/* Console of executive and RTOS: UART0 */
#define BOARD_UART_BASE 0x44e09000
#define BOARD_UART_HZ 48000000
#define BOARD_UART_IRQ 72
/* No device has it (TRM 6.3), so software sends it: text for the console waits */
#define BOARD_CONSOLE_IRQ 5

/* Devices for the RTOS's applications: UART4, and GPIO1 with the LEDs USR0 to USR3 */
#define BOARD_RT_UART_BASE 0x481a8000
#define BOARD_RT_UART_HZ 48000000
#define BOARD_RT_UART_IRQ 45
#define BOARD_RT_GPIO_BASE 0x4804c000
#define BOARD_RT_GPIO_IRQ 98
#define BOARD_LED_PIN 21 /* USR0 */

/* A virtual line of the guest that no device has: the V-Bus doorbell */
#define BOARD_VBUS_IRQ 127
#define BOARD_VBUS_SIZE 0x00040000

#endif /* BOARD_H */
