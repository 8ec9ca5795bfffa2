// SPDX-License-Identifier: GPL-2.0-only
#include "drivers/am335x_gpio.hpp"
#include "drivers/pl061.hpp"
#include "fake_bus.hpp"

#include <gtest/gtest.h>

using namespace fake;
using History = std::vector<Access>;
using A = Bus<'a'>;

TEST(Pl061, APinIsItsOwnAddress) {
    using Gpio = drivers::Pl061<A>;
    A::clear();
    A::registers[0x400] = 0x81;
    taken();
    Gpio::output(3);
    EXPECT_EQ(A::registers[0x400], 0x89u);
    Gpio::input(0);
    EXPECT_EQ(A::registers[0x400], 0x88u);
    taken();
    Gpio::set(0, true);
    Gpio::set(7, false);
    EXPECT_EQ(taken(), (History{wr(0x004, ~0u), wr(0x200, 0)}));
    A::registers[0x020] = 0x08;
    EXPECT_TRUE(Gpio::get(3));
    EXPECT_FALSE(Gpio::get(4));
}

TEST(Am335xGpio, SetAndClearAreOneWrite) {
    using Gpio = drivers::Am335xGpio<A>;
    A::clear();
    A::registers[0x134] = ~0u;
    taken();
    Gpio::output(21);
    EXPECT_EQ(A::registers[0x134], ~(1u << 21));
    Gpio::input(21);
    EXPECT_EQ(A::registers[0x134], ~0u);
    taken();
    Gpio::set(21, true);
    Gpio::set(22, false);
    EXPECT_EQ(taken(), (History{wr(0x194, 1u << 21), wr(0x190, 1u << 22)}));
    A::registers[0x138] = 1u << 21;
    EXPECT_TRUE(Gpio::get(21));
    EXPECT_FALSE(Gpio::get(20));
}

TEST(Am335xGpio, APinHasOneTriggerAndNoOldInterrupt) {
    using Gpio = drivers::Am335xGpio<A>;
    using Trigger = Gpio::Trigger;
    A::clear();
    for (uint32_t detect : {0x140, 0x144, 0x148, 0x14c})
        A::registers[detect] = 1u << 4; // of another pin: stays
    auto detects = [](Trigger trigger) {
        Gpio::enable_interrupt(5, trigger);
        std::vector<bool> on;
        for (uint32_t detect : {0x140, 0x144, 0x148, 0x14c}) {
            EXPECT_TRUE(A::registers[detect] & 1u << 4);
            on.push_back(A::registers[detect] & 1u << 5);
        }
        return on;
    };
    EXPECT_EQ(detects(Trigger::low), (std::vector{true, false, false, false}));
    EXPECT_EQ(detects(Trigger::high), (std::vector{false, true, false, false}));
    EXPECT_EQ(detects(Trigger::rising), (std::vector{false, false, true, false}));
    EXPECT_EQ(detects(Trigger::falling), (std::vector{false, false, false, true}));
    taken();
    EXPECT_EQ(detects(Trigger::both), (std::vector{false, false, true, true}));
    History h = taken();
    EXPECT_EQ(h.front(), wr(0x3c, 1u << 5)); // off while it changes
    ASSERT_GE(h.size(), 3u);
    EXPECT_EQ(History(h.end() - 3, h.end()),
              (History{wr(0x2c, 1u << 5), rd(0x2c, 1u << 5), wr(0x34, 1u << 5)}));
}
