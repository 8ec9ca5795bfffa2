// SPDX-License-Identifier: GPL-2.0-only
// Devices, interrupts of their lines, and wait and work queues that drivers use.
#include "fixture.hpp"

#include <rtdevice.h>
#include <rtos/interrupt.hpp>

extern "C" void rtos_interrupt(uint32_t line, rtos::Scheduler &);

namespace {

struct Devices : Api {
    rt_device device = {};
};

TEST_F(Devices, AreCountedAndInitialisedOnce) {
    static int inits, opens, closes;
    inits = opens = closes = 0;
    run([&] {
        device.type = RT_Device_Class_Char;
        device.init = [](rt_device_t) { return ++inits, rt_err_t{RT_EOK}; };
        device.open = [](rt_device_t, rt_uint16_t) { return ++opens, rt_err_t{RT_EOK}; };
        device.close = [](rt_device_t) { return ++closes, rt_err_t{RT_EOK}; };
        EXPECT_EQ(rt_device_register(&device, "uart", RT_DEVICE_FLAG_RDWR), RT_EOK);
        EXPECT_EQ(rt_device_register(&device, "other", RT_DEVICE_FLAG_RDWR), -RT_ERROR); // registered already
        EXPECT_EQ(rt_device_find("uart"), &device);
        char byte;
        EXPECT_EQ(rt_device_read(&device, 0, &byte, 1), 0);
        EXPECT_EQ(rt_device_open(&device, RT_DEVICE_OFLAG_RDWR), RT_EOK);
        EXPECT_EQ(rt_device_open(&device, RT_DEVICE_OFLAG_RDWR), RT_EOK);
        EXPECT_EQ(device.ref_count, 2);
        EXPECT_TRUE(device.open_flag & RT_DEVICE_OFLAG_OPEN);
        EXPECT_EQ(rt_device_read(&device, 0, &byte, 1), 0);
        EXPECT_EQ(rt_get_errno(), -RT_ENOSYS);
        EXPECT_EQ(rt_device_close(&device), RT_EOK);
        EXPECT_EQ(closes, 0);
        EXPECT_EQ(rt_device_close(&device), RT_EOK);
        EXPECT_EQ(rt_device_close(&device), -RT_ERROR);
        EXPECT_EQ(rt_device_unregister(&device), RT_EOK);
        EXPECT_EQ(rt_device_open(&device, RT_DEVICE_OFLAG_RDWR), -RT_EINVAL);
    });
    EXPECT_EQ(inits, 1);
    EXPECT_EQ(closes, 1);
}

TEST_F(Devices, AFailingInitOrOpenLeavesItClosed) {
    run([&] {
        device.init = [](rt_device_t) { return rt_err_t{-RT_EIO}; };
        rt_device_register(&device, "bad", RT_DEVICE_FLAG_RDWR);
        EXPECT_EQ(rt_device_open(&device, RT_DEVICE_OFLAG_RDWR), -RT_EIO);
        EXPECT_FALSE(device.flag & RT_DEVICE_FLAG_ACTIVATED);
        device.init = nullptr;
        device.open = [](rt_device_t, rt_uint16_t) { return rt_err_t{-RT_EBUSY}; };
        EXPECT_EQ(rt_device_open(&device, RT_DEVICE_OFLAG_RDWR), -RT_EBUSY);
        EXPECT_EQ(device.ref_count, 0);
        rt_device_unregister(&device);
    });
}

TEST_F(Devices, CreatedOnesHaveRoomForTheirDriver) {
    run([&] {
        const rt_device_t made = rt_device_create(RT_Device_Class_Char, 100);
        ASSERT_NE(made, nullptr);
        std::memset(made->user_data, 1, 100);
        EXPECT_EQ(rt_device_find("made"), nullptr);
        EXPECT_EQ(rt_device_register(made, "made", 0), RT_EOK);
        EXPECT_EQ(rt_device_unregister(made), RT_EOK);
        rt_device_destroy(made);
    });
}

TEST_F(Devices, LinesAreServedFromTheirFirstUnmask) {
    static int served, nest;
    served = nest = 0;
    run([&] {
        const rt_isr_handler_t handler = [](int vector, void *param) {
            EXPECT_EQ(vector, 40);
            EXPECT_EQ(param, &served);
            ++served;
            nest = rt_interrupt_get_nest();
        };
        EXPECT_EQ(rt_hw_interrupt_install(40, handler, &served, "line"), nullptr);
        EXPECT_TRUE(machine::record().lines_enabled.empty());
        rt_hw_interrupt_umask(40);
        EXPECT_EQ(machine::record().lines_enabled, std::vector<uint32_t>{40});
        machine::interrupt([] { rtos_interrupt(40, rtos::scheduler); });
        EXPECT_EQ(served, 1);
        EXPECT_EQ(nest, 1);
        EXPECT_EQ(rt_interrupt_get_nest(), 0);
        EXPECT_EQ(rt_hw_interrupt_install(40, handler, &served, "line"), handler);
        rt_hw_interrupt_mask(40);
        EXPECT_EQ(machine::record().lines_disabled, std::vector<uint32_t>{40});
        EXPECT_EQ(rt_hw_interrupt_install(1000, handler, nullptr, "none"), nullptr);
    });
}

TEST_F(Devices, AWaitQueueWakesWhoWaitsAndRemembersForTheNext) {
    rt_wqueue_t queue;
    run([&] {
        rt_wqueue_init(&queue);
        EXPECT_EQ(rt_wqueue_wait(&queue, 1, 5), 0);
        EXPECT_EQ(rt_wqueue_wait(&queue, 0, 0), -RT_ETIMEOUT);
        const rt_tick_t began = rt_tick_get();
        EXPECT_EQ(rt_wqueue_wait(&queue, 0, 5), -RT_ETIMEOUT);
        EXPECT_EQ(rt_tick_get() - began, 5u);
        for (const char *name : {"a", "b"})
            start(name, priority - 1, [&, name] {
                EXPECT_EQ(rt_wqueue_wait(&queue, 0, -1), 0);
                trace += name;
            });
        machine::interrupt([&] { rt_wqueue_wakeup(&queue, nullptr); });
        EXPECT_EQ(trace, "a");
        rt_wqueue_wakeup_all(&queue, nullptr);
        EXPECT_EQ(trace, "ab");
        rt_wqueue_wakeup(&queue, nullptr); // nobody
        EXPECT_EQ(rt_wqueue_wait(&queue, 0, -1), 0);
        EXPECT_EQ(rt_wqueue_wait(&queue, 0, 1), -RT_ETIMEOUT);
    });
}

TEST_F(Devices, AWaitQueueWakesWhoWasSuspendedMeanwhile) {
    rt_wqueue_t queue;
    run([&] {
        rt_wqueue_init(&queue);
        const rt_thread_t t = start("t", priority - 1, [&] {
            EXPECT_EQ(rt_wqueue_wait(&queue, 0, -1), 0);
            trace += "t";
        });
        EXPECT_EQ(rt::of(*t).suspend(), rtos::Status::ok);
        rt_wqueue_wakeup(&queue, nullptr);
        EXPECT_EQ(trace, "");
        EXPECT_EQ(rt::of(*t).resume(), rtos::Status::ok);
        EXPECT_EQ(trace, "t");
    });
}

TEST_F(Devices, ADataQueueGivesRoomAndItems) {
    rt_data_queue queue;
    run([&] {
        EXPECT_EQ(rt_data_queue_init(&queue, 2, 1, nullptr), RT_EOK);
        EXPECT_EQ(rt_data_queue_push(&queue, "a", 1, 0), RT_EOK);
        EXPECT_EQ(rt_data_queue_push(&queue, "b", 2, 0), RT_EOK);
        EXPECT_EQ(rt_data_queue_push(&queue, "c", 3, 2), -RT_ETIMEOUT);
        start("pusher", priority - 1, [&] {
            EXPECT_EQ(rt_data_queue_push(&queue, "d", 4, -1), RT_EOK);
            trace += "d";
        });
        const void *data;
        rt_size_t size;
        for (const rt_size_t expected : {1u, 2u, 4u}) {
            EXPECT_EQ(rt_data_queue_pop(&queue, &data, &size, 5), RT_EOK);
            EXPECT_EQ(size, expected);
        }
        EXPECT_EQ(trace, "d");
        EXPECT_EQ(rt_data_queue_peek(&queue, &data, &size), -RT_EEMPTY);
        rt_err_t ended = 1;
        start("popper", priority - 1, [&] { ended = rt_data_queue_pop(&queue, &data, &size, -1); });
        EXPECT_EQ(rt_data_queue_deinit(&queue), RT_EOK);
        EXPECT_EQ(ended, -RT_ERROR);
        EXPECT_EQ(rt_data_queue_deinit(&queue), -RT_EINVAL);
    });
}

} // namespace
