// SPDX-License-Identifier: GPL-2.0-only
// The RTOS's end of V-Bus on the simulated machine, and a guest that uses the ring as Linux does. The bus
// lives as long as the program: each test has its channel.
#pragma once

#include "kernel/system_thread.hpp"
#include "machine.hpp"
#include "vbus.hpp"

#include <cstdlib>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <region.h>
#include <string>
#include <vector>

namespace test {

using rtos::Thread;
using vbus::Status;

inline constexpr size_t stack = 4096;
inline constexpr uint32_t region_size = 512 * 1024;
inline uint8_t *region = nullptr;
inline unsigned notified = 0;

struct Guest {
    vbus_channel entry{};
    vbus_end end{};

    // Attach to a channel, as the module does: by the directory.
    void attach(const char *name) {
        uint32_t epoch;
        ASSERT_EQ(vbus_check_region(region, region_size, &epoch), VBUS_ATTACHED);
        for (index = 0;; index++) {
            ASSERT_TRUE(vbus_read_channel(region, region_size, index, &entry)) << "no channel " << name;
            if (std::strcmp(entry.name, name) == 0)
                break;
        }
        end = {};
        vbus_open_channel(&end, region, &entry, VBUS_GUEST);
        vbus_accept_features(region, VBUS_FEATURES);
        vbus_set_guest(region, epoch, VBUS_STATE_RUNNING);
        ring_header();
        ring();
        (void)vbus_poll_peer(&end);
        ring();
    }

    uint32_t index = 0;
    void ring() {
        machine::interrupt([this] { vbus::doorbell(index); });
    }
    static void ring_header() {
        machine::interrupt([] { vbus::doorbell(VBUS_DOORBELL_HEADER); });
    }

    void send(const std::string &payload, uint16_t type = 1) {
        vbus_slot slot;
        ASSERT_EQ(vbus_tx_begin(&end, static_cast<uint32_t>(payload.size()), &slot), VBUS_OK);
        std::memcpy(slot.payload, payload.data(), payload.size());
        ASSERT_EQ(vbus_tx_commit(&end, &slot, type, 0, 0), VBUS_OK);
        if (vbus_take_doorbell(&end))
            ring();
    }

    std::string recv(vbus_message &message) {
        if (vbus_rx_begin(&end, &message) != VBUS_OK)
            return "(nothing)";
        std::string payload(static_cast<const char *>(message.payload), message.length);
        (void)vbus_rx_release(&end, &message);
        return payload;
    }
};

struct Rtos : testing::Test {
    static void SetUpTestSuite() {
        if (region)
            return;
        static rtmux_exec exec = {};
        region = static_cast<uint8_t *>(std::aligned_alloc(4096, region_size));
        std::memset(region, 0xa5, region_size); // what a former life left
        exec.vbus = region;
        exec.vbus_size = region_size;
        exec.notify_guest = [] { // the guest's interrupt handler
            notified++;
            (void)vbus_take_rung(region, 0);
        };
        ASSERT_EQ(vbus::start(exec), Status::ok);
    }
    void SetUp() override {
        machine::reset();
        ASSERT_EQ(rtos::system_thread.start(), rtos::Status::ok);
    }

    // Threads that are still waiting in a channel at the end of the test leave it.
    static inline std::vector<Thread *> started;
    static void start(Thread &thread) {
        ASSERT_EQ(thread.start(stack), rtos::Status::ok);
        started.push_back(&thread);
    }

    // Run body as a thread below all others, in whose place the guest would run.
    static void as_guest(std::function<void()> body) {
        static bool ended;
        ended = false;
        Thread thread(
            "guest", 30,
            [](void *work) {
                (*static_cast<std::function<void()> *>(work))();
                for (Thread *t : started)
                    (void)t->terminate();
                started.clear();
                ended = true;
            },
            &body);
        ASSERT_EQ(thread.start(stack), rtos::Status::ok);
        machine::run_until(10'000'000);
        ASSERT_TRUE(ended);
    }

    static vbus::Channel *channel(const char *name, uint32_t flags = 0) {
        vbus::Channel *made =
            vbus::create({.name = name, .flags = flags, .to_guest = {4096}, .to_rt = {4096}});
        EXPECT_NE(made, nullptr);
        return made;
    }
};

} // namespace test
