// SPDX-License-Identifier: BSD-3-Clause
// A serial device as RT-Thread's framework wants it, over the board's UART for the RTOS.
#include <board.hpp>
#include <rthw.h>
#include <rtthread.h>

#include "serial.h"

namespace {

using Uart = board::RtUart;

struct Serial {
    rt_device device; // first: the framework knows nothing else
    rt_uint32_t lost;
    rt_uint16_t written, taken; // of ring; wrap
    char ring[256];
};

Serial serial;

Serial &of(rt_device_t device) {
    return *reinterpret_cast<Serial *>(device);
}

rt_uint16_t waiting(const Serial &s) {
    return static_cast<rt_uint16_t>(s.written - s.taken);
}

// At most so many characters at once; if there are more the interrupt comes again.
constexpr unsigned at_once = 8;

void isr(int, void *parameter) {
    Serial &s = *static_cast<Serial *>(parameter);
    for (unsigned i = 0; i < at_once && Uart::rx_ready(); ++i) {
        const char c = Uart::get();
        if (waiting(s) == sizeof s.ring)
            ++s.lost;
        else
            s.ring[s.written++ % sizeof s.ring] = c;
    }
    Uart::rx_acknowledge();
    if (s.device.rx_indicate && waiting(s) > 0)
        s.device.rx_indicate(&s.device, waiting(s));
}

rt_err_t init(rt_device_t device) {
    Uart::init();
    rt_hw_interrupt_install(BOARD_RT_UART_IRQ, isr, &of(device), "serial");
    rt_hw_interrupt_umask(BOARD_RT_UART_IRQ);
    return RT_EOK;
}

rt_err_t open(rt_device_t, rt_uint16_t oflag) {
    Uart::rx_irq((oflag & RT_DEVICE_FLAG_INT_RX) != 0);
    return RT_EOK;
}

rt_err_t close(rt_device_t) {
    Uart::rx_irq(false);
    return RT_EOK;
}

// What has come so far; does not wait.
rt_ssize_t read(rt_device_t device, rt_off_t, void *buffer, rt_size_t size) {
    Serial &s = of(device);
    rt_size_t count = 0;
    for (; count < size && count < sizeof s.ring; ++count) {
        const rt_base_t level = rt_hw_interrupt_disable();
        const bool any = waiting(s) > 0;
        if (any)
            static_cast<char *>(buffer)[count] = s.ring[s.taken++ % sizeof s.ring];
        rt_hw_interrupt_enable(level);
        if (!any)
            break;
    }
    return static_cast<rt_ssize_t>(count);
}

rt_ssize_t write(rt_device_t device, rt_off_t, const void *buffer, rt_size_t size) {
    for (rt_size_t i = 0; i < size; ++i) {
        while (!Uart::tx_ready())
            rt_thread_mdelay(1);
        Uart::put(static_cast<const char *>(buffer)[i]);
    }
    if (device->tx_complete)
        device->tx_complete(device, const_cast<void *>(buffer));
    return static_cast<rt_ssize_t>(size);
}

rt_err_t control(rt_device_t device, int command, void *argument) {
    if (command != SERIAL_GET_LOST || !argument)
        return -RT_EINVAL;
    *static_cast<rt_uint32_t *>(argument) = of(device).lost;
    return RT_EOK;
}

} // namespace

extern "C" int serial_register(void) {
    rt_device &d = serial.device;
    d.type = RT_Device_Class_Char;
    d.init = init;
    d.open = open;
    d.close = close;
    d.read = read;
    d.write = write;
    d.control = control;
    return static_cast<int>(rt_device_register(&d, "uart", RT_DEVICE_FLAG_RDWR | RT_DEVICE_FLAG_INT_RX));
}
