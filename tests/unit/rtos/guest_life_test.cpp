// SPDX-License-Identifier: GPL-2.0-only
// What is decided about a guest that ends, with an executive that does what the test says.
#include "machine.hpp"

#include <functional>
#include <gtest/gtest.h>

#include "guest/life.hpp"
#include <rtos/guest.hpp>
#include <rtos/irq_lock.hpp>

namespace {

rtmux_guest_image image;
rtmux_exec exec;
rtmux_guest_end end;
std::function<void()> while_reporting; // an RT thread, as soon as the end is known
int stop_result;
int stops;

} // namespace

namespace rtos {
const rtmux_exec &executive() {
    return exec;
}
namespace port {
constinit volatile bool guest_down = false;
}
} // namespace rtos

namespace {

using namespace rtos;

class GuestLife : public testing::Test {
  protected:
    void SetUp() override {
        machine::reset();
        image = {};
        exec = {};
        exec.guest_image = &image;
        exec.guest_end = [](rtmux_guest_end *copy) { *copy = end; };
        exec.stop_guest = [](const char *) {
            ++stops;
            return stop_result;
        };
        exec.read_guest = [](uint32_t, void *, uint32_t) {
            if (while_reporting)
                while_reporting();
            while_reporting = nullptr;
            return -1;
        };
        image.kernel_log = 4; // so that the report reads it
        stops = 0;
        stop_result = 0;
        while_reporting = nullptr;
        port::guest_down = false;
        for (uint32_t cause = 0; cause < RTMUX_POLICIES; ++cause)
            EXPECT_EQ(guest_set_policy(cause, RTMUX_AFTER_DEFAULT), Status::ok);
        changed(RTMUX_GUEST_RUNNING);
    }
    static void changed(uint32_t state) {
        const IrqMask masked;
        rtos_guest_changed(state);
    }
    // The guest ends in this state. True: it is booted again.
    static bool ends_as(uint32_t state) {
        changed(state);
        end = {};
        end.size = sizeof end;
        end.state = state;
        end.began = 1;
        return rtos_guest_ended();
    }
};

TEST_F(GuestLife, WithoutAWishPolicyDecides) {
    EXPECT_TRUE(ends_as(RTMUX_GUEST_RESTART));
    EXPECT_FALSE(ends_as(RTMUX_GUEST_OFF));
    EXPECT_TRUE(port::guest_down);
}

TEST_F(GuestLife, AStopWhileItRestartsLeavesItDown) {
    stop_result = -1; // it runs no more
    EXPECT_EQ(guest_stop(), Status::ok);
    EXPECT_FALSE(ends_as(RTMUX_GUEST_RESTART));
}

TEST_F(GuestLife, ARestartWhileItPowersOffBootsIt) {
    stop_result = -1;
    EXPECT_EQ(guest_restart(), Status::ok);
    EXPECT_TRUE(ends_as(RTMUX_GUEST_OFF));
}

TEST_F(GuestLife, AStopDuringTheReportDoesNotStopTheNextLife) {
    stop_result = -1;
    while_reporting = [] { EXPECT_EQ(guest_stop(), Status::ok); };
    EXPECT_FALSE(ends_as(RTMUX_GUEST_OFF));
    EXPECT_FALSE(while_reporting) << "no report was made";
    EXPECT_EQ(guest_start(), Status::ok);
    stops = 0;
    changed(RTMUX_GUEST_RUNNING);
    EXPECT_EQ(stops, 0);
}

TEST_F(GuestLife, AStopOfOneThatPanicsIsNotForgotten) {
    EXPECT_EQ(guest_set_policy(RTMUX_CAUSE_PANIC, RTMUX_AFTER_RESTART), Status::ok);
    uint32_t r[4] = {0, RTMUX_LIFE_MAGIC, 0, 0};
    EXPECT_EQ(rtos_guest_call(RTMUX_PANIC, r), 0u);
    EXPECT_EQ(guest_stop(), Status::ok);
    EXPECT_FALSE(ends_as(RTMUX_GUEST_STOPPED));
    EXPECT_EQ(guest_last_cause(), uint32_t{RTMUX_CAUSE_PANIC});
}

TEST_F(GuestLife, AWishIsForOneEnd) {
    EXPECT_EQ(guest_restart(), Status::ok);
    EXPECT_TRUE(ends_as(RTMUX_GUEST_STOPPED));
    changed(RTMUX_GUEST_RUNNING);
    EXPECT_FALSE(ends_as(RTMUX_GUEST_OFF));
}

} // namespace
