// SPDX-License-Identifier: GPL-2.0-only
// A test's body in a thread of RT-Thread's on the simulated machine.
#pragma once

#include "machine.hpp"

#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

#include <rthw.h>
#include <rtthread.h>

#include "kernel_object.hpp"
#include "tick.hpp"

struct Api : testing::Test {
    static constexpr rt_uint8_t priority = 15;
    static constexpr rt_uint32_t stack = 4096;

    void SetUp() override { machine::reset(24'000 * 1000); }

    // Run body in a thread of this priority until nothing but the idle thread is ready, ticks at most.
    void run(std::function<void()> body, rt_tick_t ticks = 1000) {
        bool done = false;
        start("test", priority, [&] {
            body();
            done = true;
        });
        machine::run_until(machine::counter() + ticks * uint64_t{rt::tick_length});
        EXPECT_TRUE(done);
    }
    // A thread that ends by itself.
    rt_thread_t start(const char *name, rt_uint8_t at, std::function<void()> what) {
        bodies.push_back(std::make_unique<std::function<void()>>(std::move(what)));
        const rt_thread_t t = rt_thread_create(
            name, [](void *body) { (*static_cast<std::function<void()> *>(body))(); }, bodies.back().get(),
            stack, at, 10);
        EXPECT_TRUE(t);
        threads.push_back(&rt::of(*t));
        EXPECT_EQ(rt_thread_startup(t), RT_EOK);
        return t;
    }
    void TearDown() override {
        for (rtos::Thread *t : threads)
            EXPECT_TRUE(t->reap()) << "a thread has not ended";
    }

    std::string trace;
    std::vector<std::unique_ptr<std::function<void()>>> bodies;
    std::vector<rtos::Thread *> threads;
};
