// SPDX-License-Identifier: BSD-3-Clause
#include "rt_device.h"

#include "vbus.hpp"

#include <rtdevice.h>
#include <rtthread.h>

using vbus::Channel;
using vbus::Status;

namespace {

struct Device {
    rt_device device; // first: the framework's pointer is ours
    Channel *channel;
};
Device devices[vbus::max_channels];

Channel &channel_of(rt_device_t device) {
    return *reinterpret_cast<Device *>(device)->channel;
}

rt_ssize_t result_of(Status status, rt_size_t done) {
    switch (status) {
    case Status::ok:
        return static_cast<rt_ssize_t>(done);
    case Status::timeout:
    case Status::full:
    case Status::down:
    case Status::busy:
        return 0;
    case Status::too_long:
        return -RT_EINVAL;
    default:
        return -RT_ERROR;
    }
}

rt_err_t open(rt_device_t device, rt_uint16_t) {
    (void)channel_of(device).readable(); // asks for the doorbell
    return RT_EOK;
}

rt_ssize_t read(rt_device_t device, rt_off_t, void *buffer, rt_size_t size) {
    vbus::Message message;
    const Status status =
        channel_of(device).recv(message, buffer, static_cast<uint32_t>(size), vbus::no_wait);
    return result_of(status, message.length);
}

rt_ssize_t write(rt_device_t device, rt_off_t, const void *data, rt_size_t size) {
    Channel &channel = channel_of(device);
    const rt_ssize_t done = result_of(channel.send(0, 0, data, static_cast<uint32_t>(size)), size);
    // Ask for the doorbell; a room that came in between is used at once.
    if (done == 0 && channel.writable())
        return result_of(channel.send(0, 0, data, static_cast<uint32_t>(size)), size);
    return done;
}

rt_err_t control(rt_device_t device, int command, void *argument) {
    if (command != RT_PIPE_CTRL_READY)
        return -RT_ENOSYS;
    Channel &channel = channel_of(device);
    *static_cast<int *>(argument) =
        (channel.readable() ? RT_PIPE_READABLE : 0) | (channel.writable() ? RT_PIPE_WRITABLE : 0);
    return RT_EOK;
}

void arrived(void *own, Channel &) {
    rt_device &device = static_cast<Device *>(own)->device;
    if (device.rx_indicate)
        (void)device.rx_indicate(&device, 1);
}

void roomy(void *own, Channel &) {
    rt_device &device = static_cast<Device *>(own)->device;
    if (device.tx_complete)
        (void)device.tx_complete(&device, nullptr);
}

} // namespace

extern "C" int vbus_register_device(struct vbus_handle *handle) {
    Channel &channel = *reinterpret_cast<Channel *>(handle);
    Device &d = devices[channel.index()];
    if (d.channel)
        return -RT_EBUSY;
    d.channel = &channel;
    d.device.type = RT_Device_Class_Pipe;
    d.device.open = open;
    d.device.read = read;
    d.device.write = write;
    d.device.control = control;
    const rt_err_t registered = rt_device_register(
        &d.device, channel.name(),
        static_cast<rt_uint16_t>(RT_DEVICE_FLAG_RDWR | RT_DEVICE_FLAG_INT_RX | RT_DEVICE_FLAG_INT_TX));
    if (registered != RT_EOK) {
        d.channel = nullptr;
        return static_cast<int>(registered);
    }
    channel.on_arrival(arrived, &d);
    channel.on_room(roomy, &d);
    return RT_EOK;
}
