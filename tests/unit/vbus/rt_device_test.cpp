// SPDX-License-Identifier: GPL-2.0-only
// A channel as a device of RT-Thread's framework, and what POSIX's poll asks it.
#include "rtos_fixture.hpp"

#include "rt_device.h"

#include <rtdevice.h>
#include <rtthread.h>

namespace {

using namespace test;

int ready(rt_device_t device) {
    int events = -1;
    EXPECT_EQ(rt_device_control(device, RT_PIPE_CTRL_READY, &events), RT_EOK);
    return events;
}

TEST_F(Rtos, Device) {
    static unsigned indications, completions;
    (void)channel("device");
    as_guest([] {
        vbus_handle *const handle = vbus_open("device", nullptr);
        ASSERT_EQ(vbus_register_device(handle), RT_EOK);
        EXPECT_EQ(vbus_register_device(handle), -RT_EBUSY);
        const rt_device_t device = rt_device_find("device");
        ASSERT_NE(device, nullptr);
        (void)rt_device_set_rx_indicate(
            device, [](rt_device_t, rt_size_t) { return ++indications, rt_err_t{RT_EOK}; });
        (void)rt_device_set_tx_complete(device,
                                        [](rt_device_t, void *) { return ++completions, rt_err_t{RT_EOK}; });
        ASSERT_EQ(rt_device_open(device, RT_DEVICE_OFLAG_RDWR | RT_DEVICE_FLAG_INT_RX), RT_EOK);
        char buffer[64];
        EXPECT_EQ(rt_device_write(device, 0, "x", 1), 0) << "nobody is there";
        EXPECT_EQ(ready(device), 0);
        Guest guest;
        guest.attach("device");
        EXPECT_EQ(completions, 1u) << "now somebody is";
        EXPECT_EQ(ready(device), RT_PIPE_WRITABLE);
        // Two records are indicated once; what is left is known to whoever asks.
        indications = 0;
        guest.send("one");
        guest.send("two");
        EXPECT_EQ(indications, 1u);
        EXPECT_EQ(rt_device_read(device, 0, buffer, sizeof buffer), 3);
        EXPECT_EQ(ready(device), RT_PIPE_READABLE | RT_PIPE_WRITABLE) << "there is another record";
        EXPECT_EQ(rt_device_read(device, 0, buffer, 2), -RT_EINVAL) << "too long";
        EXPECT_EQ(ready(device), RT_PIPE_WRITABLE);
        EXPECT_EQ(rt_device_read(device, 0, buffer, sizeof buffer), 0);
        guest.send("three");
        EXPECT_EQ(indications, 2u);
        EXPECT_EQ(rt_device_read(device, 0, buffer, sizeof buffer), 5);
        // A full ring is not writable, until there is room for a record of any length.
        while (rt_device_write(device, 0, buffer, sizeof buffer) == sizeof buffer)
            ;
        EXPECT_EQ(ready(device), 0);
        completions = 0;
        vbus_message message;
        while (guest.recv(message) != "(nothing)")
            if (vbus_take_doorbell(&guest.end))
                guest.ring();
        EXPECT_EQ(completions, 1u);
        EXPECT_EQ(ready(device), RT_PIPE_WRITABLE);
        // The guest made room, and before its doorbell is heard somebody fills it, or sees it.
        for (const bool filled : {true, false}) {
            while (vbus_send(handle, buffer, sizeof buffer, nullptr, 0) == 0)
                ;
            EXPECT_EQ(ready(device), 0);
            completions = 0;
            while (guest.recv(message) != "(nothing)")
                ;
            EXPECT_TRUE(vbus_take_doorbell(&guest.end));
            while (filled && vbus_send(handle, buffer, sizeof buffer, nullptr, 0) == 0)
                ;
            if (!filled) {
                EXPECT_EQ(ready(device), RT_PIPE_WRITABLE);
            }
            guest.ring();
            EXPECT_EQ(completions, filled ? 0u : 1u);
            while (guest.recv(message) != "(nothing)")
                if (vbus_take_doorbell(&guest.end))
                    guest.ring();
            EXPECT_EQ(completions, 1u) << "whoever was told that there is no room must hear of it";
        }
        // A reset is an error, once to each direction.
        vbus_end_reset(&guest.end);
        guest.ring();
        EXPECT_EQ(ready(device), RT_PIPE_READABLE | RT_PIPE_WRITABLE);
        EXPECT_EQ(rt_device_read(device, 0, buffer, sizeof buffer), -RT_ERROR);
        EXPECT_EQ(rt_device_read(device, 0, buffer, sizeof buffer), 0);
        EXPECT_EQ(rt_device_write(device, 0, "x", 1), -RT_ERROR);
        EXPECT_EQ(rt_device_control(device, 1, nullptr), -RT_ENOSYS);
    });
}

} // namespace
