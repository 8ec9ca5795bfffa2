// SPDX-License-Identifier: GPL-2.0-only
/* A guest kernel in small: it says hello, attaches to V-Bus, sends back what it is sent, and dies as told. */
#include <rtmux/abi/guest.h>
#include <rtmux/abi/life.h>
#include <rtmux/layout.h>
#include <board.h>
#include <region.h>
#include <ring.h>

#include <order.h>

#include "chaos.h"

void payload(void);
void handler_undefined(void), handler_abort(void), handler_crossed_abort(void), handler_crossed_undefined(void);

#define REGION ((void *)(RTMUX_VBUS_VA - RTMUX_RAM_VA + BOARD_RAM_BASE))
#define SHARED ((volatile uint32_t *)RTMUX_SHARED)
#define CHANNEL 0u

static void set_vectors(void (*undefined)(void), void (*abort)(void))
{
	uint32_t table[RTMUX_NR_VECTORS];
	unsigned int i;

	for (i = 0; i < RTMUX_NR_VECTORS; i++)
		table[i] = (uint32_t)handler_undefined;
	table[RTMUX_V_UND_SVC] = (uint32_t)undefined;
	table[RTMUX_V_DABT_SVC] = table[RTMUX_V_PABT_SVC] = (uint32_t)abort;
	table[RTMUX_V_IRET] = 1; /* no svc returns there */
	hypercall(RTMUX_SET_VECTORS, (uint32_t)table, 0, 0);
}

static void wait(void)
{
	hypercall(RTMUX_IDLE, 0, 0, 0);
	SHARED[(RTMUX_S_PENDING + BOARD_VBUS_IRQ / 32 * 4) / 4] = 0;
}

static void spin(void)
{
	for (;;)
		asm volatile("");
}

static void die(enum death how)
{
	switch (how) {
	case DEATH_PANIC:
		hypercall(RTMUX_PANIC, 0, RTMUX_LIFE_MAGIC, 0);
		break;
	case DEATH_REBOOT:
		hypercall(RTMUX_RESTART, 0, 0, 0);
		break;
	case DEATH_POWEROFF:
		hypercall(RTMUX_POWER_OFF, 0, 0, 0);
		break;
	case DEATH_PGD:
		hypercall(RTMUX_SWITCH_MM, BOARD_RAM_BASE, 1, 0);
		break;
	case DEATH_WATCHDOG:
		hypercall(RTMUX_WATCHDOG, 1, RTMUX_LIFE_MAGIC, 0);
		spin();
		break;
	case DEATH_IDLE:
		SHARED[(RTMUX_S_ENABLED + BOARD_VBUS_IRQ / 32 * 4) / 4] = 0;
		hypercall(RTMUX_WATCHDOG, 1, RTMUX_LIFE_MAGIC, 0);
		hypercall(RTMUX_IDLE, 0, 0, 0);
		break;
	case DEATH_UNDEFINED_LOOP:
		set_vectors(handler_undefined, handler_abort);
		asm volatile("udf #1");
		break;
	case DEATH_ABORT_LOOP:
		set_vectors(handler_undefined, handler_abort);
		*(volatile uint32_t *)0xffffff00;
		break;
	case DEATH_CROSSED_LOOP:
		set_vectors(handler_crossed_undefined, handler_crossed_abort);
		asm volatile("udf #1");
		break;
	default:
		return;
	}
	spin(); /* the RTOS finds that it does not die */
}

static void serve(struct vbus_end *end)
{
	struct vbus_message message;
	struct vbus_slot slot;

	while (vbus_rx_wait(end, &message) == VBUS_OK) {
		const uint32_t *from = message.payload;
		uint32_t first = message.length >= 4 ? from[0] : 0, second = message.length >= 8 ? from[1] : 0, i;
		const int answer = message.type == ORDER_ECHO || message.type == ORDER_PROGRESS;

		if (answer && vbus_tx_begin(end, message.length, &slot) == VBUS_OK) {
			for (i = 0; i < message.length / 4; i++)
				((uint32_t *)slot.payload)[i] = message.type == ORDER_ECHO ? from[i] : *CHAOS_PROGRESS;
			vbus_tx_commit(end, &slot, message.type, 0, message.timestamp);
		}
		vbus_rx_release(end, &message);
		if (vbus_take_doorbell(end))
			hypercall(RTMUX_VBUS_DOORBELL, CHANNEL, 0, 0);
		if (message.type == ORDER_DIE)
			die(first);
		if (message.type == ORDER_CHAOS)
			chaos(first, second);
	}
	if (vbus_take_doorbell(end))
		hypercall(RTMUX_VBUS_DOORBELL, CHANNEL, 0, 0);
}

void payload(void)
{
	static struct vbus_channel channel;
	static struct vbus_end end;
	uint32_t epoch;

	if (hypercall(RTMUX_HELLO, RTMUX_ABI_VERSION, 0xbf000000, 0) != 0)
		spin();
	SHARED[(RTMUX_S_ENABLED + BOARD_VBUS_IRQ / 32 * 4) / 4] = 1u << BOARD_VBUS_IRQ % 32;
	while (vbus_check_region(REGION, BOARD_VBUS_SIZE, &epoch) != VBUS_ATTACHED ||
	       !vbus_read_channel(REGION, BOARD_VBUS_SIZE, CHANNEL, &channel)) {
		hypercall(RTMUX_VBUS_DOORBELL, VBUS_DOORBELL_HEADER, 0, 0);
		wait();
	}
	vbus_open_channel(&end, REGION, &channel, VBUS_GUEST);
	vbus_set_guest(REGION, epoch, VBUS_STATE_RUNNING);
	hypercall(RTMUX_VBUS_DOORBELL, VBUS_DOORBELL_HEADER, 0, 0);
	for (;;) {
		serve(&end);
		wait();
	}
}
