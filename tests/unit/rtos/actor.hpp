// SPDX-License-Identifier: GPL-2.0-only
// A thread that runs a lambda of the test's, captures included.
#pragma once

#include <functional>
#include <gtest/gtest.h>
#include <utility>

#include <rtos/thread.hpp>

struct Actor {
    Actor(const char *name, unsigned priority, std::function<void()> what)
        : body(std::move(what)), thread(name, priority, run, this) {
        EXPECT_EQ(thread.start(4096), rtos::Status::ok);
    }
    static void run(void *self) { static_cast<Actor *>(self)->body(); }

    std::function<void()> body;
    rtos::Thread thread;
};
