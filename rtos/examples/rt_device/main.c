/* SPDX-License-Identifier: BSD-3-Clause */
/* What an application does with a device: finds it by name, and waits for its rx_indicate. */
#include "serial.h"

static struct rt_semaphore received;

static rt_err_t on_receive(rt_device_t device, rt_size_t size)
{
	(void)device;
	(void)size;
	return rt_sem_release(&received);
}

int main(void)
{
	char line[64];
	rt_size_t length = 0;
	rt_uint32_t lost = 0;
	rt_device_t uart;

	if (serial_register() != RT_EOK)
		return 1;
	rt_sem_init(&received, "received", 0, RT_IPC_FLAG_PRIO);
	uart = rt_device_find("uart");
	if (!uart)
		return 1;
	rt_device_set_rx_indicate(uart, on_receive);
	if (rt_device_open(uart, RT_DEVICE_OFLAG_RDWR | RT_DEVICE_FLAG_INT_RX) != RT_EOK)
		return 1;
	rt_device_write(uart, 0, "ready\n", 6);
	for (;;) {
		char c;

		while (rt_device_read(uart, 0, &c, 1) == 0)
			rt_sem_take(&received, RT_WAITING_FOREVER);
		if (c != '\n' && c != '\r' && length < sizeof(line) - 1) {
			line[length++] = c;
			continue;
		}
		line[length] = 0;
		rt_device_control(uart, SERIAL_GET_LOST, &lost);
		rt_kprintf("rt_device: \"%s\", %u characters, %u lost\n", line, (unsigned)length, (unsigned)lost);
		rt_device_write(uart, 0, line, length);
		rt_device_write(uart, 0, "\n", 1);
		length = 0;
	}
}
