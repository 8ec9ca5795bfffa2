// SPDX-License-Identifier: GPL-2.0-only
#include "machine.hpp"

#include <gtest/gtest.h>

#include <rtos/interrupt.hpp>

extern "C" void rtos_interrupt(uint32_t line, rtos::Scheduler &);

namespace {

using namespace rtos;

// The table of lines lasts for the program, so each test has lines of its own.

TEST(Interrupt, HandlerGetsItsArgument) {
    machine::reset();
    int calls = 0;
    const auto count = [](void *argument) { ++*static_cast<int *>(argument); };
    ASSERT_EQ(interrupt_attach(37, count, &calls), Status::ok);
    EXPECT_EQ(machine::record().lines_enabled, std::vector<uint32_t>{37});
    rtos_interrupt(37, scheduler);
    rtos_interrupt(37, scheduler);
    EXPECT_EQ(calls, 2);
}

TEST(Interrupt, AttachRefuses) {
    machine::reset();
    const auto nothing = [](void *) {};
    EXPECT_EQ(interrupt_attach(96, nothing, nullptr), Status::invalid);
    EXPECT_EQ(interrupt_attach(50, nullptr, nullptr), Status::invalid);
    machine::record().refused_line = 50; // not an RT line
    EXPECT_EQ(interrupt_attach(50, nothing, nullptr), Status::invalid);
    machine::record().refused_line = UINT32_MAX;
    EXPECT_EQ(interrupt_attach(50, nothing, nullptr), Status::ok);
    EXPECT_EQ(interrupt_attach(50, nothing, nullptr), Status::invalid);
}

TEST(Interrupt, UnexpectedIsCountedAndMasked) {
    machine::reset();
    const uint32_t before = interrupts_unexpected();
    rtos_interrupt(60, scheduler);
    EXPECT_EQ(interrupts_unexpected(), before + 1);
    EXPECT_EQ(machine::record().lines_disabled, (std::vector<uint32_t>{60}));
}

} // namespace
